//! Tests of `drifts`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::judge::Played;
use crate::model::TraceRun;

/// Runs of one scenario in which each signal is constant.
fn runs(signals: &Value) -> SuiteRuns {
    let columns =
        signals.as_object().unwrap().iter().map(|(name, value)| (name.clone(), json!({"t": [9], "v": [value]})));
    let signals: serde_json::Map<String, Value> = columns.collect();
    let run: TraceRun = serde_json::from_value(json!({"ticks": 100, "signals": signals})).unwrap();
    SuiteRuns::under_first_seed(&BTreeMap::from([("s1".to_owned(), Arc::new(Played::of_run(run)))]))
}

fn suite() -> Suite {
    let scenario = json!({"id": "s1", "template": "idle", "length": 100, "answers": [], "steps": []});
    let suite = json!({"format": 2, "seeds": [1], "horizon": 100, "every": 10, "theta": [0.9, 0.1], "engine": "e", "editor": "1",
        "scenarios": [scenario], "assertions": []});
    Suite::read(&suite.to_string()).unwrap()
}

fn drifts(golden: &Value, shown: &Value, others: &[&SuiteRuns], state: &[&str]) -> Drifts {
    let state = state.iter().map(|name| (*name).to_owned()).collect();
    Drifts::of(&runs(golden), &runs(shown), others, &suite(), &state)
}

#[track_caller]
fn near(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-9, "{one} and {other}");
}

#[test]
fn a_card_that_never_shows_drifts_although_nothing_ever_changes() {
    let golden = json!({"Card/visible": true, "Card/x": 0, "Stage/variable/score": 0});
    let shown = json!({"Card/visible": false, "Card/x": 0, "Stage/variable/score": 0});
    let found = drifts(&golden, &shown, &[], &[]);
    assert!(found.behaviour > 0.99 && found.all > 0.99, "{found:?}");
    near(drifts(&golden, &golden, &[], &[]).behaviour, 0.0);
}

#[test]
fn variables_count_among_behaviour_if_they_are_state_and_always_among_all() {
    let (golden, shown) = (json!({"Stage/variable/Boarded": 0}), json!({"Stage/variable/Boarded": 1}));
    let found = drifts(&golden, &shown, &[], &[]);
    near(found.behaviour, 0.0);
    near(found.all, 1.0);
    near(drifts(&golden, &shown, &[], &["stage/variable/boarded"]).behaviour, 1.0);
}

#[test]
fn a_repair_that_mends_half_is_nearer_to_gold_than_the_fault() {
    let golden = json!({"Moth/visible": true, "Owl/visible": true});
    let fault = json!({"Moth/visible": false, "Owl/visible": false});
    let half = json!({"Moth/visible": true, "Owl/visible": false});
    let broken = runs(&fault);
    near(drifts(&golden, &fault, &[&broken], &[]).behaviour, 1.0);
    near(drifts(&golden, &half, &[&broken], &[]).behaviour, 0.5);
}

#[test]
fn a_step_aside_is_not_noticed_and_a_sprite_that_is_gone_is() {
    let golden = runs(&json!({"Moth/visible": true, "Moth/x": 0, "Stage/variable/score": 0}));
    let among = |shown: &Value, monitors: &[&str]| {
        let monitors = monitors.iter().map(|name| (*name).to_owned()).collect();
        is_noticed(&golden, &runs(shown), &suite(), &monitors)
    };
    let visible = |shown: &Value| among(shown, &[]);
    assert!(!visible(&json!({"Moth/visible": true, "Moth/x": 5, "Stage/variable/score": 0})));
    assert!(!visible(&json!({"Moth/visible": true, "Moth/x": 0, "Stage/variable/score": 9})), "it is not shown");
    let counted = json!({"Moth/visible": true, "Moth/x": 0, "Stage/variable/score": 9});
    assert!(among(&counted, &["Stage/variable/score"]), "a monitor shows it");
    assert!(visible(&json!({"Moth/visible": true, "Moth/x": 48, "Stage/variable/score": 0})));
    assert!(visible(&json!({"Moth/visible": false, "Moth/x": 0, "Stage/variable/score": 0})));
}

#[test]
fn the_reason_of_no_drift_names_what_nobody_sees() {
    let (golden, buggy) = (runs(&json!({"Moth/layer": 1})), runs(&json!({"Moth/layer": 2})));
    let told = |runs: &SuiteRuns| {
        reason(&runs.beside(&golden, &suite()), &signals(&golden, runs, &[], &suite()), suite().every)
    };
    assert!(told(&buggy).ends_with(": Moth/layer"), "{}", told(&buggy));
    assert_eq!(told(&golden), "no signal differs at a checkpoint of any scenario");
}
