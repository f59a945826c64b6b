//! Golden behaviour that must survive a repair: the fault may be gone, and the patch is refused for what it breaks elsewhere.

use scratchbed::bugs::Instance;
use scratchbed::model::Scenario;
use serde_json::{Value, json};

use crate::support::forged::{bench, id, instance, report};
use crate::support::program::{Scratchbed, records};

/// An instance that guards what the key a does in a scenario of its own: the moth says the score.
fn guarded(name: &str) -> Instance {
    let mut one = instance(name, name, Some("MIT"), report());
    let scenario = json!({"id": "s2", "template": "tap(a)", "length": 150, "answers": [],
        "steps": [{"do": "flag", "at": 0}, {"do": "key", "at": 30, "key": "a", "ticks": 3}]});
    let feature = json!({"kind": "event", "event": "say", "name": "Moth: 0", "by": 100, "n": 1});
    let guard = json!({"id": "g2", "scenario": "s2", "feature": feature, "says": "Moth says \"0\""});
    one.suite.scenarios.push(serde_json::from_value::<Scenario>(scenario).unwrap());
    one.suite.guards.push(serde_json::from_value(guard).unwrap());
    one
}

/// Patches with their names and the stage that each comes to: all but the last put the reset back.
fn patches() -> [(&'static str, Value, &'static str); 4] {
    let reset = json!({"op": "add", "sprite_id": "Stage", "parent": id("Stage", "flag"), "block": {"id": "n1", "opcode": "data_setvariableto",
        "fields": {"VARIABLE": ["score", scratchbed::project::normalise::new_id("pool", "Stage", "score")]}, "inputs": {"VALUE": "0"}}});
    let silent = json!({"op": "remove", "sprite_id": "Moth", "block_id": id("Moth", "say")});
    let idle = json!({"op": "modify", "sprite_id": "Moth", "block_id": id("Moth", "count"), "path": "inputs/VALUE", "value": "0"});
    [
        ("a-right", json!([reset]), "passed"),
        ("b-damaged", json!([reset, silent]), "guard_failed"),
        // What a search for the report's wrong value comes to: nothing is counted, so nothing need be set back.
        ("c-search", json!([idle]), "guard_failed"),
        ("d-nothing", json!([silent]), "assertion_failed"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_right_fix_with_damage_elsewhere_is_rejected_by_a_guard_and_the_right_one_passes() {
    let place = tempfile::tempdir().unwrap();
    let (folder, answers) = (place.path().join("bench"), place.path().join("answers.jsonl"));
    bench(&folder, &patches().map(|(name, ..)| guarded(name)));
    let lines = patches().map(|(name, patch, _)| {
        let response = json!({"explanation": "", "patch": patch}).to_string();
        json!({"id": name, "response": response}).to_string()
    });
    std::fs::write(&answers, lines.join("\n")).unwrap();
    let (bench, answers) = (folder.to_string_lossy(), answers.to_string_lossy());
    let scratchbed = Scratchbed::new();
    let answer = scratchbed.answer(&["repair", "score", &bench, "--answers", &answers, "--jobs", "1"]).await;

    let repairs: Vec<Value> = records::<Value>(&answer.run()).into_iter().map(|record| record.detail).collect();
    for (repair, (name, _, stage)) in repairs.iter().zip(patches()) {
        assert_eq!(repair["stage"], stage, "{name}: {repair:#}");
    }
    let held = |repair: &Value, what: &str| (repair[what]["held"].clone(), repair[what]["of"].clone());
    assert_eq!(held(&repairs[0], "guards"), (json!(2), json!(2)));
    assert_eq!(held(&repairs[1], "guards"), (json!(1), json!(2)), "{:#}", repairs[1]);
    assert_eq!(held(&repairs[1], "assertions"), (json!(1), json!(1)), "the fault is gone all the same");
    assert_eq!(repairs[1]["broken"].as_array().map(Vec::len), Some(1), "{:#}", repairs[1]);
    let all = &answer["score"]["all"];
    let figures = ["repaired", "asserted", "guarded"].map(|figure| all[figure]["hits"].as_u64());
    assert_eq!(figures, [Some(1), Some(3), Some(1)], "{all:#}");
    assert!(answer.stderr.contains("guards kept"), "{}", answer.stderr);

    // The suite as it is tried: what is right passes, and damage that people notice is rejected by the guards alone.
    let checked = scratchbed.answer(&["bugs", "check", &bench, "a-right", "--kinds"]).await;
    assert_eq!((&checked["checked"][0]["guards"], &checked["checked"][0]["golden_breaks"]), (&json!(2), &json!(0)));
    assert_eq!(checked["repaired_by_search"]["instances"], json!([]), "the guard keeps the floor down: {checked:#}");
    let rows = checked["kinds"]["rows"].as_array().unwrap();
    let row = |kind: &str| rows.iter().find(|row| row["kind"] == kind).unwrap();
    let (right, damage) = (row("right_otherwise"), row("right_with_damage"));
    assert!(rows.len() == 5 && right["tried"].as_u64() > Some(0) && right["accepted"] == right["tried"], "{checked:#}");
    assert!(damage["by_guards"].as_u64() > Some(0) && damage["by_assertions"] == 0, "{checked:#}");
}
