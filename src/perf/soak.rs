//! The soak test: many sessions, several at a time, each driven through ten actions and deleted.
//!
//! It shows that sessions leave nothing behind: no failure, no process, no memory.

use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::action::perform;
use crate::meter::process_tree;
use crate::model::{ActionCall, Mode};
use crate::session::{Sessions, Start};

/// How long the tree must be left alone before its memory is read: Chromium frees pages with a delay.
const REST: Duration = Duration::from_secs(8);

#[derive(Debug, Clone, Copy)]
pub struct SoakPlan {
    pub sessions: usize,
    /// Sessions at a time.
    pub at_once: usize,
}

/// What was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SoakReport {
    /// Sessions created, driven and deleted.
    pub sessions: usize,
    /// Actions carried out.
    pub actions: usize,
    /// What went wrong, one line each.
    pub failures: Vec<String>,
    /// Proportional set size of our process tree at rest after the first round, in MB.
    pub first_rest_mb: f64,
    /// The same at the end.
    pub last_rest_mb: f64,
    /// Processes in the tree at rest after the first round, and at the end.
    pub processes: (usize, usize),
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl SoakReport {
    /// Whether nothing failed and memory at rest grew by at most a fifth.
    pub fn passed(&self) -> bool {
        self.failures.is_empty() && self.last_rest_mb <= self.first_rest_mb * 1.2
    }
}

/// Drives sessions as planned; `progress` gets the number done.
pub async fn run(sessions: &Sessions, plan: SoakPlan, progress: impl Fn(usize)) -> SoakReport {
    let started = Instant::now();
    let first = plan.at_once.min(plan.sessions);
    let mut failures = round(sessions, 0..first, plan.at_once, &progress).await;
    let (first_rest_mb, first_processes) = rest(sessions).await;
    failures.extend(round(sessions, first..plan.sessions, plan.at_once, &progress).await);
    let (last_rest_mb, last_processes) = rest(sessions).await;
    SoakReport {
        sessions: plan.sessions,
        actions: plan.sessions * ten_actions().len(),
        failures,
        first_rest_mb,
        last_rest_mb,
        processes: (first_processes, last_processes),
        seconds: started.elapsed().as_secs_f64(),
    }
}

async fn round(
    sessions: &Sessions,
    numbers: std::ops::Range<usize>,
    at_once: usize,
    progress: &impl Fn(usize),
) -> Vec<String> {
    let mut failures = Vec::new();
    let mut done = numbers.start;
    let mut running = stream::iter(numbers.map(|number| life(sessions, number))).buffer_unordered(at_once.max(1));
    while let Some(outcome) = running.next().await {
        failures.extend(outcome.err());
        done += 1;
        progress(done);
    }
    failures
}

/// One session from its creation to its end.
async fn life(sessions: &Sessions, number: usize) -> Result<(), String> {
    let failed = |what: String| format!("session {number}: {what}");
    let info = sessions.create(Start::default()).await.map_err(|error| failed(error.to_string()))?;
    let outcome = drive(sessions, &info.id).await.map_err(failed);
    sessions.delete(&info.id).await.map_err(|error| format!("session {number}: {error}"))?;
    outcome
}

async fn drive(sessions: &Sessions, id: &str) -> Result<(), String> {
    let session = sessions.get(id).await.map_err(|error| error.to_string())?;
    for (mode, api, args) in ten_actions() {
        let Value::Object(args) = args else { continue };
        let call = ActionCall::new(api, args);
        let reply = perform(&session, mode, call).await.map_err(|error| format!("{api}: {error}"))?;
        if let Some(error) = reply.error {
            return Err(format!("{api}: {} {}", error.code, error.message));
        }
    }
    Ok(())
}

/// Mouse, keyboard and blocks, as an agent would use them on the default project.
fn ten_actions() -> Vec<(Mode, &'static str, Value)> {
    let primitive = |api, args| (Mode::Primitive, api, args);
    let composite = |api, args| (Mode::Composite, api, args);
    vec![
        primitive("click", json!({"x": 31, "y": 160})),
        primitive("click", json!({"x": 31, "y": 115})),
        primitive("drag_and_drop", json!({"start_x": 88, "start_y": 137, "end_x": 500, "end_y": 300})),
        primitive("scroll", json!({"direction": "down", "amount": 200, "at": {"x": 180, "y": 400}})),
        primitive("click", json!({"x": 900, "y": 492})),
        primitive("type", json!({"text": "soak"})),
        primitive("key", json!({"key": "enter"})),
        primitive("hotkey", json!({"keys": ["ctrl", "z"]})),
        composite("add_variable", json!({"name": "laps", "scope": "all"})),
        composite("add_block", json!({"blockType": "event_whenflagclicked"})),
    ]
}

/// Waits until the tree is at rest: no session left, the pool full; then reads memory in MB and counts.
async fn rest(sessions: &Sessions) -> (f64, usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !sessions.fleet().is_at_rest() && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    tokio::time::sleep(REST).await;
    let root = std::process::id();
    #[expect(clippy::cast_precision_loss, reason = "megabytes for people")]
    let megabytes = process_tree::memory(root) as f64 / 1e6;
    (megabytes, process_tree::tree(root).len())
}
