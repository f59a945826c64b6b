//! Stand-ins for unit tests: a session that answers by the action's name, an agent that plays a list.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::testbed::{TaskSession, TestbedError};
use crate::agent::{Agent, AgentError, Decision, View};
use crate::model::{ActionCall, ActionReply, ErrorBody, Hashes, Mode, Outcome, SettleReason, Task, Timing, Verdict};
use crate::project::Project;
use crate::store::{RunDir, fakes};
use crate::taskset::TaskEntry;

/// The result of an export.
pub type Export = fn() -> Result<Vec<u8>, TestbedError>;

/// Answers every call; refuses `refuse`, breaks by the testbed's doing on `break` and `vanish`, by what an agent can bring about on
/// `lose` and `queue`, never answers `hang`.
#[derive(Debug, Default)]
pub struct FakeSession {
    pub closed: Arc<AtomicU32>,
    /// The result of an export, if not some bytes.
    pub export: Option<Export>,
}

#[async_trait]
impl TaskSession for FakeSession {
    async fn call(&mut self, _: Mode, call: &ActionCall) -> Result<ActionReply, TestbedError> {
        let error = |code: &str| {
            let infrastructure = code.ends_with("_lost");
            Some(ErrorBody { code: code.into(), message: "m".into(), hint: None, infrastructure })
        };
        let error = match call.api.as_str() {
            "hang" => std::future::pending().await,
            "refuse" => error("nothing_there"),
            "break" => error("browser_lost"),
            "lose" => error("page_lost"),
            "queue" => {
                let (code, detail) = ("deadline_exceeded".to_owned(), "slow".to_owned());
                return Err(TestbedError::Refused { status: 504, code, detail });
            }
            "vanish" => {
                return Err(TestbedError::Refused { status: 410, code: "session_ended".into(), detail: "gone".into() });
            }
            _ => None,
        };
        Ok(ActionReply {
            success: error.is_none(),
            requested_action: call.clone(),
            executed_action: call.clone(),
            data: json!({}),
            error,
            timing: Timing { wait_ms: 0.0, action_ms: 0.0, settle_ms: 0.0, settle: SettleReason::Skipped },
            steps_left: None,
        })
    }

    async fn export(&mut self) -> Result<Vec<u8>, TestbedError> {
        self.export.map_or_else(|| Ok(b"project".to_vec()), |export| export())
    }

    async fn close(self: Box<Self>) {
        self.closed.fetch_add(1, Ordering::SeqCst);
    }
}

/// Looks once, plays a list, then says `done`; a refused call makes it say `failed`.
#[derive(Debug, Default)]
pub struct ListAgent {
    begun: bool,
    names: VecDeque<String>,
}

impl ListAgent {
    /// Plays actions of these names.
    pub fn new(names: &[&str]) -> Self {
        Self { begun: false, names: names.iter().map(|name| (*name).to_owned()).collect() }
    }
}

#[async_trait]
impl Agent for ListAgent {
    fn look(&self) -> Option<Map<String, Value>> {
        (!self.begun).then(Map::new)
    }

    async fn decide(&mut self, view: View<'_>) -> Result<Decision, AgentError> {
        self.begun = true;
        let refused = view.last.is_some_and(|reply| !reply.success);
        let next = self.names.pop_front().unwrap_or_else(|| "done".to_owned());
        Ok(ActionCall::new(if refused { "failed".to_owned() } else { next }, Map::new()).into())
    }
}

/// A task of this name and these limits.
pub fn task(id: &str, steps: u32, wall_s: u32) -> Task {
    serde_json::from_value(json!({
        "format": 1, "id": id, "category": "debug", "title": "t", "instruction": "i", "initial": "i", "golden": "g",
        "evaluation": "e", "oracle": {"composite": "c"}, "seeds": [1], "difficulty": 1, "concepts": [],
        "expected_changed_blocks": 1,
        "limits": {"steps": {"composite": steps, "primitive": 2 * steps}, "wall_s": wall_s, "case_ms": 1, "task_ms": 1},
    }))
    .unwrap()
}

/// A project whose one sprite has a script of this one block.
pub fn exported_by(opcode: &str) -> Vec<u8> {
    let block = json!({"opcode": opcode, "next": null, "parent": null, "inputs": {}, "fields": {}, "shadow": false,
        "topLevel": true, "x": 0, "y": 0});
    let target = |name: &str, is_stage: bool, blocks: Value| {
        json!({"isStage": is_stage, "name": name, "variables": {}, "lists": {}, "broadcasts": {}, "blocks": blocks,
            "comments": {}, "costumes": [], "sounds": [], "currentCostume": 0, "volume": 100})
    };
    let json = json!({"targets": [target("Stage", true, json!({})), target("Kite", false, json!({"a": block}))],
        "monitors": [], "extensions": [], "meta": {"semver": "3.0.0"}});
    Project { json, assets: BTreeMap::new() }.write().unwrap()
}

/// A verdict with so many tests, all passed or none.
pub fn judged(outcome: Outcome, tests: u32) -> Verdict {
    let detail = |number: u32| json!({"name": format!("test {number}"), "passed": outcome == Outcome::Passed});
    let passed_tests = if outcome == Outcome::Passed { tests } else { 0 };
    let value = json!({
        "task": "t", "outcome": outcome, "passed_tests": passed_tests, "total_tests": tests,
        "details": (0..tests).map(detail).collect::<Vec<_>>(), "seed": 1, "clock": "virtual", "hashes": Hashes::default(),
    });
    serde_json::from_value(value).unwrap()
}

/// A task whose files no one reads.
pub fn entry(id: &str) -> TaskEntry {
    TaskEntry { task: task(id, 9, 9), folder: "/".into(), scripts: "/".into(), pack: None }
}

/// A run directory of its own.
pub fn run_dir(folder: &std::path::Path, items: &[&str]) -> RunDir {
    RunDir::create(folder, fakes::run(items)).unwrap()
}
