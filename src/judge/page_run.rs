//! One evaluation script in one page: start, poll, and end it when it does not end by itself.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::Instant;

use crate::model::{StageSize, Task};
use crate::page::{Page, PageError, PageFn};
use crate::page_fn;
use crate::taskset::{EvaluationSources, SourceFile};

/// Starts an evaluation and returns at once.
const START: PageFn<StartEvaluation, ()> = page_fn!("start-evaluation");
/// Waits a while for it and tells how it goes.
const POLL: PageFn<PollEvaluation, Progress> = page_fn!("poll-evaluation");

/// How long one poll waits in the page.
const POLL_WAIT: Duration = Duration::from_secs(1);
/// A page that does not answer a poll for so long is blocked: no step of a program lasts that long.
/// Below the DevTools client's fixed limit of 30 s.
const BLOCKED: Duration = Duration::from_secs(20);
/// What loading and a slow machine may take on top of the task's own time.
const GRACE: Duration = Duration::from_secs(30);
/// How long a page may take to answer after its script was ended.
const LAST_WORD: Duration = Duration::from_secs(5);

#[derive(Debug, Serialize)]
struct StartEvaluation {
    /// An .sb3 file in base64.
    project: String,
    script: Source,
    helpers: Vec<Source>,
    seed: u64,
    case_ms: u32,
    task_ms: u32,
    stage: StageSize,
}

#[derive(Debug, Serialize)]
struct Source {
    name: String,
    source: String,
}

impl From<&SourceFile> for Source {
    fn from(file: &SourceFile) -> Self {
        Self { name: file.name.clone(), source: file.source.clone() }
    }
}

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
    Unloadable,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Progress {
    state: State,
    report: Value,
    error: Option<String>,
    console: Vec<String>,
    /// Whether the program was cut off in the middle of a tick.
    in_step: bool,
}

/// How a script ended.
#[derive(Debug)]
pub(super) enum Ending {
    /// It returned something.
    Reported(Value),
    /// It threw, or did not end in time: a fault of the script.
    Broke(String),
    /// The program kept the page busy for good.
    Hung(String),
    /// The VM could not load the project.
    Unloadable(String),
}

/// An ending with what was printed until then.
#[derive(Debug)]
pub(super) struct PageRun {
    pub ending: Ending,
    pub console: Vec<String>,
}

/// Runs a script on a project; the page must be discarded afterwards.
///
/// # Errors
/// Only for trouble with the page itself.
pub(super) async fn run(
    page: &Page,
    task: &Task,
    sources: &EvaluationSources,
    sb3: &[u8],
    seed: u64,
) -> Result<PageRun, PageError> {
    let args = StartEvaluation {
        project: STANDARD.encode(sb3),
        script: (&sources.script).into(),
        helpers: sources.helpers.iter().map(Source::from).collect(),
        seed,
        case_ms: task.limits.case_ms,
        task_ms: task.limits.task_ms,
        stage: task.stage,
    };
    page.call(&START, &args).await?;
    let limit = Duration::from_millis(task.limits.task_ms.into()) + GRACE;
    let deadline = Instant::now() + limit;
    loop {
        match poll(page, POLL_WAIT, BLOCKED).await {
            Ok(progress) if progress.state != State::Running => return Ok(ended(progress)),
            Ok(progress) if Instant::now() >= deadline => {
                page.terminate_execution().await?;
                let message = format!("the script did not return within {limit:?}");
                return Ok(PageRun { ending: Ending::Broke(message), console: progress.console });
            }
            Ok(_) => {}
            Err(PageError::Timeout { .. }) => return unblock(page).await,
            Err(error) => return Err(error),
        }
    }
}

async fn poll(page: &Page, wait: Duration, limit: Duration) -> Result<Progress, PageError> {
    let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
    page.call_within(&POLL, &PollEvaluation { wait_ms }, limit).await
}

fn ended(progress: Progress) -> PageRun {
    let error = progress.error.unwrap_or_default();
    let ending = match progress.state {
        State::Reported => Ending::Reported(progress.report),
        State::Unloadable => Ending::Unloadable(error),
        State::Threw | State::Running => Ending::Broke(error),
    };
    PageRun { ending, console: progress.console }
}

/// Stops what blocks the page and finds out whether it was the script or the program.
async fn unblock(page: &Page) -> Result<PageRun, PageError> {
    page.terminate_execution().await?;
    let blocked = |who| format!("{who} kept the page busy for {BLOCKED:?} without a pause");
    match poll(page, Duration::ZERO, LAST_WORD).await {
        Ok(progress) if !progress.in_step => {
            Ok(PageRun { ending: Ending::Broke(blocked("the script")), console: progress.console })
        }
        Ok(progress) => Ok(PageRun { ending: Ending::Hung(blocked("the program")), console: progress.console }),
        // A script that was ended stays ended; only a program blocks the page again with its next tick.
        Err(PageError::Timeout { .. }) => {
            Ok(PageRun { ending: Ending::Hung(blocked("the program")), console: Vec::new() })
        }
        Err(error) => Err(error),
    }
}
