//! Golden behaviour that must survive a repair: the fault may be gone, and the patch is refused for what it breaks elsewhere. What no
//! guard asks for shows in drift.

use scratchbed::bugs::{BugReport, Instance};
use serde_json::{Value, json};

use crate::support::forged::{answer, bench, id, instance, report, reset, told};
use crate::support::has_its_day;
use crate::support::program::{Scratchbed, records};

/// An instance that guards what the key a does in a scenario of its own, that the moth says the score, or has the scenario alone.
fn guarded(name: &str) -> Instance {
    let mut one = instance(name, name, Some("MIT"), counted());
    one.suite.scenarios.push(told());
    if name == UNGUARDED {
        return one;
    }
    let feature = json!({"kind": "event", "event": "say", "name": "Moth: 0", "by": 100, "n": 1});
    let guard = json!({"id": "g2", "scenario": "s2", "feature": feature, "says": "Moth says \"0\""});
    one.suite.guards.push(serde_json::from_value(guard).unwrap());
    one
}

/// A report that does not name the variable: a search for its wrong value finds the block that counts, and has it count by 0.
fn counted() -> BugReport {
    let told = |count: u8| format!("1.0 s after the second green flag, what Moth has counted is {count}.");
    BugReport { symptom: told(1), expected: told(0), ..report() }
}

/// An instance of which nothing is guarded where its patch does damage.
const UNGUARDED: &str = "e-unguarded";

/// Patches with their names and the stage that each comes to.
fn patches() -> [(&'static str, Value, &'static str); 5] {
    let silent = json!({"op": "remove", "sprite_id": "Moth", "block_id": id("Moth", "say")});
    let idle = json!({"op": "modify", "sprite_id": "Moth", "block_id": id("Moth", "count"), "path": "inputs/VALUE", "value": "0"});
    [
        ("a-right", json!([reset()]), "passed"),
        ("b-damaged", json!([reset(), silent]), "guard_failed"),
        // What a search for the report's wrong value comes to: nothing is counted, so nothing need be set back.
        ("c-search", json!([idle]), "guard_failed"),
        ("d-nothing", json!([silent]), "assertion_failed"),
        (UNGUARDED, json!([reset(), silent]), "passed"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_right_fix_with_damage_elsewhere_is_rejected_by_a_guard_and_the_right_one_passes() {
    let place = tempfile::tempdir().unwrap();
    let (folder, answers) = (place.path().join("bench"), place.path().join("answers.jsonl"));
    bench(&folder, &patches().map(|(name, ..)| guarded(name)));
    answer(&answers, &patches().map(|(name, patch, _)| (name, patch)));
    let (bench, answers) = (folder.to_string_lossy(), answers.to_string_lossy());
    let scratchbed = Scratchbed::new();
    let uses = ["scored", "tried"];
    if has_its_day("scored", &uses) {
        each_patch_ends_where_it_should(&scratchbed, &bench, &answers).await;
    }
    if has_its_day("tried", &uses) {
        damage_is_rejected_by_the_guards_alone(&scratchbed, &bench).await;
    }
}

async fn each_patch_ends_where_it_should(scratchbed: &Scratchbed, bench: &str, answers: &str) {
    let scored = scratchbed.answer(&["repair", "score", bench, "--answers", answers, "--jobs", "1"]).await;

    let repairs: Vec<Value> = records::<Value>(&scored.run()).into_iter().map(|record| record.detail).collect();
    for (repair, (name, _, stage)) in repairs.iter().zip(patches()) {
        assert_eq!(repair["stage"], stage, "{name}: {repair:#}");
    }
    let held = |repair: &Value, what: &str| (repair[what]["held"].clone(), repair[what]["of"].clone());
    assert_eq!(held(&repairs[0], "guards"), (json!(2), json!(2)));
    assert_eq!(held(&repairs[1], "guards"), (json!(1), json!(2)), "{:#}", repairs[1]);
    assert_eq!(held(&repairs[1], "assertions"), (json!(1), json!(1)), "the fault is gone all the same");
    assert_eq!(repairs[1]["broken"].as_array().map(Vec::len), Some(1), "{:#}", repairs[1]);
    let all = &scored["score"]["all"];
    let figures = ["repaired", "asserted", "guarded"].map(|figure| all[figure]["hits"].as_u64());
    assert_eq!(figures, [Some(2), Some(4), Some(2)], "{all:#}");
    assert!(scored.stderr.contains("guards kept"), "{}", scored.stderr);

    // Damage that no guard asks for passes, and drifts.
    let drift = |repair: &Value, figure: &str| repair[figure].as_f64().unwrap();
    let [right, damaged] = [&repairs[0], &repairs[4]];
    for figure in ["drift", "drift_all"] {
        assert!(drift(damaged, figure) > 0.0, "what is no longer said is seen: {damaged:#}");
        assert!(drift(right, figure) <= 0.0, "{right:#}");
    }
    assert!(drift(right, "buggy_drift") > 0.0, "so is the fault itself: {right:#}");
}

/// The suite as it is tried: what is right passes, and damage that people notice is rejected by the guards alone.
async fn damage_is_rejected_by_the_guards_alone(scratchbed: &Scratchbed, bench: &str) {
    let checked = scratchbed.answer(&["bugs", "check", bench, "a-right", "--kinds", "--lanes", "1"]).await;
    assert_eq!((&checked["checked"][0]["guards"], &checked["checked"][0]["golden_breaks"]), (&json!(2), &json!(0)));
    assert_eq!(checked["repaired_by_search"]["instances"], json!([]), "the guard keeps the floor down: {checked:#}");
    let rows = checked["kinds"]["rows"].as_array().unwrap();
    let row = |kind: &str| rows.iter().find(|row| row["kind"] == kind).unwrap();
    let (right, damage) = (row("right_otherwise"), row("right_with_damage"));
    assert!(rows.len() == 5 && right["tried"].as_u64() > Some(0) && right["accepted"] == right["tried"], "{checked:#}");
    assert!(damage["by_guards"].as_u64() > Some(0) && damage["by_assertions"] == 0, "{checked:#}");
}
