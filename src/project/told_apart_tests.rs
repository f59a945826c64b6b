//! Names that tell apart, of a project with every collision: `collisions.json`.

use serde_json::{Value, json};

use super::*;

fn collisions() -> Value {
    serde_json::from_str(include_str!("collisions.json")).unwrap()
}

#[test]
fn no_two_are_called_the_same() {
    let json = loaded(&collisions()).json;
    for at in 0..3 {
        for section in DATA {
            let all = forms(&json, at, section);
            assert_eq!(all.values().collect::<BTreeSet<_>>().len(), all.len());
        }
    }
    // `score #2` and `Stage's score` are really called so, and go before a form: what no form is left for is called by its id.
    let moth = forms(&json, 1, DataSection::Variables);
    assert_eq!(
        ["own", "s1", "s2", "poss"].map(|id| moth[id].as_str()),
        ["score", "s1", "Stage's score #2", "Stage's score"]
    );
    assert_eq!(forms(&json, 0, DataSection::Variables)["s2"], "s2");
}

#[test]
fn one_version_is_called_as_the_other_one_is() {
    let project = |own: Value| {
        json!({"targets": [
            {"isStage": true, "name": "Stage", "variables": {"s": ["score", 0]}, "lists": {}, "blocks": {}},
            {"isStage": false, "name": "Moth", "variables": own, "lists": {}, "blocks": {
                "set": {"opcode": "data_setvariableto", "fields": {"VARIABLE": ["score", "s"]}, "inputs": {"VALUE": [3, [12, "score", "s"], [10, ""]]}}}}
        ]})
    };
    let (alone, hidden) = (project(json!({})), project(json!({"o": ["score", 0]})));
    let set = |json: &Value, other: &Value| told_apart(json, other)["targets"][1]["blocks"]["set"].clone();
    assert_eq!(set(&alone, &alone)["fields"]["VARIABLE"], json!(["score", "s"]));
    assert_eq!(set(&alone, &hidden), set(&hidden, &alone));
    assert_eq!(set(&alone, &hidden)["inputs"]["VALUE"][1], json!([12, "Stage's score", "s"]));
}
