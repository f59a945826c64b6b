//! A right repair that breaks something where the suite asserts nothing: it passes, and drifts.

use scratchbed::model::Scenario;
use serde_json::{Value, json};

use crate::support::forged::{bench, id, instance, report};
use crate::support::program::{Scratchbed, records};

/// The key a after the flag, of which nothing is asserted: the moth says the score.
fn told() -> Scenario {
    let scenario = json!({"id": "s2", "template": "tap(a)", "length": 150, "answers": [],
        "steps": [{"do": "flag", "at": 0}, {"do": "key", "at": 30, "key": "a", "ticks": 3}]});
    serde_json::from_value(scenario).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_where_nothing_is_asserted_shows_in_drift() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("bench");
    let instances = ["damaged", "right"].map(|name| {
        let mut one = instance(name, name, Some("MIT"), report());
        one.suite.scenarios.push(told());
        one
    });
    bench(&folder, &instances);
    let reset = json!({"op": "add", "sprite_id": "Stage", "parent": id("Stage", "flag"), "block": {"id": "n1", "opcode": "data_setvariableto",
        "fields": {"VARIABLE": ["score", scratchbed::project::normalise::new_id("pool", "Stage", "score")]}, "inputs": {"VALUE": "0"}}});
    let damage = json!({"op": "remove", "sprite_id": "Moth", "block_id": id("Moth", "say")});
    let lines = [("damaged", json!([reset, damage])), ("right", json!([reset]))].map(|(id, patch)| {
        json!({"id": id, "response": json!({"explanation": "", "patch": patch}).to_string()}).to_string()
    });
    let answers = place.path().join("answers.jsonl");
    std::fs::write(&answers, lines.join("\n")).unwrap();

    let (bench, answers) = (folder.to_string_lossy(), answers.to_string_lossy());
    let answer = Scratchbed::new().answer(&["repair", "score", &bench, "--answers", &answers, "--jobs", "1"]).await;
    let records = records::<Value>(&answer.run());
    let [damaged, right] = [&records[0].detail, &records[1].detail];
    assert_eq!((&damaged["stage"], &right["stage"]), (&json!("passed"), &json!("passed")), "{answer:#}");
    let drift = |repair: &Value, figure: &str| repair[figure].as_f64().unwrap();
    for figure in ["drift", "drift_all"] {
        assert!(drift(damaged, figure) > 0.0, "what is no longer said is seen: {damaged:#}");
        assert!(drift(right, figure) <= 0.0, "{right:#}");
    }
    assert!(drift(right, "buggy_drift") > 0.0, "so is the fault itself: {right:#}");
}
