//! Runs one evaluation script in one page: starts it, polls it, and ends it if it does not end by itself. What a project may use up
//! is processor time of its page: on a busy machine nothing is ended earlier.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::Instant;

use super::limits::{ALLOWANCE, BLOCKED, LAST_WORD, LEAST_WORK, POLL_LIMIT, POLL_WAIT_MS};
use super::start::{START, StartEvaluation};
use super::{Conditions, Play};
use crate::model::{Clock, ClockParameters, StageSize, Task};
use crate::page::{Idleness, Page, PageError, PageFn};
use crate::page_fn;
use crate::taskset::EvaluationSources;

/// Waits for it for a while and returns its state.
const POLL: PageFn<PollEvaluation, Progress> = page_fn!("judge", "poll-evaluation");

/// How long one poll waits in the page.
const POLLED: PollEvaluation = PollEvaluation { wait_ms: POLL_WAIT_MS };
/// How the places of evaluation scripts and their helpers begin.
const SCRIPTS: &str = "eval-scripts/";

#[derive(Debug, Serialize)]
struct PollEvaluation {
    wait_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Running,
    Reported,
    Threw,
    Overran,
    Unloadable,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Progress {
    state: State,
    report: Value,
    error: Option<String>,
    trace: Option<PageRecord>,
    console: Vec<String>,
    /// Whether the program was cut off in the middle of a tick.
    in_step: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PageRecord {
    /// SHA-256 of the trace.
    hash: String,
    /// Milliseconds that passed, on the clock of the judgement.
    elapsed_ms: f64,
    clock: Option<ClockParameters>,
    trace: Option<Value>,
    played: Option<SeenRun>,
}

/// What the program of a scenario ran and drew.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeenRun {
    /// Random numbers that blocks drew.
    pub draws: u64,
    /// Ids of statements that ran and hats that started, by the names of targets.
    pub covered: BTreeMap<String, Vec<String>>,
    /// Blocks that ran, with those that ask the stage counted as what they take.
    pub work: u64,
    /// Milliseconds of the machine's time: for loading, and for a tick in the mean.
    pub load_ms: f64,
    pub tick_ms: f64,
    /// PNGs in base64, by the ticks after which they were drawn.
    pub pictures: BTreeMap<u64, String>,
}

/// What is known of a run besides its ending.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// Digest of the trace, in virtual time.
    pub hash: Option<String>,
    /// Milliseconds of project time that passed.
    pub elapsed_ms: Option<f64>,
    pub clock: Option<ClockParameters>,
    pub trace: Option<Value>,
    pub played: Option<SeenRun>,
}

#[derive(Debug)]
pub(super) enum Ending {
    Reported(Value),
    /// It threw, or did not end in time: a fault of the script.
    Broke(String),
    /// The program threw in the middle of a tick, which ended it.
    Tripped(String),
    /// The program kept the page busy for good.
    Hung(String),
    /// It used up its processor time, which says nothing of who did.
    Spent(String),
    /// The VM could not load the project.
    Unloadable(String),
}

/// An ending with what was printed until then.
#[derive(Debug)]
pub(super) struct PageRun {
    pub ending: Ending,
    pub console: Vec<String>,
    /// `None` when the page was stopped.
    pub record: Option<Record>,
}

impl PageRun {
    /// Whether the project was loaded, and the page came to its end by itself, so that it can judge again. A load that is broken
    /// off may leave anything behind.
    pub const fn is_clean(&self) -> bool {
        self.record.is_some() && !matches!(self.ending, Ending::Unloadable(_))
    }

    const fn stopped(ending: Ending, console: Vec<String>) -> Self {
        Self { ending, console, record: None }
    }
}

/// The texts of all that runs in the page for a judgement.
pub(super) fn sources() -> impl Iterator<Item = &'static str> {
    START.sources().chain(POLL.sources())
}

/// What a run needs to know of a task, or of what stands for one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'a> {
    pub sources: &'a EvaluationSources,
    /// Milliseconds of project time.
    pub case_ms: u32,
    pub task_ms: u32,
    pub stage: StageSize,
    /// The scenario that the script plays, and what is looked at.
    pub play: Option<Play<'a>>,
}

impl<'a> Frame<'a> {
    pub(super) const fn of(task: &Task, sources: &'a EvaluationSources) -> Self {
        Self { sources, case_ms: task.limits.case_ms, task_ms: task.limits.task_ms, stage: task.stage, play: None }
    }
}

/// Runs a script on a project; the page must be discarded afterwards unless the run is clean.
///
/// # Errors
/// Only for errors of the page itself.
pub(super) async fn run(page: &Page, frame: &Frame<'_>, sb3: &[u8], how: &Conditions) -> Result<PageRun, PageError> {
    let watch = Watch::begin(page, frame, how);
    let started = page.call_while_working(&START, &StartEvaluation::of(frame, sb3, how), BLOCKED).await?;
    if started.is_none() {
        // It is the page's own time that is used up, and no clock of ours has ended it.
        let message = format!("starting to judge it took more than {BLOCKED:?} of processor time");
        return Ok(PageRun::stopped(Ending::Spent(message), Vec::new()));
    }
    watch.until_ended().await
}

/// What a run may still use up.
struct Watch<'a> {
    page: &'a Page,
    clock: Clock,
    /// For all tries at the project together.
    budget: Duration,
    /// What earlier tries have used of it.
    spent: Duration,
    /// The page's processor time at the beginning.
    begin: Duration,
    /// For real time, which passes whatever a machine does.
    deadline: Option<Instant>,
}

impl<'a> Watch<'a> {
    fn begin(page: &'a Page, frame: &Frame<'_>, how: &Conditions) -> Self {
        let budget = Duration::from_millis(frame.task_ms.into()) + ALLOWANCE;
        let deadline = (how.clock == Clock::Real).then(|| Instant::now() + budget);
        Self { page, clock: how.clock, budget, spent: how.spent, begin: page.processor_time(), deadline }
    }

    /// Polls the page until its evaluation has ended, or has to be ended.
    async fn until_ended(&self) -> Result<PageRun, PageError> {
        let Self { page, budget, .. } = self;
        let (mut idleness, mut answered) = (Idleness::of(page, LEAST_WORK), page.processor_time());
        loop {
            let now = page.processor_time();
            let left = budget.saturating_sub(self.spent + now.saturating_sub(self.begin));
            let until_blocked = BLOCKED.saturating_sub(now.saturating_sub(answered));
            match page.while_working(left.min(until_blocked), page.call_within(&POLL, &POLLED, POLL_LIMIT)).await {
                Ok(Some(progress)) if progress.state != State::Running => return Ok(ended(progress, self.clock)),
                Ok(Some(progress)) if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) => {
                    let message = format!("the script did not return within {budget:?}");
                    return self.halted(Ending::Broke(message), progress.console).await;
                }
                Ok(Some(_)) => answered = page.processor_time(),
                // A busy machine, or a page that is blocked: it is asked again.
                Err(PageError::Timeout { .. }) => {}
                Err(error) => return Err(error),
                Ok(None) if left > until_blocked => return unblock(page).await,
                Ok(None) => {
                    let message = format!("judging it took more than {budget:?} of processor time");
                    return self.halted(Ending::Spent(message), Vec::new()).await;
                }
            }
            // A script in real time may wait. Any other page that only polls keep busy waits for what does not come.
            if self.deadline.is_none() {
                idleness.check(page)?;
            }
        }
    }

    /// How it ends is known already, and its page judges no more: one that is too busy to be stopped changes nothing about that.
    async fn halted(&self, ending: Ending, console: Vec<String>) -> Result<PageRun, PageError> {
        let stopping = self.page.while_working(LAST_WORD, self.page.terminate_execution()).await;
        but_for_clocks(stopping)?;
        Ok(PageRun::stopped(ending, console))
    }
}

fn ended(progress: Progress, clock: Clock) -> PageRun {
    let error = progress.error.unwrap_or_default();
    let ending = match progress.state {
        State::Reported => Ending::Reported(progress.report),
        State::Unloadable => Ending::Unloadable(error),
        State::Overran => Ending::Broke(format!("the script did not return: {error}")),
        State::Threw if progress.in_step => Ending::Tripped(error),
        State::Threw | State::Running => Ending::Broke(error),
    };
    // In real time no two runs do the same at the same tick.
    let record = progress.trace.map(|page| Record {
        hash: (clock == Clock::Virtual).then_some(page.hash),
        elapsed_ms: Some(page.elapsed_ms),
        clock: page.clock,
        trace: page.trace,
        played: page.played,
    });
    PageRun { ending, console: progress.console, record }
}

/// Nothing where a clock of ours has ended it.
fn but_for_clocks<T>(result: Result<Option<T>, PageError>) -> Result<Option<T>, PageError> {
    match result {
        Err(error) if error.is_by_the_clock() => Ok(None),
        result => result,
    }
}

/// Asks again whenever a clock of ours has ended it: how long that goes on, the page's own time decides.
async fn until_answered<T, F>(mut ask: impl FnMut() -> F) -> Result<T, PageError>
where
    F: Future<Output = Result<T, PageError>>,
{
    loop {
        match ask().await {
            Err(error) if error.is_by_the_clock() && !error.is_lost() => {}
            answered => return answered,
        }
    }
}

/// Stops what blocks the page and finds out whether it was the script or the program. One call of the engine's, such as a search in a
/// text of millions of letters, can't be stopped on its way: a page that goes on working all the same has used up its time.
async fn unblock(page: &Page) -> Result<PageRun, PageError> {
    let Some(stack) = page.while_working(LAST_WORD, until_answered(|| page.interrupt())).await? else {
        let message = format!("one call kept the page busy for {BLOCKED:?} of processor time and could not be halted");
        return Ok(PageRun::stopped(Ending::Spent(message), Vec::new()));
    };
    // A program runs inside the VM's step, also when a script has set it off.
    let place = stack.iter().find(|place| place.starts_with(SCRIPTS));
    let blocked = |who: &str| format!("{who} kept the page busy for {BLOCKED:?} of processor time without a pause");
    let last_word = page.call_while_working(&POLL, &PollEvaluation { wait_ms: 0 }, LAST_WORD).await?;
    // Only a program blocks the page again, with its next tick.
    let (console, in_step) = last_word.map_or((Vec::new(), true), |progress| (progress.console, progress.in_step));
    let ending = match place {
        _ if in_step => Ending::Hung(blocked("the program")),
        Some(place) => Ending::Broke(format!("{} at {place}", blocked("the script"))),
        // Neither a script nor a tick: the editor's machine has the project.
        None => Ending::Spent(blocked("loading the project")),
    };
    Ok(PageRun::stopped(ending, console))
}

#[cfg(test)]
#[path = "page_run_tests.rs"]
mod tests;
