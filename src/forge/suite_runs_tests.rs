//! Tests of `suite_runs`.

use serde_json::json;

use super::*;
use crate::judge::Played;

/// A run in which the score and the moth's visibility are constant.
fn played(score: i64, visible: bool, console: &[&str]) -> Arc<Played> {
    let signals = json!({"Stage/variable/score": {"t": [9], "v": [score]}, "Moth/visible": {"t": [9], "v": [visible]}});
    let run = json!({"ticks": 2000, "signals": signals});
    let (hash, console) = (format!("{score} {visible}"), console.iter().map(|line| (*line).to_owned()).collect());
    Arc::new(Played { hash, draws: 1, console, ..Played::of_run(serde_json::from_value(run).unwrap()) })
}

fn suite() -> Suite {
    let scenario = |id: &str| json!({"id": id, "template": "idle", "length": 2000, "answers": [], "steps": []});
    let suite = json!({"format": 2, "seeds": [1, 2], "horizon": 2000, "every": 10, "theta": [0.9, 0.1], "engine": "e", "editor": "1",
        "scenarios": [scenario("s1"), scenario("s2")],
        "assertions": [{"id": "a1", "scenario": "s1", "kind": "equals", "signal": "Stage/variable/score", "after": 100, "value": 0,
            "p_golden": 1.0, "p_buggy": 0.0, "says": "…"}]});
    Suite::read(&suite.to_string()).unwrap()
}

fn runs(elsewhere: Arc<Played>) -> SuiteRuns {
    let asserted = vec![played(0, true, &[]), played(0, true, &[])];
    SuiteRuns::of_runs(BTreeMap::from([("s1".to_owned(), asserted), ("s2".to_owned(), vec![elsewhere])]))
}

#[test]
fn what_nothing_is_asserted_of_has_a_part_in_behaviour_and_none_in_passing() {
    let (golden, damaged) = (runs(played(0, true, &[])), runs(played(0, false, &[])));
    assert!((damaged.rate(&suite()) - 1.0).abs() < 1e-9, "the suite asserts nothing there");
    let pairs = damaged.beside(&golden, &suite());
    let told: Vec<(&str, u64)> = pairs.iter().map(|pair| (pair.scenario, pair.length)).collect();
    assert_eq!(told, [("s1", 2000), ("s1", 400), ("s2", 2000)], "whole under the first seed");
    let signals = std::collections::BTreeSet::from(["Moth/visible".to_owned()]);
    assert_eq!(crate::grade::drift(&pairs, &signals, 10), Some(0.5));
    assert_eq!(damaged.hashes().len(), 3);
}

#[test]
fn a_guard_asks_for_what_gold_does_where_nothing_is_asserted() {
    let mut suite = suite();
    let guard = |id: &str, scenario: &str| {
        let feature = json!({"kind": "only", "signal": "Moth/visible", "values": [true], "until": 2000});
        serde_json::from_value(json!({"id": id, "scenario": scenario, "feature": feature, "says": "…"})).unwrap()
    };
    suite.guards = vec![guard("g1", "s1"), guard("g2", "s2")];
    assert_eq!(runs(played(0, true, &[])).broken_guards(&suite), Vec::<&Guard>::new());
    let broken = runs(played(0, false, &[])).broken_guards(&suite).iter().map(|one| one.id.clone()).collect::<Vec<_>>();
    assert_eq!(broken, ["g2"], "the assertions hold all the same");
    suite.guards.push(guard("g3", "s3"));
    assert_eq!(runs(played(0, true, &[])).broken_guards(&suite).len(), 1, "what was not played is not kept");
}

#[test]
fn runs_that_are_completed_are_whole_under_the_first_seed_and_keep_the_others() {
    let decided = vec![played(0, true, &["error: early"]), played(0, true, &["error: late"])];
    let decided = SuiteRuns::of_runs(BTreeMap::from([("s1".to_owned(), decided)]));
    let whole = [("s1", played(0, true, &["error: end"])), ("s2", played(1, true, &[]))];
    let completed = decided.with_first(whole.map(|(id, run)| (id.to_owned(), run)).into());
    let made: Vec<(&str, usize)> = completed.all().map(|(id, seed, _)| (id, seed)).collect();
    assert_eq!(made, [("s1", 0), ("s1", 1), ("s2", 0)]);
    assert_eq!(completed.console().collect::<Vec<_>>(), ["error: end", "error: late"]);
}

#[test]
fn an_error_in_any_scenario_is_new_if_gold_has_it_in_none() {
    let (golden, damaged) = (runs(played(0, true, &["log: x"])), runs(played(0, true, &["error: broken"])));
    assert_eq!(damaged.new_error(&golden), Some("broken"));
    assert_eq!(damaged.new_error(&damaged), None);
    assert_eq!(golden.new_error(&damaged), None);
    assert_eq!(damaged.errors().into_iter().collect::<Vec<_>>(), ["broken"]);
}
