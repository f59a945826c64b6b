//! Tests of `pack`.

use serde_json::Value;

use super::*;

/// A score is asserted in the first scenario long before its end, a moth guarded in the second; nothing is asked of the third.
fn suite() -> Suite {
    let scenario = |id: &str| json!({"id": id, "template": "idle", "length": 2000, "answers": [], "steps": []});
    let asserted = json!({"id": "a1", "scenario": "s1", "kind": "equals", "signal": "Stage/variable/score", "after": 50, "value": 0,
        "p_golden": 1.0, "p_buggy": 0.0, "says": "…"});
    let only = json!({"kind": "only", "signal": "Moth/visible", "values": [true], "until": 2000});
    let suite = json!({"format": 2, "seeds": [1, 2], "horizon": 2000, "every": 10, "theta": [0.9, 0.1], "engine": "e", "editor": "1",
        "scenarios": [scenario("s1"), scenario("s2"), scenario("s3")], "assertions": [asserted],
        "guards": [{"id": "g1", "scenario": "s2", "feature": only, "says": "…"}]});
    Suite::read(&suite.to_string()).unwrap()
}

/// The suite as a judge has it.
fn written(suite: &Suite, errors: &[&str]) -> Value {
    let script = script(suite, &errors.iter().map(|error| (*error).to_owned()).collect());
    let (_, rest) = script.split_once("const suite = ").unwrap();
    let mut values = serde_json::Deserializer::from_str(rest).into_iter();
    let value: Value = values.next().unwrap().unwrap();
    assert!(rest[values.byte_offset()..].starts_with(";\n"), "{rest}");
    value
}

#[test]
fn a_judge_hears_what_a_score_hears_and_knows_what_gold_writes() {
    let parts = written(&suite(), &["TypeError: x is null"]);
    let ids = |scenarios: &Value| -> Vec<(String, u64)> {
        let of = |one: &Value| (one["id"].as_str().unwrap().to_owned(), one["length"].as_u64().unwrap());
        scenarios.as_array().unwrap().iter().map(of).collect()
    };
    let named = |all: &[&str]| all.iter().map(|id| ((*id).to_owned(), 2000)).collect::<Vec<_>>();
    assert_eq!(ids(&parts["guards"]["scenarios"]), named(&["s2"]));
    assert_eq!(ids(&parts["console"]["scenarios"]), named(&["s1", "s3"]), "one is cut where something is asserted");
    assert_eq!((&parts["console"]["seed"], &parts["console"]["known"]), (&json!(1), &json!(["TypeError: x is null"])));
}

#[test]
fn a_judge_has_no_other_place_for_a_suite() {
    assert_eq!(JUDGE.matches(SUITE).count(), 1);
    assert!(!script(&suite(), &BTreeSet::new()).contains("= SUITE"));
}
