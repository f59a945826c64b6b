//! Words of the page: each plan has the row that chose it, and each line of the log is told.

use serde_json::{Value, json};
use strum::IntoEnumIterator as _;

use super::reason::reason;
use super::steps::steps;
use super::stopped;
use crate::model::{ControllerMode, Layer, PlanId, Trajectory};
use crate::trajectory::{Before, Situation, plan};

/// A trajectory whose attempts had these plans and ended so.
fn trajectory(mode: ControllerMode, level: u8, images: u32, attempts: &[(PlanId, Layer, Option<&str>)]) -> Trajectory {
    let usage = json!({"input": 0, "cached_input": 0, "output": 0, "reasoning": 0, "settled": true});
    let images_of = json!({"available": images, "inserted": 0, "bytes": 0, "files": [], "source": ""});
    let attempts: Vec<Value> = (0..)
        .zip(attempts)
        .map(|(a, (plan, layer, code))| {
            json!({"a": a, "plan": plan, "ops_cap": 4, "leak": 0, "layer": layer, "code": code, "images": images_of,
                "usage": usage, "seconds": {}})
        })
        .collect();
    let probe = json!({"key": "k", "cached": false, "p_b": 0.0, "p_g": 1.0, "gap": 1.0, "mis": 0.0, "breadth": 0.0, "inst": 0.0,
        "visible_share": 0.0, "flags": [], "level": level, "images_available": images, "hung": false});
    let totals = json!({"attempts": 0, "tries": 0, "input": 0, "cached_input": 0, "output": 0, "images_inserted": 0,
        "image_bytes": 0, "wall_s": 0.0});
    serde_json::from_value(json!({"format": 1, "case": "c", "mechanism": "m", "mode": mode, "profile": "paper", "replicate": 1,
        "probe": probe, "attempts": attempts, "stop": "exhausted", "generation_success": false, "strict_verify_success": false,
        "layer": "request", "totals": totals, "hashes": {}}))
    .unwrap()
}

/// The reason of the last attempt.
fn last(trajectory: &Trajectory, forced: Option<PlanId>) -> String {
    reason(trajectory, trajectory.attempts.last().unwrap(), forced)
}

#[test]
fn every_plan_that_the_controller_chooses_is_named_by_its_row() {
    for (mode, level, images) in combined(ControllerMode::iter(), 0..4, [0, 3]) {
        let first = plan(Situation { mode, level, before: None, images_available: images });
        let told = last(&trajectory(mode, level, images, &[(first, Layer::Full, None)]), None);
        assert!(told.contains(&first.to_string()) && !told.contains("another version"), "{mode} {level}: {told}");
        for (layer, code) in Layer::iter().map(|layer| (layer, None)).chain([(Layer::Application, Some("no_change"))]) {
            let before = Before { plan: first, layer, is_no_change: code.is_some() };
            let second = plan(Situation { mode, level, before: Some(before), images_available: images });
            let told = last(&trajectory(mode, level, images, &[(first, layer, code), (second, layer, None)]), None);
            assert!(!told.contains("another version"), "{mode} {level} {layer}: {told}");
        }
    }
}

fn combined(
    modes: impl Iterator<Item = ControllerMode>,
    levels: std::ops::Range<u8>,
    images: [u32; 2],
) -> Vec<(ControllerMode, u8, u32)> {
    modes.flat_map(|mode| levels.clone().flat_map(move |level| images.map(|images| (mode, level, images)))).collect()
}

#[test]
fn reasons_tell_escalation_substitutes_and_force() {
    use ControllerMode::{Fixed, Heuristic, TextOnly};
    use PlanId::{M1, M2, T0, T1, T2};
    let of = |mode, level, images, attempts: &[(PlanId, Layer, Option<&str>)]| {
        last(&trajectory(mode, level, images, attempts), None)
    };
    assert_eq!(
        of(Heuristic, 1, 3, &[(T2, Layer::Full, None)]),
        "heuristic begins by the level of the signals: 1 (no flag) is T2"
    );
    let mut hidden = trajectory(Heuristic, 2, 3, &[(T2, Layer::Full, None)]);
    "own".clone_into(&mut hidden.profile);
    assert_eq!(
        last(&hidden, None),
        "heuristic begins by the level of the signals: 2 (no flag) is M1; no picture shows what differs, so T2 stands for M1"
    );
    let failed = [(M1, Layer::Full, None), (M2, Layer::Full, None)];
    assert_eq!(of(Heuristic, 2, 3, &failed), "after a candidate that failed its checks: M1 → M2");
    let same = [(T1, Layer::Application, Some("no_change")), (T2, Layer::Full, None)];
    assert_eq!(of(Heuristic, 0, 3, &same), "after a patch that changed nothing: T1 → T2");
    assert!(of(Fixed, 0, 0, &[(T1, Layer::Full, None)]).ends_with("there are no pictures, so T1 stands for M1"));
    assert_eq!(
        of(TextOnly, 3, 3, &[(T0, Layer::Full, None), (T0, Layer::Full, None)]),
        "text_only never changes its plan"
    );
    assert!(of(TextOnly, 0, 0, &[(M2, Layer::Full, None)]).starts_with("chosen by another version"));
    assert!(last(&trajectory(Heuristic, 0, 3, &[(M2, Layer::Full, None)]), Some(M2)).contains("were given M2"));
}

#[test]
fn the_log_is_told_in_words_and_what_is_not_known_as_it_is() {
    let lines = [
        json!({"t_s": 0.5, "event": "probe", "cached": true, "images": 2, "source": "frames"}),
        json!({"t_s": 0.5, "event": "signals", "level": 2, "flags": ["early", "broad"]}),
        json!({"t_s": 0.6, "event": "plan", "a": 0, "plan": "M1"}),
        json!({"t_s": 0.7, "event": "answer", "a": 0, "replayed": true}),
        json!({"t_s": 0.8, "event": "novelty", "x": 1}),
    ];
    let told = serde_json::to_value(steps(&lines)).unwrap();
    let says: Vec<&str> = told.as_array().unwrap().iter().map(|step| step["says"].as_str().unwrap()).collect();
    let store = "attempt 1: taken from the store of answers";
    assert_eq!(
        says,
        ["made before; pictures: 2 (frames)", "level 2: early, broad", "attempt 1 gets M1", store, "{\"x\":1}"]
    );
    assert_eq!(stopped("budget:usd"), "the worst case of another attempt would pass the budget usd");
}
