//! The conditions of a judgement.

use std::time::Duration;

use crate::model::Clock;

/// What a judgement depends on besides the project and the script, and what it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "six wishes that go in any combination")]
pub struct Conditions {
    /// Seed of the random streams.
    pub seed: u64,
    /// Which time the program and the script run in.
    pub clock: Clock,
    /// Whether the trace itself is returned; its digest is in every verdict in virtual time.
    pub trace: bool,
    /// Whether the stage is drawn in every tick, as the editor does; the trace must be the same without.
    pub draw: bool,
    /// Plays inputs that set off every script, in place of the evaluation script: only the trace counts then.
    pub drive: bool,
    /// Whether a fresh page judges, which must give the same verdict as any other.
    pub fresh_page: bool,
    /// Whether nobody else judges meanwhile, as after trouble; then a fresh page judges as well.
    pub alone: bool,
    /// Whether our own scripts may leave out the tests after the first that failed.
    pub stop_at_first_failure: bool,
    /// Processor time that earlier tries at the same project took: all of them together have one budget.
    pub spent: Duration,
}

impl Conditions {
    /// The usual conditions with this seed: virtual time, nothing drawn, all tests.
    pub const fn seeded(seed: u64) -> Self {
        Self {
            seed,
            clock: Clock::Virtual,
            trace: false,
            draw: false,
            drive: false,
            fresh_page: false,
            alone: false,
            stop_at_first_failure: false,
            spent: Duration::ZERO,
        }
    }
}
