//! Records for unit tests, of this room and of those above.

use serde_json::Value;

use super::RunDir;
use super::faults::{Faults, Refusal};
use crate::model::{RUN_FORMAT, RunRecord};

/// A run of these items.
pub fn run(items: &[&str]) -> RunRecord {
    RunRecord {
        format: RUN_FORMAT,
        id: "r".into(),
        started_at: 1.5,
        version: "0".into(),
        benchmark: "tasks".into(),
        agent: "list".into(),
        mode: None,
        setting: "plain".into(),
        options: Value::Null,
        set: "abc".into(),
        attempts: 1,
        items: items.iter().map(|item| item.parse().unwrap()).collect(),
        split: None,
        server: None,
        notes: Vec::new(),
        judge_seed: None,
    }
}

/// The run on a disk that is full after so many steps.
pub fn full_after(run: RunDir, steps: usize) -> RunDir {
    run.on(Faults::disk(Some(Refusal { at: steps, times: usize::MAX / 2, error: nix::libc::ENOSPC })).0)
}
