//! Signals of probes from small traces, and the thresholds that make flags of them.

use serde_json::json;

use super::*;
use crate::model::{Feature, Trace};

const CUTOFFS: Cutoffs = Cutoffs { early: 150, broad: 0.2, unstable: 0.2 };

fn run(signals: &Value) -> TraceRun {
    let run = json!({"ticks": 100, "signals": signals});
    Trace::parse(&json!({"format": 1, "clock": null, "seed": 1, "runs": [run]}).to_string()).unwrap().runs.remove(0)
}

fn assertion(after: u64, value: i64) -> Assertion {
    let feature = Feature::Equals { signal: "Stage/variable/score".to_owned(), after, value: json!(value) };
    let (id, scenario, says) = ("a1".to_owned(), "s1".to_owned(), String::new());
    Assertion { id, scenario, feature, p_golden: 1.0, p_buggy: 0.0, says }
}

fn probed<'a>(golden: &[&'a TraceRun], buggy: &[&'a TraceRun]) -> Vec<Probed<'a>> {
    vec![Probed { scenario: "s1", length: 100, golden: golden.to_vec(), buggy: buggy.to_vec() }]
}

#[test]
fn what_differs_is_told_with_its_exact_tick() {
    // Ten checkpoints. The score is a point behind from tick 33 on, which checkpoints 40 to 100 see; x is the same.
    let gold =
        run(&json!({"Stage/variable/score": {"t": [0, 33], "v": [0, 1]}, "Moth/x": {"t": [0, 5], "v": [0, 10]}}));
    let buggy = run(&json!({"Stage/variable/score": {"t": [0], "v": [0]}, "Moth/x": {"t": [0, 5], "v": [0, 10]}}));
    let found = signals(&probed(&[&gold], &[&buggy]), &[assertion(50, 1), assertion(150, 1)], 10, CUTOFFS);
    assert_eq!((found.p_g, found.p_b, found.gap), (1.0, 0.0, 1.0), "what comes after the schedule's end is not asked");
    assert_eq!((found.mis, found.breadth, found.div_tick), (7.0 / 20.0, 0.5, Some(33)));
    assert_eq!((found.visible_share, found.inst), (0.0, 0.0));
    assert_eq!(found.flags, ["early", "broad"]);
    assert_eq!((found.level, found.differing), (2, vec!["Stage/variable/score".to_owned()]));
}

#[test]
fn where_gold_is_chance_nothing_counts_and_events_count_by_their_names() {
    let gold =
        |x: i64| run(&json!({"Moth/x": {"t": [0, 5], "v": [0, x]}, "events/broadcast": {"t": [20], "v": ["win"]}}));
    let (one, two) = (gold(10), gold(20));
    let buggy = run(&json!({"Moth/x": {"t": [0, 5], "v": [0, 30]}, "events/broadcast": {"t": [20], "v": ["lose"]}}));
    let found = signals(&probed(&[&one, &two], &[&buggy, &buggy]), &[], 10, CUTOFFS);
    // Of x no cell is stable after tick 5; of each message nine of ten cells differ... the first is before tick 20, as is the second.
    assert_eq!(found.differing, ["events/broadcast:lose", "events/broadcast:win"]);
    assert_eq!((found.div_tick, found.mis), (Some(20), 16.0 / 20.0));
}

#[test]
fn a_value_that_is_never_set_back_differs_although_it_is_constant() {
    let gold =
        run(&json!({"Stage/variable/boarded": {"t": [9], "v": [0]}, "Stage/variable/same": {"t": [9], "v": [0]}}));
    let buggy =
        run(&json!({"Stage/variable/boarded": {"t": [9], "v": [1]}, "Stage/variable/same": {"t": [9], "v": [0]}}));
    let found = signals(&probed(&[&gold], &[&buggy]), &[], 10, CUTOFFS);
    assert_eq!((found.mis, found.breadth, found.div_tick), (1.0, 1.0, Some(9)));
    assert_eq!(found.differing, ["Stage/variable/boarded"]);
}

#[test]
fn assertions_that_hang_on_the_seed_are_unstable_and_a_hung_project_is_a_hard_case() {
    let (won, lost) = (
        run(&json!({"Stage/variable/score": {"t": [0, 33], "v": [0, 1]}})),
        run(&json!({"Stage/variable/score": {"t": [0], "v": [0]}})),
    );
    let found = signals(&probed(&[&won, &won], &[&won, &lost]), &[assertion(50, 1)], 10, CUTOFFS);
    assert_eq!((found.p_b, found.gap, found.inst), (0.5, 0.5, 1.0));
    assert!(found.flags.contains(&"unstable".to_owned()));
    let mut hung = of_hung(1.0);
    flag(&mut hung, CUTOFFS);
    assert_eq!((hung.level, hung.flags.as_slice()), (2, ["early".to_owned(), "broad".to_owned()].as_slice()));
    assert!(is_seen("Moth/effect/ghost") && is_seen("Stage/costume") && !is_seen("Stage/variable/x"));
}
