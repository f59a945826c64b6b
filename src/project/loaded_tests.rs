//! What loading settles, from the words of the machine's sources.

use serde_json::{Value, json};

use super::*;

/// A project of a stage with these variables, lists and messages, and of a sprite with these blocks.
fn project(stage: &Value, blocks: &Value) -> Value {
    let mut first = json!({"isStage": true, "name": "Stage", "variables": {}, "lists": {}, "broadcasts": {}, "blocks": {}, "comments": {}});
    for (section, items) in stage.as_object().into_iter().flatten() {
        first[section] = items.clone();
    }
    let sprite = json!({"isStage": false, "name": "Moth", "variables": {"own": ["score", 1]}, "lists": {}, "broadcasts": {},
        "blocks": blocks, "comments": {}});
    json!({"targets": [first, sprite], "monitors": []})
}

fn set(name: &str, id: &Value) -> Value {
    let field = if id.is_null() { json!([name]) } else { json!([name, id]) };
    json!({"opcode": "data_setvariableto", "fields": {"VARIABLE": field}, "inputs": {}})
}

fn field(loaded: &Loaded, block: &str) -> Value {
    loaded.json["targets"][1]["blocks"][block]["fields"]["VARIABLE"].clone()
}

#[test]
fn a_reference_takes_the_name_of_its_id_then_the_stage_s_of_its_name_then_a_new_one() {
    let stage = json!({"variables": {"s": ["score", 0], "t": ["time", 0]}});
    let blocks = json!({"a": set("old name", &json!("own")), "b": set("score", &json!("gone")), "c": set("time", &json!("t")),
        "d": set("lost", &json!("nowhere")), "e": set("lost", &json!("elsewhere"))});
    let loaded = loaded(&project(&stage, &blocks));
    assert_eq!(field(&loaded, "a"), json!(["score", "own"]));
    assert_eq!(field(&loaded, "b"), json!(["score", "s"]), "never the sprite's own");
    assert_eq!(field(&loaded, "c"), json!(["time", "t"]));
    assert_eq!(field(&loaded, "d"), json!(["lost", "nowhere"]));
    assert_eq!(field(&loaded, "e"), json!(["lost", "nowhere"]), "of one name and kind one is made");
    assert_eq!(loaded.json["targets"][0]["variables"]["nowhere"], json!(["lost", 0]));
    assert_eq!(loaded.made, [(DataSection::Variables, "nowhere".to_owned())].into());
}

#[test]
fn what_is_made_has_a_name_that_no_target_has() {
    let blocks = json!({"a": set("score", &json!("gone"))});
    let loaded = loaded(&project(&json!({}), &blocks));
    assert_eq!(field(&loaded, "a"), json!(["score2", "gone"]));
}

#[test]
fn the_first_of_the_references_without_an_id_decides_for_all() {
    let stage = json!({"variables": {"s": ["score", 0], "t": ["time", 0]}});
    let blocks = json!({"a": set("time", &Value::Null), "b": set("score", &Value::Null)});
    let loaded = loaded(&project(&stage, &blocks));
    assert_eq!([field(&loaded, "a"), field(&loaded, "b")], [json!(["time", "t"]), json!(["score", "t"])], "ids count");
}

#[test]
fn a_message_that_is_made_for_a_sender_without_an_id_is_gone_again() {
    let blocks = |id: &[&str]| {
        let mut menu = vec![json!(11), json!("go")];
        menu.extend(id.iter().map(|id| json!(id)));
        json!({"a": {"opcode": "event_broadcast", "fields": {}, "inputs": {"BROADCAST_INPUT": [1, menu]}}})
    };
    let broadcasts = |blocks: &Value| loaded(&project(&json!({}), blocks)).json["targets"][0]["broadcasts"].clone();
    assert_eq!(broadcasts(&blocks(&["m"])), json!({"m": "go"}));
    assert_eq!(broadcasts(&blocks(&[])), json!({}));
}

#[test]
fn characters_that_the_machine_replaces_are_gone_from_texts_and_ids() {
    let stage = json!({"variables": {"a<b": ["one", "x\u{8}y"], "c": ["two", 0]}});
    let loaded = loaded(&project(&stage, &json!({"a": set("o\u{8}ne", &json!("a<b"))})));
    let variables = loaded.json["targets"][0]["variables"].as_object().unwrap();
    assert_eq!(variables.keys().collect::<Vec<_>>(), ["c", "altb"]);
    assert_eq!(variables["altb"], json!(["one", "xy"]));
    assert_eq!(field(&loaded, "a"), json!(["one", "altb"]));
}

#[test]
fn a_block_has_the_last_of_its_comments_and_one_that_it_does_not_name_lies_free() {
    let mut project = project(&json!({}), &json!({"a": set("score", &json!("own")), "b": set("score", &json!("own"))}));
    let sprite = &mut project["targets"][1];
    sprite["blocks"]["a"]["comment"] = json!("c1");
    sprite["comments"] = json!({"c1": {"blockId": "a", "text": "1"}, "c2": {"blockId": "a", "text": "2"},
        "c3": {"blockId": "b", "text": "3"}, "c4": {"blockId": null, "text": "4"}});
    let loaded = loaded(&project);
    let sprite = &loaded.json["targets"][1];
    assert_eq!(sprite["blocks"]["a"]["comment"], json!("c2"));
    assert_eq!(
        sprite["comments"],
        json!({"c2": {"blockId": "a", "text": "2"}, "c3": {"blockId": null, "text": "3"},
        "c4": {"blockId": null, "text": "4"}})
    );
}

#[test]
fn a_monitor_names_what_it_shows() {
    let monitor = |id: &str, sprite: &Value, name: &str| json!({"id": id, "opcode": "data_variable", "spriteName": sprite, "params": {"VARIABLE": name}});
    let mut project = project(&json!({"variables": {"s": ["score", 0]}}), &json!({}));
    project["monitors"] = json!([
        monitor("stale", &Value::Null, "score"),
        monitor("s", &json!("Moth"), "x"),
        monitor("n", &Value::Null, "none")
    ]);
    let monitors = loaded(&project).json["monitors"].clone();
    assert_eq!(monitors[0], monitor("own", &json!("Moth"), "score"), "it is looked for in the first sprite");
    assert_eq!(monitors[1], monitor("s", &Value::Null, "score"), "the id goes first");
    assert_eq!(monitors[2], monitor("n", &Value::Null, "none"));
    project["monitors"] =
        json!([monitor("s", &Value::Null, "a"), monitor("t", &Value::Null, "score"), monitor("s", &Value::Null, "b")]);
    assert_eq!(loaded(&project).json["monitors"].as_array().unwrap().len(), 2);
}
