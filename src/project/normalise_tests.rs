//! Normal form: the same project has the same bytes, whatever its ids and the order of its keys.

use super::*;
use crate::shape::Shape;

fn game() -> Value {
    let mut project = crate::edit::fixture::project();
    project["monitors"] =
        json!([{"id": "score0", "opcode": "data_variable"}, {"id": "moth_xposition", "opcode": "motion_xposition"}]);
    project["targets"][0]["broadcasts"]["unused"] = json!("nobody");
    // A name that does not agree with its id, and a comment.
    project["targets"][1]["blocks"]["count"]["fields"]["VARIABLE"][0] = json!("points");
    project["targets"][1]["blocks"]["menu"]["fields"]["COSTUME"] = json!(["up"]);
    project["targets"][1]["blocks"]["say"]["comment"] = json!("note");
    project["targets"][1]["comments"]["note"] = json!({"blockId": "say", "text": "!"});
    project
}

fn ids(project: &Value) -> Vec<String> {
    let held = |target: &Value| {
        let keys = ["blocks", "variables", "lists", "broadcasts", "comments"];
        let all = keys
            .into_iter()
            .flat_map(|key| target[key].as_object().into_iter().flat_map(Map::keys).cloned().collect::<Vec<_>>());
        all.collect::<Vec<_>>()
    };
    project["targets"].as_array().unwrap().iter().flat_map(held).collect()
}

#[test]
fn ids_tell_nothing_and_the_program_is_the_same() {
    let (before, mut after) = (game(), game());
    normalise(&mut after, "salt");
    let (old, new) = (ids(&before), ids(&after));
    assert_eq!(new.len(), old.len() - 2, "the message that nobody names is gone, and the comment");
    assert!(new.iter().all(|id| id.len() == ID_LENGTH && id.bytes().all(|byte| BASE_62.contains(&byte))));
    let text = after["targets"].to_string();
    assert!(old.iter().all(|id| !text.contains(&format!("\"{id}\""))), "an old id is left");
    assert_eq!(Shape::of(&before).digest, Shape::of(&after).digest);
    assert!(text.contains("[\"up\",null]"), "a field without an id has none");
    assert!(!text.contains("\"comment\"") && !text.contains("note"), "no author says what a block is for");
    assert!(text.contains("[\"score\",") && !text.contains("points"), "names are those of their ids");
    let mut again = game();
    normalise(&mut again, "salt");
    assert_eq!(again, after);
    normalise(&mut again, "other");
    assert_ne!(ids(&again), ids(&after));
    assert_eq!(after["monitors"][1]["id"], "moth_xposition");
    let blocks = after["targets"].as_array().unwrap().iter().flat_map(|target| target["blocks"].as_object().unwrap());
    let tops: Vec<&Value> = blocks.map(|(_, block)| block).filter(|block| is_placed(block)).collect();
    assert!(tops.len() > 2 && tops.iter().all(|block| block["y"] == EDGE), "{tops:?}");
    assert!(tops.iter().all(|block| block["x"].as_u64().unwrap() % COLUMN == EDGE), "whatever their length");
    assert_eq!(after["targets"][0]["variables"][after["monitors"][0]["id"].as_str().unwrap()][0], "score");
    let project = crate::Project { json: after, assets: BTreeMap::new() };
    assert!(crate::validate(&project).iter().all(|problem| problem.block.is_none()), "references hold");
}

#[test]
fn each_sprite_has_a_name_of_its_own() {
    let sprite = |name: &str| json!({"isStage": false, "name": name, "blocks": {}});
    let mut project = json!({"targets": [sprite("Ball"), sprite("Ball"), sprite("Ball2"), sprite("Stage")]});
    normalise(&mut project, "s");
    let names: Vec<&str> =
        project["targets"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Ball", "Ball2", "Ball3", "Stage2"]);
}

#[test]
fn numbers_in_slots_are_texts_as_the_editor_writes_them() {
    let mut project = game();
    project["targets"][1]["blocks"]["count"]["inputs"] =
        json!({"VALUE": [1, [4, 2.5]], "OTHER": [3, "say", [10, 398]]});
    normalise(&mut project, "salt");
    let blocks = project["targets"][1]["blocks"].as_object().unwrap();
    let inputs = blocks.values().map(|block| &block["inputs"]).find(|inputs| inputs.get("OTHER").is_some()).unwrap();
    assert_eq!((&inputs["VALUE"][1], &inputs["OTHER"][2]), (&json!([4, "2.5"]), &json!([10, "398"])));
}

#[test]
fn what_a_conversion_drew_for_ids_leaves_no_trace() {
    let first = game();
    // Another time all ids are others, and messages are in the order in which they were met.
    let mut second = game();
    rename(&mut second, |target, old| new_id("drawn", target, old));
    let messages = second["targets"][0]["broadcasts"].as_object_mut().unwrap();
    *messages = std::mem::take(messages).into_iter().rev().collect();
    assert!(messages.len() > 1 && second != first);
    let normal = |mut project: Value| {
        number_ids(&mut project);
        let salt = sha256_hex(project.to_string().as_bytes());
        normalise(&mut project, &salt);
        project.to_string()
    };
    assert_eq!(normal(first), normal(second));
}

#[test]
fn references_mean_what_they_meant() {
    let set = |name: &str, id: Value| {
        json!({"opcode": "data_setvariableto", "next": null, "parent": null, "inputs": {"VALUE": [1, [10, "0"]]},
            "fields": {"VARIABLE": [name, id]}, "shadow": false, "topLevel": true, "x": 0, "y": 0})
    };
    let sprite = |name: &str, variable: &str| {
        json!({"isStage": false, "name": name, "variables": {"same": [variable, 0]}, "lists": {}, "broadcasts": {}, "comments": {},
            "costumes": [], "sounds": [],
            "blocks": {"own": set("old name", json!("same")), "gone": set(variable, json!("gone")), "none": set("lost", json!("lost"))}})
    };
    let stage = json!({"isStage": true, "name": "Stage", "variables": {"s": ["score", 0], "t": ["score", 0], "both": ["hidden", 0]},
        "lists": {"both": ["list", []]}, "broadcasts": {}, "comments": {}, "blocks": {}, "costumes": [], "sounds": []});
    let mut project = json!({"targets": [stage, sprite("Moth", "score"), sprite("Owl", "lives")], "monitors": []});
    normalise(&mut project, "salt");
    let target = |at: usize| project["targets"][at].clone();
    let id_of = |at: usize, name: &str| -> String {
        let all = target(at)["variables"].as_object().unwrap().clone();
        all.into_iter().find(|(_, item)| item[0] == name).map(|(id, _)| id).unwrap()
    };
    let fields = |at: usize| -> Vec<Value> {
        target(at)["blocks"].as_object().unwrap().values().map(|block| block["fields"]["VARIABLE"].clone()).collect()
    };
    let (moth, owl) = (id_of(1, "score"), id_of(2, "lives"));
    assert_ne!(moth, owl, "two sprites had one id, as a sprite has that is uploaded twice");
    let lost = id_of(0, "lost");
    assert_eq!(fields(1), [json!(["score", moth]), json!(["score", id_of(0, "score")]), json!(["lost", lost])]);
    assert_eq!(fields(2)[0], json!(["lives", owl]));
    assert_eq!(target(0)["lists"].as_object().unwrap().len(), 1);
    assert!(
        target(0)["variables"].as_object().unwrap().values().all(|item| item[0] != "hidden"),
        "the machine keeps the list"
    );
}
