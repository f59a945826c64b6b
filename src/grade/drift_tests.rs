//! Drift by hand: the example of the specification, each kind of signal, and which signals tell.

use serde_json::json;

use super::*;

/// A run that is looked at after 10, 20, 30 and 40 ticks.
fn run(signals: &Value) -> TraceRun {
    let column = |values: &Value| {
        let values = values.as_array().unwrap();
        let t: Vec<usize> = (0..values.len()).map(|at| at * 10 + 9).collect();
        json!({"t": t, "v": values})
    };
    let columns: serde_json::Map<String, Value> = signals
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, values)| {
            let shown = if name.starts_with(EVENTS) { values.clone() } else { column(values) };
            (name.clone(), shown)
        })
        .collect();
    serde_json::from_value(json!({"ticks": 40, "signals": columns})).unwrap()
}

fn drifted(shown: &Value, golden: &Value, signals: &[&str]) -> f64 {
    let (shown, golden) = (run(shown), run(golden));
    let pair = Pair { scenario: "s1", run: &shown, golden: &golden, length: 40 };
    let signals = signals.iter().map(|signal| (*signal).to_owned()).collect();
    drift(&[pair], &signals, 10).unwrap()
}

#[track_caller]
fn near(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-12, "{one} and {other}");
}

/// The worked example of section 5.5.
#[test]
fn the_example_of_the_specification() {
    let golden = json!({"Stage/variable/score": [0, 1, 2, 3], "Moth/x": [0, 10, 20, 30], "Moth/visible": [true, true, true, false],
        "events/broadcast": {"t": [35], "v": ["win"]}});
    let shown = json!({"Stage/variable/score": [0, 1, 1, 2], "Moth/x": [0, 10, 44, 54], "Moth/visible": [true, true, true, true]});
    let of = |signal| drifted(&shown, &golden, &[signal]);
    near(of("Stage/variable/score"), 2.0 / 3.0 / 4.0);
    near(of("Moth/x"), 0.025);
    near(of("Moth/visible"), 0.25);
    near(of("events/broadcast:win"), 0.25);
    let all = ["Stage/variable/score", "Moth/x", "Moth/visible", "events/broadcast:win"];
    near(drifted(&shown, &golden, &all), (1.0 / 6.0 + 0.025 + 0.25 + 0.25) / 4.0);
    assert_eq!(format!("{:.3}", drifted(&shown, &golden, &all)), "0.173");
    near(drifted(&golden, &golden, &all), 0.0);
}

#[test]
fn each_kind_of_signal_has_its_measure() {
    let of = |signal: &str, shown: Value, golden: Value| {
        drifted(&json!({signal: [shown]}), &json!({signal: [golden]}), &[signal])
    };
    near(of("Moth/direction", json!(170), json!(-170)), 20.0 / 180.0);
    near(of("Moth/direction", json!(-90), json!(90)), 1.0);
    near(of("Moth/size", json!(150), json!(100)), 0.5);
    near(of("Moth/size", json!(150), json!(300)), 0.5);
    near(of("Moth/y", json!(5000), json!(0)), 1.0);
    near(of("Moth/costume", json!("up"), json!("down")), 1.0);
    near(of("clones/Moth", json!(3), json!(4)), 0.25);
    near(of("Stage/list/items", json!("[1,2,3]"), json!("[1,5,3,4]")), 0.5);
    near(of("Stage/list/items", json!("400 items, ab"), json!("[1]")), 1.0);
    near(of("Stage/variable/name", json!("Ann"), json!("ann")), 0.0);
    near(of("Stage/variable/name", json!("Infinity"), json!(3)), 1.0);
    near(drifted(&json!({}), &json!({"Moth/x": [1]}), &["Moth/x"]), 1.0);
    near(drifted(&json!({}), &json!({"clones/Moth": [0]}), &["clones/Moth"]), 0.0);
}

#[test]
fn resting_signals_and_clones_one_by_one_are_not_active() {
    let seen = run(&json!({"Moth/x": [1, 2], "Moth/y": [3, 3.0], "Moth#1/x": [1, 2], "program/threads": [1, 2],
        "events/say": {"t": [3, 5], "v": ["Moth: hi", "Moth#1: hi"]}}));
    assert_eq!(active([&seen]), BTreeSet::from(["Moth/x".to_owned(), "events/say:Moth: hi".to_owned()]));
    assert_eq!(drift(&[], &active([&seen]), 10), None);
    let pair = Pair { scenario: "s1", run: &seen, golden: &seen, length: 20 };
    assert_eq!(drift_by_signal(&[pair], &active([&seen]), 10).len(), 2);
}

#[test]
fn a_signal_that_is_constant_and_wrong_tells_and_drifts() {
    let golden = run(&json!({"Stage/variable/boarded": [1, 1], "Card/visible": [true], "Card/x": [5]}));
    let shown = run(&json!({"Stage/variable/boarded": [0, 0], "Card/visible": [false], "Card/x": [5],
        "program/threads": [2], "Card#1/x": [9]}));
    assert_eq!(active([&golden, &shown]), BTreeSet::new());
    let found = telling([&golden, &shown], [(&golden, &shown)]);
    assert_eq!(found, BTreeSet::from(["Card/visible", "Stage/variable/boarded"].map(str::to_owned)));
    let pair = Pair { scenario: "s1", run: &shown, golden: &golden, length: 40 };
    near(drift(&[pair], &found, 10).unwrap(), 1.0);
    assert_eq!(telling([&golden], [(&golden, &golden)]), BTreeSet::new());
}

#[test]
fn behaviour_is_what_people_see_and_hear_said_of_every_sprite_however_many_there_are() {
    for signal in [
        "Moth/x",
        "Moth/y",
        "Moth/direction",
        "Moth/size",
        "Moth/visible",
        "Moth/costume",
        "Moth/bubble",
        "Stage/costume",
        "clones/Moth",
        "events/broadcast:win",
        "events/say:Moth: hi",
        "events/question:name?",
    ] {
        assert!(is_behaviour(signal), "{signal}");
    }
    for signal in [
        "Stage/variable/x",
        "Moth/list/size",
        "Moth/layer",
        "Moth/volume",
        "Moth/effect/ghost",
        "program/threads",
        "events/sound:Moth: pop",
        "events/clone:Moth",
    ] {
        assert!(!is_behaviour(signal), "{signal}");
    }
}

#[test]
fn each_scenario_has_the_same_weight_however_many_seeds_it_ran_under() {
    let (golden, shown) = (run(&json!({"Moth/visible": [true]})), run(&json!({"Moth/visible": [false]})));
    let pair = |scenario, run| Pair { scenario, run, golden: &golden, length: 40 };
    let pairs = [pair("s1", &golden), pair("s1", &golden), pair("s1", &golden), pair("s2", &shown)];
    near(drift(&pairs, &BTreeSet::from(["Moth/visible".to_owned()]), 10).unwrap(), 0.5);
}
