//! Wrong and right repairs as patches: what each does, that validators know the wrong ones that they are for, and that right ones give
//! what gold does.

use serde_json::{Value, json};

use super::fakes::block;
use super::near_misses::{Repair, near_misses};
use super::right_repairs::right_repairs;
use crate::bugs::Site;
use crate::patches::lint::{Code, review};
use crate::project::edit::{Edit, apply, inverse};

/// A stage that begins a game and waits for the moth, which counts slowly, and a moth with three costumes.
fn gold() -> Value {
    let set = |value: &str| json!({"VALUE": [1, [10, value]]});
    let variable = |name: &str| json!({"VARIABLE": [name, format!("{name}0")]});
    let go = json!({"BROADCAST_INPUT": [1, [11, "go", "go0"]]});
    let stage = json!({
        "flag": block("event_whenflagclicked", None, Some("score"), json!({}), json!({})),
        "score": block("data_setvariableto", Some("flag"), Some("lives"), set("0"), variable("score")),
        "lives": block("data_setvariableto", Some("score"), Some("level"), set("3"), variable("lives")),
        "level": block("data_setvariableto", Some("lives"), Some("send"), set("1"), variable("level")),
        "send": block("event_broadcastandwait", Some("level"), Some("change"), go, json!({})),
        "change": block("data_changevariableby", Some("send"), None, json!({"VALUE": [3, [12, "score", "score0"], [4, "1"]]}), variable("lives")),
        "key": block("event_whenkeypressed", None, Some("again"), json!({}), json!({"KEY_OPTION": ["space", null]})),
        "again": block("data_changevariableby", Some("key"), None, json!({"VALUE": [1, [4, "1"]]}), variable("level"))
    });
    let moth = json!({
        "hear": block("event_whenbroadcastreceived", None, Some("wear"), json!({}), json!({"BROADCAST_OPTION": ["go", "go0"]})),
        "wear": block("looks_switchcostumeto", Some("hear"), Some("wait"), json!({"COSTUME": [1, "menu"]}), json!({})),
        "menu": {"opcode": "looks_costume", "next": null, "parent": "wear", "inputs": {}, "fields": {"COSTUME": ["glide", null]},
            "shadow": true, "topLevel": false},
        "wait": block("control_wait", Some("wear"), Some("count"), json!({"DURATION": [1, [5, "1"]]}), json!({})),
        "count": block("data_setvariableto", Some("wait"), None, set("7"), variable("score")),
        "click": block("event_whenthisspriteclicked", None, Some("gate"), json!({}), json!({})),
        "gate": block("control_if", Some("click"), None, json!({"CONDITION": [2, "down"], "SUBSTACK": [2, "hide"]}), json!({})),
        "down": block("sensing_mousedown", Some("gate"), None, json!({}), json!({})),
        "hide": block("looks_hide", Some("gate"), None, json!({}), json!({}))
    });
    let variables = json!({"score0": ["score", 0], "lives0": ["lives", 3], "level0": ["level", 1]});
    let costumes: Vec<Value> = ["up", "glide", "down"].iter().map(|name| json!({"name": name})).collect();
    let mut project = json!({"targets": [
        {"isStage": true, "name": "Stage", "variables": variables, "lists": {}, "broadcasts": {"go0": "go"}, "comments": {},
         "blocks": stage, "costumes": [], "sounds": []},
        {"isStage": false, "name": "Moth", "variables": {}, "lists": {}, "broadcasts": {}, "comments": {}, "blocks": moth,
         "costumes": costumes, "sounds": []}
    ], "monitors": [], "extensions": [], "meta": {}});
    crate::project::edit::canonical(&mut project);
    project
}

/// The buggy project that edits make of gold, and what mends it.
fn fault(edits: Value) -> (Value, Vec<Edit>) {
    let patch: Vec<Edit> = serde_json::from_value(edits).unwrap();
    (apply(&gold(), &patch).unwrap(), inverse(&gold(), &patch).unwrap().unwrap())
}

fn misses(edits: Value) -> (Value, Vec<Repair>) {
    let (buggy, inverse) = fault(edits);
    let found = near_misses(&buggy, &inverse);
    assert!(
        found.iter().all(|repair| repair.project != gold() && repair.project != buggy),
        "none is right, and each does something"
    );
    (buggy, found)
}

fn names(repairs: &[Repair]) -> Vec<&str> {
    repairs.iter().map(|repair| repair.name.as_str()).collect()
}

/// What validators say of the repair of this name.
fn codes(buggy: &Value, repairs: &[Repair], name: &str) -> Vec<Code> {
    let repair = repairs.iter().find(|repair| repair.name == name).unwrap_or_else(|| panic!("{:?}", names(repairs)));
    review(buggy, &repair.patch).into_iter().map(|finding| finding.code).collect()
}

#[test]
fn a_poll_and_delays_stand_in_for_a_barrier_and_are_known() {
    let (buggy, found) = misses(
        json!([{"op": "modify", "sprite_id": "Stage", "block_id": "send", "path": "opcode", "value": "event_broadcast"}]),
    );
    assert_eq!(
        names(&found),
        ["taken away", "wait until below", "wait 0.1 s below", "wait 0.5 s below", "wait 1 s below"]
    );
    assert_eq!(codes(&buggy, &found, "wait until below"), [Code::BarrierSubstituted]);
    assert_eq!(codes(&buggy, &found, "wait 1 s below"), [Code::BarrierSubstituted, Code::DelayGuess]);
    let stage = &found[1].project["targets"][0]["blocks"];
    let test = stage.as_object().unwrap().values().find(|block| block["opcode"] == "operator_equals").unwrap();
    assert_eq!(
        (&test["inputs"]["OPERAND1"][1], &test["inputs"]["OPERAND2"][1][1]),
        (&json!([12, "score", "score0"]), &json!("7"))
    );
}

#[test]
fn a_reset_goes_into_another_script_or_to_another_variable() {
    let (_, found) = misses(json!([{"op": "remove", "sprite_id": "Stage", "block_id": "lives"}]));
    let all = names(&found);
    for name in [
        "reset in the script at key of Stage",
        "reset in the script at hear of Moth",
        "`score` instead",
        "`level` instead",
    ] {
        assert!(all.contains(&name), "{name}: {all:?}");
    }
}

#[test]
fn a_message_is_renamed_at_one_end_or_by_its_name_only() {
    let fault = json!([{"op": "modify", "sprite_id": "Stage", "block_id": "send", "path": "inputs/BROADCAST_INPUT", "value": ["go2", "go20"]}]);
    let (buggy, found) = misses(fault);
    assert!(codes(&buggy, &found, "the new message `go again` at one end").contains(&Code::OrphanMessage));
    assert_eq!(codes(&buggy, &found, "`go` by its name only"), [Code::LabelOnly]);
    let label = found.iter().find(|repair| repair.name.ends_with("only")).unwrap();
    assert_eq!(
        label.project["targets"][0]["blocks"]["send"]["inputs"]["BROADCAST_INPUT"][1],
        json!([11, "go", "go20"])
    );
}

#[test]
fn the_picture_beside_is_taken_and_a_wait_for_a_gate() {
    let (_, found) = misses(json!([{"op": "remove", "sprite_id": "Moth", "block_id": "wear"}]));
    assert_eq!(names(&found), ["reset in the script at click of Moth", "the picture `up`", "the picture `down`"]);
    let (_, found) = misses(json!([{"op": "remove", "sprite_id": "Moth", "block_id": "gate", "splice": true}]));
    assert_eq!(names(&found), ["what it holds taken away", "wait 0.5 s for the gate"]);
    let [empty, waits] = [0, 1].map(|at| &found[at].project["targets"][1]["blocks"]);
    assert!(empty.get("hide").is_none() && empty["click"]["next"].is_null(), "{empty}");
    let blocks = waits;
    let wait = blocks["click"]["next"].as_str().unwrap();
    assert_eq!((&blocks[wait]["opcode"], &blocks[wait]["next"]), (&json!("control_wait"), &json!("hide")));
}

fn rights(edits: Value, sprite: &str, script: &str, block: &str) -> (Value, Vec<Repair>) {
    let (buggy, inverse) = fault(edits);
    let site = Site {
        sprite_id: sprite.to_owned(),
        script: script.to_owned(),
        block_id: block.to_owned(),
        path: "0.1".to_owned(),
    };
    let found = right_repairs(&buggy, &gold(), &inverse, &site);
    (buggy, found)
}

/// The statements of a stack, from one on.
fn stack(project: &Value, target: usize, first: &str) -> Vec<String> {
    let blocks = &project["targets"][target]["blocks"];
    let next = |id: &String| blocks[id]["next"].as_str().map(str::to_owned);
    std::iter::successors(Some(first.to_owned()), next).collect()
}

#[test]
fn a_reset_may_stand_one_place_beside() {
    let (buggy, found) =
        rights(json!([{"op": "remove", "sprite_id": "Stage", "block_id": "lives"}]), "Stage", "flag", "lives");
    assert_eq!(names(&found), ["one place further down", "one place further up"]);
    assert_eq!(stack(&found[0].project, 0, "flag"), ["flag", "score", "level", "lives", "send", "change"]);
    assert_eq!(stack(&found[1].project, 0, "flag"), ["flag", "lives", "score", "level", "send", "change"]);
    assert!(found.iter().all(|repair| review(&buggy, &repair.patch).is_empty()));
}

#[test]
fn a_message_may_have_another_name_at_both_ends_and_statements_another_order() {
    let fault = json!([{"op": "modify", "sprite_id": "Stage", "block_id": "send", "path": "inputs/BROADCAST_INPUT", "value": ["go2", "go20"]}]);
    let (buggy, found) = rights(fault, "Stage", "flag", "send");
    assert_eq!(names(&found), ["`go` renamed at both ends", "score and lives exchanged", "lives and level exchanged"]);
    let (sent, heard) =
        (&found[0].project["targets"][0]["blocks"]["send"], &found[0].project["targets"][1]["blocks"]["hear"]);
    assert_eq!(sent["inputs"]["BROADCAST_INPUT"][1][1], heard["fields"]["BROADCAST_OPTION"][0]);
    assert_eq!(sent["inputs"]["BROADCAST_INPUT"][1][1], "go renamed");
    let order = stack(&found[1].project, 0, "flag");
    assert_eq!((order[1].as_str(), order.len()), ("lives", 6), "{order:?}");
    assert!(
        found.iter().all(|repair| review(&buggy, &repair.patch).is_empty()),
        "validators have nothing against them"
    );
}

#[test]
fn where_clones_pile_up_none_is_made() {
    let block = |opcode: &str, parent: Option<&str>, next: Option<&str>, inputs: Value| {
        json!({"opcode": opcode, "next": next, "parent": parent, "inputs": inputs, "fields": {}, "shadow": false,
            "topLevel": parent.is_none(), "x": 0, "y": 0})
    };
    let menu = json!({"opcode": "control_create_clone_of_menu", "next": null, "parent": "make", "inputs": {},
        "fields": {"CLONE_OPTION": ["_myself_", null]}, "shadow": true, "topLevel": false});
    let moth = json!({
        "flag": block("event_whenflagclicked", None, Some("make"), json!({})),
        "make": block("control_create_clone_of", Some("flag"), None, json!({"CLONE_OPTION": [1, "own"]})),
        "own": menu,
        "begins": block("control_start_as_clone", None, Some("hide"), json!({})),
        "hide": block("looks_hide", Some("begins"), None, json!({})),
    });
    let buggy = json!({"targets": [
        {"isStage": true, "name": "Stage", "variables": {}, "lists": {}, "broadcasts": {}, "comments": {}, "blocks": {}},
        {"isStage": false, "name": "Moth", "variables": {}, "lists": {}, "broadcasts": {}, "comments": {}, "blocks": moth},
    ], "monitors": [], "extensions": [], "meta": {}});
    let inverse: Vec<Edit> = serde_json::from_value(json!([{"op": "add", "sprite_id": "Moth", "parent": "hide",
        "block": {"id": "end", "opcode": "control_delete_this_clone"}}]))
    .unwrap();
    let found = near_misses(&buggy, &inverse);
    let unmade = found.iter().find(|repair| repair.name == "no clone is made").unwrap();
    assert!(unmade.project["targets"][1]["blocks"].get("make").is_none());
}
