//! The catalogue on a game that has a site for each operator.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::*;
use crate::project::Project;
use crate::project::edit::{canonical, inverse};

/// A script: ids, opcodes, fields and slots, from its hat down. Slots with a list of ids are mouths.
fn script(blocks: &mut Value, lines: &[(&str, &str, Value, Value)]) {
    for (at, (id, opcode, fields, inputs)) in lines.iter().enumerate() {
        let next = lines.get(at + 1).map(|(next, ..)| *next);
        let parent = at.checked_sub(1).map(|before| lines[before].0);
        blocks[*id] = json!({
            "opcode": opcode, "next": next, "parent": parent, "inputs": inputs, "fields": fields, "shadow": false,
            "topLevel": at == 0
        });
        if at == 0 {
            (blocks[*id]["x"], blocks[*id]["y"]) = (json!(0), json!(0));
        }
    }
}

/// A script in a mouth, or a reporter in a slot.
fn inside(blocks: &mut Value, parent: &str, lines: &[(&str, &str, Value, Value)]) {
    script(blocks, lines);
    let first = blocks[lines[0].0].as_object_mut().unwrap();
    first.insert("parent".to_owned(), json!(parent));
    first.insert("topLevel".to_owned(), json!(false));
    first.shift_remove("x");
    first.shift_remove("y");
}

fn variable(name: &str) -> Value {
    json!({"VARIABLE": [name, format!("{name}-id")]})
}

fn read(name: &str) -> Value {
    json!([3, [12, name, format!("{name}-id")], [10, ""]])
}

fn message(name: &str) -> Value {
    json!({"BROADCAST_INPUT": [1, [11, name, format!("{name}-id")]]})
}

fn stage() -> Value {
    let (mut blocks, no) = (json!({}), json!({}));
    script(
        &mut blocks,
        &[
            ("flag", "event_whenflagclicked", no.clone(), no.clone()),
            ("score0", "data_setvariableto", variable("score"), json!({"VALUE": [1, [10, "0"]]})),
            ("pause", "control_wait", no.clone(), json!({"DURATION": [1, [5, "0.5"]]})),
            ("start", "event_broadcastandwait", no.clone(), message("start")),
            ("until", "control_repeat_until", no.clone(), json!({"CONDITION": [2, "less"], "SUBSTACK": [2, "tick"]})),
            ("end", "event_broadcast", no.clone(), message("over")),
        ],
    );
    inside(
        &mut blocks,
        "until",
        &[("less", "operator_lt", no.clone(), json!({"OPERAND1": read("lives"), "OPERAND2": [1, [10, "1"]]}))],
    );
    inside(
        &mut blocks,
        "until",
        &[("tick", "control_if", no.clone(), json!({"CONDITION": [2, "both"], "SUBSTACK": [2, "point"]}))],
    );
    inside(
        &mut blocks,
        "tick",
        &[("both", "operator_and", no.clone(), json!({"OPERAND1": [2, "many"], "OPERAND2": [2, "rest"]}))],
    );
    inside(
        &mut blocks,
        "both",
        &[("many", "operator_gt", no.clone(), json!({"OPERAND1": read("score"), "OPERAND2": [1, [10, "10"]]}))],
    );
    inside(
        &mut blocks,
        "both",
        &[(
            "rest",
            "operator_equals",
            no.clone(),
            json!({"OPERAND1": [3, "minus", [10, ""]], "OPERAND2": [1, [10, "3"]]}),
        )],
    );
    inside(
        &mut blocks,
        "rest",
        &[("minus", "operator_subtract", no.clone(), json!({"NUM1": read("score"), "NUM2": read("lives")}))],
    );
    inside(
        &mut blocks,
        "tick",
        &[("point", "data_changevariableby", variable("score"), json!({"VALUE": [1, [4, "1"]]}))],
    );
    script(
        &mut blocks,
        &[
            ("heard", "event_whenbroadcastreceived", json!({"BROADCAST_OPTION": ["over", "over-id"]}), no.clone()),
            ("scene", "looks_switchbackdropto", no.clone(), json!({"BACKDROP": [1, "menu"]})),
            ("stop", "control_stop", json!({"STOP_OPTION": ["all", null]}), no),
        ],
    );
    blocks["menu"] = json!({"opcode": "looks_backdrops", "next": null, "parent": "scene", "inputs": {}, "fields": {"BACKDROP": ["end", null]},
        "shadow": true, "topLevel": false});
    json!({"isStage": true, "name": "Stage", "variables": {"score-id": ["score", 0], "lives-id": ["lives", 3]}, "lists": {},
        "broadcasts": {"start-id": "start", "over-id": "over"}, "comments": {}, "blocks": blocks,
        "costumes": [{"name": "field"}, {"name": "end"}], "sounds": []})
}

fn sprite() -> Value {
    let (mut blocks, no) = (json!({}), json!({}));
    script(
        &mut blocks,
        &[
            ("begin", "event_whenbroadcastreceived", json!({"BROADCAST_OPTION": ["start", "start-id"]}), no.clone()),
            ("show", "looks_show", no.clone(), no.clone()),
            ("lives3", "data_setvariableto", variable("lives"), json!({"VALUE": [1, [10, "3"]]})),
            ("glide", "control_wait", no.clone(), json!({"DURATION": [1, [5, "3"]]})),
            ("clone", "control_create_clone_of", no.clone(), json!({"CLONE_OPTION": [1, "self"]})),
        ],
    );
    blocks["self"] = json!({"opcode": "control_create_clone_of_menu", "next": null, "parent": "clone", "inputs": {},
        "fields": {"CLONE_OPTION": ["_myself_", null]}, "shadow": true, "topLevel": false});
    script(
        &mut blocks,
        &[
            ("born", "control_start_as_clone", no.clone(), no.clone()),
            ("age", "data_setvariableto", variable("age"), json!({"VALUE": [1, [10, "0"]]})),
            ("turn", "motion_turnright", no.clone(), json!({"DEGREES": [1, [4, "15"]]})),
            ("gone", "control_delete_this_clone", no.clone(), no.clone()),
        ],
    );
    script(
        &mut blocks,
        &[
            ("click", "event_whenthisspriteclicked", no.clone(), no.clone()),
            ("hit", "data_changevariableby", variable("score"), json!({"VALUE": [1, [4, "1"]]})),
        ],
    );
    script(
        &mut blocks,
        &[
            ("key", "event_whenkeypressed", json!({"KEY_OPTION": ["space", null]}), no.clone()),
            ("gate", "control_if", no.clone(), json!({"CONDITION": [2, "down"], "SUBSTACK": [2, "jump"]})),
            ("land", "motion_changeyby", no.clone(), json!({"DY": [1, [4, "-10"]]})),
        ],
    );
    inside(&mut blocks, "gate", &[("down", "sensing_mousedown", no.clone(), no.clone())]);
    inside(&mut blocks, "gate", &[("jump", "motion_changeyby", no.clone(), json!({"DY": [1, [4, "10"]]}))]);
    script(
        &mut blocks,
        &[
            ("again", "event_whenflagclicked", no.clone(), no.clone()),
            ("forever", "control_forever", no.clone(), json!({"SUBSTACK": [2, "ask"]})),
        ],
    );
    inside(
        &mut blocks,
        "forever",
        &[("ask", "control_if", no.clone(), json!({"CONDITION": [2, "pressed"], "SUBSTACK": [2, "left"]}))],
    );
    inside(&mut blocks, "ask", &[("pressed", "sensing_keypressed", no.clone(), json!({"KEY_OPTION": [1, "keys"]}))]);
    blocks["keys"] = json!({"opcode": "sensing_keyoptions", "next": null, "parent": "pressed", "inputs": {}, "fields": {"KEY_OPTION": ["left arrow", null]},
        "shadow": true, "topLevel": false});
    inside(&mut blocks, "ask", &[("left", "motion_changexby", no, json!({"DX": [1, [4, "-5"]]}))]);
    json!({"isStage": false, "name": "Moth", "variables": {"age-id": ["age", 0]}, "lists": {}, "broadcasts": {}, "comments": {},
        "blocks": blocks, "costumes": [{"name": "up"}, {"name": "down"}], "sounds": []})
}

fn game() -> Value {
    let mut game = json!({"targets": [stage(), sprite()], "monitors": [], "extensions": [], "meta": {}});
    canonical(&mut game);
    game
}

#[test]
fn each_operator_has_its_sites_and_each_fault_its_exact_inverse() {
    let gold = game();
    let found = candidates(&gold);
    let operators: BTreeSet<&str> = found.iter().map(|candidate| candidate.operator).collect();
    for operator in &OPERATORS {
        assert!(operators.contains(operator), "{operator} has no site: {operators:?}");
    }
    let ids: BTreeSet<String> = found.iter().map(Candidate::id).collect();
    assert_eq!(ids.len(), found.len(), "each candidate has a name of its own");
    for candidate in &found {
        let buggy = apply(&gold, &candidate.patch).unwrap();
        let back = inverse(&gold, &candidate.patch).unwrap();
        let back = back.unwrap_or_else(|| panic!("{} can't be undone: {:#?}", candidate.id(), candidate.patch));
        assert!((1..=3).contains(&back.len()), "{}: {back:#?}", candidate.id());
        assert_eq!(apply(&buggy, &back).unwrap().to_string(), gold.to_string(), "{}", candidate.id());
        let project = Project { json: buggy, assets: BTreeMap::new() };
        let broken: Vec<_> =
            crate::project::validate(&project).into_iter().filter(|problem| problem.block.is_some()).collect();
        assert!(broken.is_empty(), "{}: {broken:?}", candidate.id());
    }
}

#[test]
fn sites_are_where_the_preconditions_hold_and_nowhere_else() {
    let gold = game();
    let found = candidates(&gold);
    let at = |operator: &str| -> Vec<&str> {
        found
            .iter()
            .filter(|candidate| candidate.operator == operator)
            .map(|candidate| candidate.block_id.as_str())
            .collect()
    };
    assert_eq!(at("MI.delete"), ["score0"], "nobody else writes the lives");
    assert_eq!(at("DS.delay"), ["pause"], "three seconds are no wait for others");
    assert_eq!(at("NT.flip"), ["less"], "the comparison in the other condition ends nothing");
    assert!(at("IC.compare").contains(&"many") && !at("IC.compare").contains(&"less"));
    assert_eq!(at("CM.noinit"), ["age"]);
    assert_eq!(at("UE.unhook"), ["heard", "begin"]);
    assert_eq!(at("HC.ungate"), ["gate"]);
    assert_eq!(at("HC.double"), ["heard", "click"]);
    assert_eq!(at("SS.move"), ["show"]);
}

#[test]
fn a_dead_script_has_no_sites() {
    let mut gold = game();
    // Nobody sends what it waits for any more.
    gold["targets"][0]["blocks"]["start"]["inputs"] = message("over");
    let found = candidates(&gold);
    assert!(found.iter().all(|candidate| !["show", "lives3", "begin"].contains(&&*candidate.block_id)));
}
