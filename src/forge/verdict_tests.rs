//! Tests of `verdict`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::judge::Played;

/// A run with a score and a moth that is visible or not, and lines on the console.
fn played(score: i64, moth: bool, console: &[&str]) -> Arc<Played> {
    let signals = json!({"Stage/variable/score": {"t": [9], "v": [score]}, "Moth/visible": {"t": [9], "v": [moth]}});
    let run = serde_json::from_value(json!({"ticks": 100, "signals": signals})).unwrap();
    let console = console.iter().map(|line| (*line).to_owned()).collect();
    Arc::new(Played { console, ..Played::of_run(run) })
}

/// A score is asserted in the first scenario, a moth guarded in the second; nothing is asked of the third.
fn suite() -> Suite {
    let scenario = |id: &str| json!({"id": id, "template": "idle", "length": 100, "answers": [], "steps": []});
    let asserted = json!({"id": "a1", "scenario": "s1", "kind": "equals", "signal": "Stage/variable/score", "after": 50, "value": 0,
        "p_golden": 1.0, "p_buggy": 0.0, "says": "…"});
    let only = json!({"kind": "only", "signal": "Moth/visible", "values": [true], "until": 100});
    let suite = json!({"format": 2, "seeds": [1], "horizon": 100, "every": 10, "theta": [0.9, 0.1], "engine": "e", "editor": "1",
        "scenarios": [scenario("s1"), scenario("s2"), scenario("s3")], "assertions": [asserted],
        "guards": [{"id": "g1", "scenario": "s2", "feature": only, "says": "…"}]});
    Suite::read(&suite.to_string()).unwrap()
}

/// Runs whose console is that of the third scenario, of which nothing is asserted.
fn runs(score: i64, moth: bool, console: &[&str]) -> SuiteRuns {
    let first = [("s1", played(score, true, &[])), ("s2", played(0, moth, &[])), ("s3", played(0, true, console))];
    SuiteRuns::under_first_seed(&BTreeMap::from(first.map(|(id, run)| (id.to_owned(), run))))
}

#[test]
fn an_error_that_gold_lacks_rejects_what_keeps_all_else() {
    let (suite, golden) = (suite(), runs(0, true, &["log: hello"]));
    let noisy = runs(0, true, &["error: TypeError: x is null"]);
    assert_eq!(noisy.outcome(&golden, &suite), SuiteOutcome::ConsoleError("TypeError: x is null"));
    assert_eq!(FixOutcome::from(noisy.outcome(&golden, &suite)), FixOutcome::Rejected);
    assert_eq!(noisy.outcome(&noisy, &suite), SuiteOutcome::Passed, "gold writes it, too");
    assert!(noisy.has_error() && !golden.has_error());
}

#[test]
fn the_console_is_asked_before_assertions_and_these_before_guards() {
    let (suite, golden) = (suite(), runs(0, true, &[]));
    let outcome = |score, moth, console: &[&str]| {
        let runs = runs(score, moth, console);
        FixOutcome::from(runs.outcome(&golden, &suite))
    };
    assert_eq!(outcome(0, true, &["warn: odd"]), FixOutcome::Accepted);
    assert_eq!(outcome(0, false, &[]), FixOutcome::BreaksGuard);
    assert_eq!(outcome(1, false, &[]), FixOutcome::Rejected);
    assert_eq!(outcome(0, false, &["error: broken"]), FixOutcome::Rejected, "worse than a guard");
    assert_eq!(runs(1, false, &[]).outcome(&golden, &suite), SuiteOutcome::AssertionFailed);
}
