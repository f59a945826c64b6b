//! Records for unit tests, of this room and of those above.

use serde_json::Value;

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
    }
}
