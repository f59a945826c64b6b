//! What a project may use up while it is loaded, played and judged. Each limit is in virtual time or in processor time of the page: on a busy
//! machine both pass as slowly as the page works, so that nothing about a project depends on what else goes on. Whoever has projects
//! played (intake, forge, suites, scores, probes) does so through this room and has no limits of its own.
//!
//! The only wall clocks are the watchdogs at the end. One that fires is trouble of the testbed: it is tried again alone, and is never
//! a verdict about a project.

use std::time::Duration;

use crate::model::Scenario;

/// Processor time that a project may take to load, decoding its costumes included: the page itself waits for these without a limit.
pub(super) const LOADING: Duration = Duration::from_secs(25);
/// Processor time that a project may use for being judged or played, on top of as much as it has of virtual time.
pub(super) const ALLOWANCE: Duration = Duration::from_secs(30);
/// A page that works for so long without answering a poll is blocked: no step of a program needs that much processor time.
pub(super) const BLOCKED: Duration = Duration::from_secs(10);
/// Processor time that a page may use before its script is halted, and before it answers after that.
pub(super) const LAST_WORD: Duration = Duration::from_secs(5);

/// Ticks of the program in a second of its time.
const TICKS_PER_SECOND: u64 = 30;
/// Seconds of project time beyond a scenario's length after which its script is taken to be broken.
const SLACK: u64 = 10;

/// Work of a mean tick, in blocks, above which a project is slow, and above which it is not taken into a pool. It is counted in the page
/// and not measured: a block takes about 50 nanoseconds, and to compare the pixels of sprites as long as ten thousand of them. So these
/// are 5 and 100 ms of an idle machine at most: sprites that are far apart are told from those that touch in less, and count the same.
pub const SLOW_TICK: u64 = 100_000;
pub const SLOWEST_TICK: u64 = 2_000_000;

/// Watchdog: how long an answer to a poll is waited for, below the DevTools client's fixed limit of 30 s. Then the page is asked again.
pub(super) const POLL_LIMIT: Duration = Duration::from_secs(20);
/// Watchdog: what a page that works uses in a minute at least, on however busy a machine; answers to polls take less.
pub(super) const LEAST_WORK: Duration = Duration::from_secs(1);
/// How long a poll waits in the page for something to tell.
pub(super) const POLL_WAIT_MS: u64 = 1000;

/// Milliseconds of project time that the script of a scenario may take.
pub(super) fn scenario_ms(scenario: &Scenario) -> u32 {
    let ms = (scenario.length / TICKS_PER_SECOND + SLACK) * 1000;
    u32::try_from(ms).unwrap_or(u32::MAX)
}
