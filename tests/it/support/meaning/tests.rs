//! What the comparator tells apart, and what it does not.

#![expect(clippy::needless_pass_by_value, reason = "JSON is written where it is passed")]

use std::collections::BTreeMap;

use scratchbed::project::Project;
use serde_json::{Value, json};

use super::{first_difference, meaning};

/// A stage and one sprite with these scripts; both have a variable `score`, and the stage a list `score`.
fn project(blocks: Value) -> Value {
    let costume = json!({"name": "a", "assetId": "7d4c9eaf41afd5640e05641149ee81a4", "dataFormat": "svg",
        "md5ext": "7d4c9eaf41afd5640e05641149ee81a4.svg", "rotationCenterX": 10, "rotationCenterY": 10});
    json!({"targets": [
        {"isStage": true, "name": "Stage", "variables": {"g": ["score", 0], "o": ["other", 0]}, "lists": {"l": ["score", []]},
            "broadcasts": {"m": "go"}, "blocks": {}, "comments": {}, "costumes": [costume], "sounds": [], "layerOrder": 0},
        {"isStage": false, "name": "Ball", "variables": {"s": ["score", 0]}, "lists": {}, "broadcasts": {},
            "blocks": blocks, "comments": {}, "costumes": [costume], "sounds": [], "layerOrder": 1},
    ], "monitors": [], "extensions": [], "meta": {"semver": "3.0.0"}})
}

/// A block that a script begins with.
fn first(opcode: &str, next: Value, inputs: Value, fields: Value) -> Value {
    json!({"opcode": opcode, "next": next, "parent": null, "inputs": inputs, "fields": fields, "shadow": false,
        "topLevel": true, "x": 0, "y": 0})
}

/// One that is inside of a script.
fn inner(opcode: &str, parent: &str, inputs: Value, fields: Value) -> Value {
    let mut block = first(opcode, Value::Null, inputs, fields);
    (block["topLevel"], block["parent"]) = (json!(false), json!(parent));
    block
}

/// One block alone that says this.
fn saying(slot: Value) -> Value {
    project(json!({"a": first("looks_say", Value::Null, json!({"MESSAGE": slot}), json!({}))}))
}

/// One that sets a variable by this field.
fn setting(field: Value) -> Value {
    let inputs = json!({"VALUE": [1, [10, "1"]]});
    project(json!({"a": first("data_setvariableto", Value::Null, inputs, json!({"VARIABLE": field}))}))
}

/// A definition of `jump` with two parameters, and a call of it.
fn calling(warp: Value, ids: [&str; 2], called: [&str; 2], inputs: Value) -> Value {
    let list = |items: [&str; 2]| json!(items).to_string();
    let mutation = json!({"tagName": "mutation", "children": [], "proccode": "jump %s %b", "argumentids": list(ids),
        "argumentnames": list(["high", "far"]), "argumentdefaults": list(["", "false"]), "warp": warp});
    let mut prototype = inner("procedures_prototype", "d", json!({}), json!({}));
    prototype["mutation"] = mutation;
    let mut call = first("procedures_call", Value::Null, inputs, json!({}));
    call["mutation"] = json!({"proccode": "jump %s %b", "argumentids": list(called), "warp": "false"});
    let define = first("procedures_definition", Value::Null, json!({"custom_block": [1, "p"]}), json!({}));
    project(json!({"d": define, "p": prototype, "c": call}))
}

fn differ(one: &Value, other: &Value) -> Option<String> {
    let of = |json: &Value| meaning(&Project { json: json.clone(), assets: BTreeMap::new() });
    first_difference(&of(one), &of(other)).map(|found| found.to_string())
}

#[track_caller]
fn same(one: &Value, other: &Value) {
    assert_eq!(differ(one, other), None);
}

#[track_caller]
fn different(one: &Value, other: &Value) {
    assert!(differ(one, other).is_some(), "{one}\n{other}");
}

#[test]
fn variables_go_by_id_and_scope_and_kind() {
    let global = setting(json!(["score", "g"]));
    different(&global, &setting(json!(["score", "s"])));
    different(&global, &setting(json!(["score", "o"])));
    different(&global, &setting(json!(["score", "l"])));
    same(&global, &setting(json!(["a stale name", "g"])));
    let mut renamed = global.clone();
    renamed["targets"][0]["variables"] = json!({"o": ["other", 0], "new": ["score", 0]});
    renamed["targets"][1]["blocks"]["a"]["fields"]["VARIABLE"][1] = json!("new");
    same(&global, &renamed);
    let held = |held: Value| saying(json!([3, held, [10, "x"]]));
    different(&held(json!([12, "score", "g"])), &held(json!([13, "score", "l"])));
    different(&held(json!([12, "score", "g"])), &held(json!([12, "score", "s"])));
}

#[test]
fn a_reference_to_nothing_is_one_to_the_stage_as_loading_makes_it() {
    same(&setting(json!(["score", "nowhere"])), &setting(json!(["score", "g"])));
    same(&setting(json!(["other"])), &setting(json!(["other", "o"])));
    let mut declared = setting(json!(["fresh", "n"]));
    declared["targets"][0]["variables"]["n"] = json!(["fresh", 0]);
    same(&setting(json!(["fresh", "nowhere"])), &declared);
    declared["targets"][0]["variables"]["n"][1] = json!(1);
    different(&setting(json!(["fresh", "nowhere"])), &declared);
    // The sprite's own variable is not looked for, but its name is taken.
    let mut own = setting(json!(["mine", "nowhere"]));
    own["targets"][1]["variables"]["x"] = json!(["mine", 0]);
    let mut second = own.clone();
    second["targets"][0]["variables"]["y"] = json!(["mine2", 0]);
    second["targets"][1]["blocks"]["a"]["fields"]["VARIABLE"] = json!(["mine2", "y"]);
    same(&own, &second);
}

#[test]
fn of_two_variables_of_one_name_each_is_another() {
    let two = |id: &str| {
        let mut json = setting(json!(["twin", id]));
        json["targets"][0]["variables"] = json!({"t1": ["twin", 1], "t2": ["twin", 2]});
        json
    };
    different(&two("t1"), &two("t2"));
}

#[test]
fn values_keep_their_kinds_and_texts_like_numbers_do_not() {
    same(&saying(json!([1, [10, "10"]])), &saying(json!([1, [4, 10.0]])));
    different(&saying(json!([1, [10, "10.0"]])), &saying(json!([1, [10, "10"]])));
    let menu = |value: Value| {
        let mut json = saying(json!([1, "m"]));
        json["targets"][1]["blocks"]["m"] = inner("looks_costume", "a", json!({}), json!({"COSTUME": [value, null]}));
        json["targets"][1]["blocks"]["m"]["shadow"] = json!(true);
        json
    };
    same(&menu(json!("true")), &saying(json!([1, [10, "true"]])));
    different(&menu(json!("true")), &menu(json!(true)));
    let stored = |value: Value| {
        let mut json = project(json!({}));
        json["targets"][0]["variables"]["g"][1] = value;
        json
    };
    different(&stored(json!("1")), &stored(json!(1)));
    different(&stored(json!("true")), &stored(json!(true)));
    same(&stored(json!(1)), &stored(json!(1.0)));
}

#[test]
fn an_empty_text_is_not_nothing_but_an_empty_number_is() {
    let say = |inputs: Value| project(json!({"a": first("looks_say", Value::Null, inputs, json!({}))}));
    different(&say(json!({})), &say(json!({"MESSAGE": [1, [10, ""]]})));
    same(&say(json!({})), &say(json!({"MESSAGE": [1, null]})));
    let walk = |inputs: Value| project(json!({"a": first("motion_movesteps", Value::Null, inputs, json!({}))}));
    same(&walk(json!({})), &walk(json!({"STEPS": [1, [4, ""]]})));
    let random = |inputs: Value| project(json!({"a": first("operator_random", Value::Null, inputs, json!({}))}));
    different(&random(json!({})), &random(json!({"FROM": [1, [4, ""]], "TO": [1, [4, ""]]})));
}

#[test]
fn warp_is_one_in_all_its_spellings() {
    let of = |warp: Value| calling(warp, ["i", "j"], ["i", "j"], json!({}));
    same(&of(json!(true)), &of(json!("true")));
    same(&of(json!(false)), &of(json!("false")));
    same(&of(json!(null)), &of(json!("null")));
    different(&of(json!(true)), &of(json!(false)));
    different(&of(json!("true")), &of(json!("null")));
}

#[test]
fn arguments_go_by_the_ids_of_the_definition() {
    let given = |first: &str, second: &str| json!({(first): [1, [10, "5"]], (second): [1, [10, "6"]]});
    let plain = calling(json!(true), ["i", "j"], ["i", "j"], given("i", "j"));
    same(&plain, &calling(json!(true), ["x", "y"], ["x", "y"], given("x", "y")));
    same(&plain, &calling(json!(true), ["i", "j"], ["foreign", "ids"], given("i", "j")));
    different(&plain, &calling(json!(true), ["i", "j"], ["i", "j"], given("j", "i")));
    let foreign = calling(json!(true), ["i", "j"], ["x", "y"], given("x", "y"));
    different(&plain, &foreign);
    same(&foreign, &calling(json!(true), ["i", "j"], ["i", "j"], json!({"i": [1, [10, ""]]})));
}

#[test]
fn ids_covered_shadows_and_the_order_of_keys_do_not_matter() {
    let covering = |shadow: Value| saying(json!([3, [12, "score", "g"], shadow]));
    same(&covering(json!([10, "Hello!"])), &covering(json!([10, "other"])));
    same(&covering(json!([10, "Hello!"])), &saying(json!([2, [12, "score", "g"]])));
    let one = saying(json!([1, [10, "x"]]));
    let mut other = project(json!({}));
    let mut block: Vec<(String, Value)> =
        one["targets"][1]["blocks"]["a"].as_object().unwrap().clone().into_iter().collect();
    block.reverse();
    other["targets"][1]["blocks"] = json!({"another id": Value::Object(block.into_iter().collect())});
    same(&one, &other);
}

#[test]
fn scripts_keep_their_order_and_what_nobody_holds_is_gone() {
    let scripts = |blocks: Value| project(blocks);
    let hat = |key: &str| first("event_whenkeypressed", Value::Null, json!({}), json!({"KEY_OPTION": [key, null]}));
    let two = scripts(json!({"x": hat("a"), "y": hat("b")}));
    different(&two, &scripts(json!({"y": hat("b"), "x": hat("a")})));
    // JavaScript has keys that are numbers first.
    same(&two, &scripts(json!({"2": hat("b"), "1": hat("a")})));
    let lost = inner("looks_show", "nobody", json!({}), json!({}));
    same(&two, &scripts(json!({"x": hat("a"), "lost": lost, "y": hat("b")})));
}

#[test]
fn messages_go_by_the_name_that_their_id_has() {
    let sending = |held: Value| {
        project(json!({"a": first("event_broadcast", Value::Null, json!({"BROADCAST_INPUT": held}), json!({}))}))
    };
    same(&sending(json!([1, [11, "go", "m"]])), &sending(json!([1, [11, "stale", "m"]])));
    different(&sending(json!([1, [11, "go", "m"]])), &sending(json!([1, [11, "stop", "n"]])));
    different(&sending(json!([1, [11, "go", "m"]])), &sending(json!([2, [11, "go", "m"]])));
    let by_block = |field: Value| {
        let mut json = sending(json!([1, "b"]));
        json["targets"][1]["blocks"]["b"] =
            inner("event_broadcast_menu", "a", json!({}), json!({"BROADCAST_OPTION": field}));
        json
    };
    same(&by_block(json!(["go"])), &sending(json!([1, [11, "go", "m"]])));
    different(&by_block(json!(["fresh"])), &by_block(json!(["fresh", "n"])));
    same(&by_block(json!(["fresh", "n"])), &sending(json!([1, [11, "fresh", ""]])));
}

#[test]
fn comments_belong_to_blocks_that_are_seen_or_are_free() {
    let with = |comments: Value, on: Option<&str>| {
        let mut json = saying(json!([1, [10, "x"]]));
        json["targets"][1]["comments"] = comments;
        if let Some(comment) = on {
            json["targets"][1]["blocks"]["a"]["comment"] = json!(comment);
        }
        json
    };
    let on_it = with(json!({"c": {"blockId": "a", "text": "hm", "x": 1, "y": 2}}), Some("c"));
    let free = with(json!({"c": {"blockId": null, "text": "hm", "x": 3}}), None);
    different(&on_it, &free);
    different(&on_it, &with(json!({}), None));
    same(&free, &with(json!({"d": {"blockId": "gone", "text": "hm"}}), None));
    same(&on_it, &with(json!({"other": {"blockId": "a", "text": "hm", "width": 5}}), Some("other")));
}

#[test]
fn monitors_are_told_by_what_they_show_and_hidden_ones_are_gone() {
    let with = |monitors: Value| {
        let mut json = project(json!({}));
        json["monitors"] = monitors;
        json
    };
    let of = |id: &str, sprite: Value, visible: bool| {
        json!([{"id": id, "opcode": "data_variable", "mode": "default", "params": {"VARIABLE": "score"}, "spriteName": sprite,
            "visible": visible, "x": 5, "y": 5}])
    };
    different(&with(of("g", Value::Null, true)), &with(of("s", json!("Ball"), true)));
    different(&with(of("g", Value::Null, true)), &with(json!([])));
    same(&with(of("g", Value::Null, false)), &with(json!([])));
}

#[test]
fn sprites_and_costumes_of_one_name_are_renamed_as_loading_does_it() {
    let mut twice = project(json!({}));
    let another = twice["targets"][1].clone();
    twice["targets"].as_array_mut().unwrap().push(another);
    let mut second = twice.clone();
    second["targets"][2]["name"] = json!("Ball2");
    same(&twice, &second);
    second["targets"][2]["name"] = json!("Cube");
    different(&twice, &second);
}
