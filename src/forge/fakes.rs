//! Blocks of projects, runs and a suite that are made up for tests.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::judge::Played;
use crate::model::Suite;

/// A block below or in its parent; without one it begins a script.
pub(super) fn block(opcode: &str, parent: Option<&str>, next: Option<&str>, inputs: Value, fields: Value) -> Value {
    let mut block = json!({"opcode": opcode, "next": next, "parent": parent, "inputs": null, "fields": null, "shadow": false,
        "topLevel": parent.is_none()});
    (block["inputs"], block["fields"]) = (inputs, fields);
    if parent.is_none() {
        (block["x"], block["y"]) = (json!(0), json!(0));
    }
    block
}

/// A run with a score and a moth that is visible or not, and lines on the console.
pub(crate) fn seen_run(score: i64, moth: bool, console: &[&str]) -> Arc<Played> {
    let signals = json!({"Stage/variable/score": {"t": [9], "v": [score]}, "Moth/visible": {"t": [9], "v": [moth]}});
    let run = serde_json::from_value(json!({"ticks": 100, "signals": signals})).unwrap();
    let console = console.iter().map(|line| (*line).to_owned()).collect();
    Arc::new(Played { console, ..Played::of_run(run) })
}

/// A score is asserted in the first scenario, a moth guarded in the second; nothing is asked of the third.
pub(crate) fn guarded_suite(seeds: &[u64]) -> Suite {
    let scenario = |id: &str| json!({"id": id, "template": "idle", "length": 100, "answers": [], "steps": []});
    let asserted = json!({"id": "a1", "scenario": "s1", "kind": "equals", "signal": "Stage/variable/score", "after": 50, "value": 0,
        "p_golden": 1.0, "p_buggy": 0.0, "says": "…"});
    let only = json!({"kind": "only", "signal": "Moth/visible", "values": [true], "until": 100});
    let suite = json!({"format": 2, "seeds": seeds, "horizon": 100, "every": 10, "theta": [0.9, 0.1], "engine": "e", "editor": "1",
        "scenarios": [scenario("s1"), scenario("s2"), scenario("s3")], "assertions": [asserted],
        "guards": [{"id": "g1", "scenario": "s2", "feature": only, "says": "…"}]});
    Suite::read(&suite.to_string()).unwrap()
}
