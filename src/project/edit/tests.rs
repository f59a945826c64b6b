//! Edits and their inverses on a small game, written as the editor saves it.
#![expect(clippy::needless_pass_by_value, reason = "calls read better")]

use serde_json::{Value, json};

use super::fixture::project;
use super::*;

fn patch(edits: Value) -> Patch {
    serde_json::from_value(edits).unwrap()
}

fn edit(target: &str, mut edit: Value) -> Value {
    edit["sprite_id"] = json!(target);
    json!([edit])
}

fn remove(target: &str, block: &str) -> Value {
    edit(target, json!({"op": "remove", "block_id": block}))
}

fn modify(target: &str, block: &str, path: &str, value: Value) -> Value {
    edit(target, json!({"op": "modify", "block_id": block, "path": path, "value": value}))
}

fn joined(parts: &[Value]) -> Value {
    parts.iter().flat_map(|part| part.as_array().unwrap().clone()).collect()
}

/// A patch for each operator of the Bug Forge's catalogue, with the number of edits that undo it.
fn faults() -> Vec<(&'static str, Value, usize)> {
    let under_wait = json!({"op": "add", "parent": "wait", "block": {
        "id": "init2", "opcode": "data_setvariableto", "fields": {"VARIABLE": ["score", "score0"]}, "inputs": {"VALUE": "0"}}});
    let twice =
        json!({"op": "add", "at": [340, 0], "block": {"id": "click2", "opcode": "event_whenthisspriteclicked"}});
    let more = json!({"op": "add", "parent": "click2", "block": {
        "id": "count2", "opcode": "data_changevariableby", "fields": {"VARIABLE": ["score", "score0"]}, "inputs": {"VALUE": "1"}}});
    vec![
        ("MI.delete", remove("Stage", "init"), 1),
        ("MI.literal", modify("Stage", "init", "inputs/VALUE", json!("10")), 1),
        ("MI.move", joined(&[remove("Stage", "init"), edit("Stage", under_wait)]), 2),
        ("DS.nowait", modify("Stage", "send", "opcode", json!("event_broadcast")), 1),
        ("DS.delay", remove("Stage", "wait"), 1),
        ("UE.send", modify("Stage", "send", "inputs/BROADCAST_INPUT", json!(["start2", "new0"])), 1),
        ("UE.hear", modify("Moth", "hear", "fields/BROADCAST_OPTION", json!(["game over", "over0"])), 1),
        ("UE.drop", remove("Stage", "end"), 1),
        ("UE.unhook", remove("Moth", "hear"), 1),
        ("NT.flip", modify("Stage", "less", "opcode", json!("operator_gt")), 1),
        (
            "NT.negate",
            edit(
                "Stage",
                json!({"op": "add", "parent": "if", "input": "CONDITION", "block": {
            "id": "not0", "opcode": "operator_not", "inputs": {"OPERAND": {"block": "less"}}}}),
            ),
            1,
        ),
        ("IC.offbyone", modify("Stage", "less", "inputs/OPERAND2", json!("2")), 1),
        ("IC.variable", modify("Stage", "less", "inputs/OPERAND1", json!(["score", "score0"])), 1),
        ("IC.binding", modify("Moth", "count", "fields/VARIABLE", json!(["lives", "lives0"])), 1),
        ("SS.remove", remove("Moth", "wear"), 1),
        ("SS.swap", modify("Moth", "wear", "inputs/COSTUME", json!("down")), 1),
        ("a reporter goes too", remove("Moth", "glide"), 2),
        ("HC.double", joined(&[edit("Moth", twice), edit("Moth", more)]), 2),
        ("HC.ungate", edit("Moth", json!({"op": "remove", "block_id": "gate", "splice": true})), 2),
    ]
}

#[test]
fn the_inverse_after_the_edit_is_the_identity_by_bytes() {
    let gold = project();
    for (name, forward, undone_by) in faults() {
        let forward = patch(forward);
        let buggy = apply(&gold, &forward).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_ne!(buggy, gold, "{name}");
        let back = inverse(&gold, &forward).unwrap().unwrap_or_else(|| panic!("{name} has no inverse: {buggy:#}"));
        assert_eq!(back.len(), undone_by, "{name}: {back:#?}");
        let again: Patch = serde_json::from_str(&serde_json::to_string(&back).unwrap()).unwrap();
        assert_eq!(apply(&buggy, &again).unwrap().to_string(), gold.to_string(), "{name}");
    }
}

#[test]
fn every_result_is_a_project_that_the_check_has_nothing_against() {
    for (name, forward, _) in faults() {
        let buggy = apply(&project(), &patch(forward)).unwrap();
        let blocks =
            buggy["targets"].as_array().unwrap().iter().flat_map(|target| target["blocks"].as_object().unwrap());
        for (id, block) in blocks {
            let is_top = block["topLevel"] == true;
            assert_eq!(is_top, block["parent"].is_null() && block["x"].is_number(), "{name}: {id} {block}");
        }
        let project = crate::Project { json: buggy, assets: std::collections::BTreeMap::new() };
        let broken: Vec<_> = crate::validate(&project).into_iter().filter(|problem| problem.block.is_some()).collect();
        assert!(broken.is_empty(), "{name}: {broken:?}");
    }
}

#[test]
fn the_rest_of_a_script_stays_where_it_was() {
    let buggy =
        apply(&project(), &patch(edit("Moth", json!({"op": "remove", "block_id": "gate", "splice": true})))).unwrap();
    let next = |id: &str| buggy["targets"][1]["blocks"][id]["next"].clone();
    assert_eq!(
        [next("click"), next("count"), next("say"), next("hide")],
        [json!("count"), json!("say"), json!("hide"), json!(null)]
    );
    let buggy = apply(&project(), &patch(remove("Moth", "hear"))).unwrap();
    assert_eq!(buggy["targets"][1]["blocks"]["show"]["topLevel"], true, "it is left without its hat");
}

#[test]
fn messages_are_declared_and_undeclared_with_who_names_them() {
    let buggy = apply(&project(), &patch(modify("Stage", "end", "inputs/BROADCAST_INPUT", json!(["game over2", "x"]))))
        .unwrap();
    assert_eq!(buggy["targets"][0]["broadcasts"], json!({"start0": "start", "x": "game over2"}));
}

#[test]
fn an_edit_that_can_not_be_made_says_why_and_nothing_is_changed() {
    let cases = [
        (remove("Moth", "nobody"), Stage::Unresolved, "there is no block `nobody`"),
        (remove("Owl", "show"), Stage::Unresolved, "there is no target `Owl`"),
        (remove("Moth", "menu"), Stage::Unsupported, "the shadow of a slot"),
        (joined(&[remove("Moth", "gate"), remove("Moth", "count")]), Stage::Unresolved, "edit 2"),
        (modify("Moth", "count", "fields/VARIABLE", json!(["score", "lives0"])), Stage::Unresolved, "`score`"),
        (modify("Moth", "count", "fields/VARIABLE", json!("score")), Stage::Unsupported, "name and its id"),
        (modify("Moth", "count", "opcode", json!("looks_say")), Stage::Unsupported, "other slots"),
        (modify("Moth", "count", "opcode", json!("no_such")), Stage::Unsupported, "`no_such`"),
        (modify("Moth", "count", "inputs/VALUES", json!(1)), Stage::Unsupported, "no slot `VALUES`"),
        (modify("Moth", "count", "x", json!(1)), Stage::Unsupported, "no path"),
        (
            joined(&[
                modify("Moth", "say", "inputs/MESSAGE", json!("a")),
                modify("Moth", "say", "inputs/MESSAGE", json!("b")),
            ]),
            Stage::Conflict,
            "twice",
        ),
        (
            edit("Moth", json!({"op": "add", "parent": "show", "block": {"id": "hide", "opcode": "looks_show"}})),
            Stage::Conflict,
            "already",
        ),
        (
            edit("Moth", json!({"op": "add", "parent": "show", "block": {"id": "n", "opcode": "operator_not"}})),
            Stage::Unsupported,
            "below `parent`",
        ),
    ];
    for (edits, stage, said) in cases {
        let error = apply(&project(), &patch(edits.clone())).unwrap_err();
        assert_eq!(error.stage, stage, "{edits}: {error}");
        assert!(error.to_string().contains(said), "{edits}: {error}");
    }
    let same = joined(&[
        modify("Moth", "say", "inputs/MESSAGE", json!("a")),
        modify("Moth", "say", "inputs/MESSAGE", json!("a")),
    ]);
    assert!(apply(&project(), &patch(same)).is_ok(), "the same edit twice counts once");
    assert!(
        serde_json::from_value::<Edit>(json!({"op": "remove", "sprite_id": "a", "block_id": "b", "x": 1})).is_err()
    );
}
