//! Tests of the checks in front of the machine.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use scratchbed_model::Coded;

const DIGEST: &str = "0123456789abcdef0123456789abcdef";

fn target(name: &str, stage: bool, layer: u32) -> Value {
    json!({
        "isStage": stage, "name": name, "variables": {}, "lists": {}, "broadcasts": {}, "blocks": {}, "comments": {}, "currentCostume": 0,
        "costumes": [{"name": "a", "assetId": DIGEST, "dataFormat": "svg", "md5ext": format!("{DIGEST}.svg")}],
        "sounds": [], "volume": 100, "layerOrder": layer
    })
}

fn sound_project() -> Project {
    let json = json!({
        "targets": [target("Stage", true, 0), target("Ball", false, 1)], "monitors": [], "extensions": [],
        "meta": {"semver": "3.0.0", "vm": "15.1.1", "agent": ""}
    });
    Project { json, assets: BTreeMap::from([(format!("{DIGEST}.svg"), b"<svg/>".to_vec())]) }
}

#[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn block(opcode: &str, next: Value, parent: Value) -> Value {
    json!({"opcode": opcode, "next": next, "parent": parent, "inputs": {}, "fields": {}, "shadow": false, "topLevel": false})
}

/// The codes found after a change to the project.
fn codes(change: impl FnOnce(&mut Project)) -> Vec<(&'static str, Severity)> {
    let mut project = sound_project();
    change(&mut project);
    validate(&project).into_iter().map(|problem| (problem.code, problem.severity)).collect()
}

fn with_blocks(blocks: &Value) -> Vec<(&'static str, Severity)> {
    codes(|project| project.json["targets"][1]["blocks"] = blocks.clone())
}

#[test]
fn a_sound_project_has_no_problems() {
    assert_eq!(codes(|_| ()), []);
}

#[test]
fn finds_missing_and_misplaced_targets() {
    assert_eq!(codes(|p| p.json["targets"] = json!([])), [("empty_targets", Severity::Error)]);
    assert_eq!(
        codes(|p| p.json["targets"] = json!([target("Ball", false, 1)])),
        [("stage_not_first", Severity::Error)]
    );
    assert_eq!(codes(|p| p.json["targets"][1]["isStage"] = json!(true)), [("two_stages", Severity::Error)]);
    assert_eq!(codes(|p| p.json["targets"][1]["costumes"] = json!([])), [("no_costume", Severity::Error)]);
    assert_eq!(codes(|p| p.json["targets"][1]["blocks"] = json!(3)), [("bad_property", Severity::Error)]);
    assert_eq!(codes(|p| p.json["targets"][1]["name"] = json!(3)), [("bad_property", Severity::Error)]);
    assert_eq!(codes(|p| p.json["meta"]["semver"] = json!("2.0")), [("bad_semver", Severity::Error)]);
}

#[test]
fn names_missing_assets_without_refusing() {
    assert_eq!(
        codes(|p| p.assets.clear()),
        [("missing_asset", Severity::Warning), ("missing_asset", Severity::Warning)]
    );
    assert_eq!(
        codes(|p| p.json["targets"][1]["costumes"][0]["assetId"] = json!("x")),
        [("bad_asset_id", Severity::Error)]
    );
}

#[test]
fn names_duplicate_sprites() {
    assert_eq!(
        codes(|p| p.json["targets"].as_array_mut().unwrap().push(target("Ball", false, 2))),
        [("duplicate_sprite_name", Severity::Warning)]
    );
}

#[test]
fn finds_unknown_blocks_and_extensions() {
    assert_eq!(
        with_blocks(&json!({"a": block("foo_bar", json!(null), json!(null))})),
        [("unknown_opcode_prefix", Severity::Error)]
    );
    assert_eq!(with_blocks(&json!({"a": block("pen_clear", json!(null), json!(null))})), []);
    assert_eq!(with_blocks(&json!({"a": {"next": null}})), [("bad_block", Severity::Error)]);
    assert_eq!(with_blocks(&json!({"a": [99, "x"]})), [("bad_block", Severity::Error)]);
    assert_eq!(codes(|p| p.json["extensions"] = json!(["pen", "foo"])), [("unknown_extension", Severity::Error)]);
    let shown = |opcode: &str| codes(|p| p.json["monitors"] = json!([{"id": "a", "opcode": opcode, "params": {}}]));
    assert_eq!(shown("foo_bar"), [("unknown_opcode_prefix", Severity::Error)]);
    assert_eq!((shown("data_variable"), shown("music_getTempo")), (vec![], vec![]));
}

#[test]
fn finds_cycles_through_next_and_inputs() {
    let ring = json!({"a": block("motion_ifonedgebounce", json!("b"), json!("b")), "b": block("motion_ifonedgebounce", json!("a"), json!("a"))});
    assert_eq!(with_blocks(&ring), [("block_cycle", Severity::Error)]);
    let mut own = json!({"a": block("control_forever", json!(null), json!("a"))});
    own["a"]["inputs"] = json!({"SUBSTACK": [2, "a"]});
    assert_eq!(with_blocks(&own), [("block_cycle", Severity::Error)]);
}

#[test]
fn finds_dangling_and_one_sided_references() {
    assert_eq!(
        with_blocks(&json!({"a": block("looks_show", json!("gone"), json!(null))})),
        [("dangling_reference", Severity::Warning)]
    );
    let mut blocks =
        json!({"a": block("looks_show", json!("b"), json!(null)), "b": block("looks_hide", json!(null), json!(null))});
    assert_eq!(with_blocks(&blocks), [("wrong_parent", Severity::Warning)]);
    blocks["b"]["parent"] = json!("a");
    assert_eq!(with_blocks(&blocks), []);
    blocks["a"]["inputs"] = json!({"X": [7, null]});
    assert_eq!(with_blocks(&blocks), [("bad_input", Severity::Error)]);
    blocks["a"]["inputs"] = json!({"X": [2, "b"]});
    assert_eq!(with_blocks(&blocks), [("block_in_two_places", Severity::Error)]);
}

#[test]
fn finds_nesting_that_would_exhaust_a_stack() {
    let mut blocks = serde_json::Map::new();
    for i in 0..400 {
        let mut one =
            block("operator_not", json!(null), if i == 0 { json!(null) } else { json!(format!("b{}", i - 1)) });
        if i < 399 {
            one["inputs"] = json!({"OPERAND": [2, format!("b{}", i + 1)]});
        }
        blocks.insert(format!("b{i}"), one);
    }
    assert_eq!(with_blocks(&Value::Object(blocks)), [("nested_too_deep", Severity::Error)]);
}

#[test]
fn refuses_names_of_inherited_properties_where_the_machine_breaks_on_them_and_nowhere_else() {
    const REFUSED: [(&str, Severity); 1] = [("bad_id", Severity::Error)];
    let proto = |json: &str| serde_json::from_str::<Value>(json).unwrap();
    for key in ["variables", "lists", "broadcasts", "comments"] {
        assert_eq!(codes(|p| p.json["targets"][1][key] = proto(r#"{"__proto__": ["a", 0]}"#)), REFUSED, "{key}");
    }
    for id in INHERITED_PROPERTIES {
        assert_eq!(codes(|p| p.json["monitors"] = json!([{"id": id, "params": {}}])), REFUSED, "{id}");
        assert_eq!(codes(|p| p.json["monitors"] = json!([{"id": "a", "params": {"VARIABLE": id}}])), [], "{id}");
        // Names are texts, and go anywhere.
        assert_eq!(codes(|p| p.json["targets"][1]["variables"] = json!({"a": [id, 0]})), []);
        assert_eq!(codes(|p| p.json["targets"][1]["name"] = json!(id)), []);
        let mut mover = block("motion_movesteps", json!(null), json!(null));
        mover["inputs"] = json!({"STEPS": [1, [12, "a", id]]});
        assert_eq!(with_blocks(&json!({"a": mover})), REFUSED, "there is no such variable");
        mover["inputs"] = json!({"STEPS": [1, id]});
        let found = with_blocks(&json!({"a": mover}));
        assert!(found.contains(&REFUSED[0]), "there is no such block: {found:?}");
    }
    for id in INHERITED_PROPERTIES.into_iter().filter(|id| *id != "__proto__") {
        let change = |project: &mut Project| {
            let mut setter = block("data_setvariableto", json!(null), json!(null));
            setter["fields"] = json!({"VARIABLE": ["speed", id]});
            project.json["targets"][1]["variables"] = json!({id: ["speed", 0]});
            project.json["targets"][1]["blocks"] = json!({id: setter});
        };
        assert_eq!(codes(change), [], "{id}");
    }
    for id in [json!(["__proto__"]), json!(3), json!(null)] {
        assert_eq!(codes(|p| p.json["monitors"] = json!([{"id": id, "params": {}}])), REFUSED, "{id}");
    }
    let nested =
        proto(r#"{"a": {"opcode": "looks_show", "next": null, "parent": null, "fields": {"__proto__": ["x", null]}}}"#);
    assert_eq!(with_blocks(&nested), REFUSED);
}

#[test]
fn long_scripts_are_no_problem() {
    let mut blocks = serde_json::Map::new();
    for i in 0..20_000 {
        let next = if i < 19_999 { json!(format!("b{}", i + 1)) } else { json!(null) };
        let parent = if i == 0 { json!(null) } else { json!(format!("b{}", i - 1)) };
        blocks.insert(format!("b{i}"), block("looks_show", next, parent));
    }
    assert_eq!(with_blocks(&Value::Object(blocks)), []);
}

#[test]
fn says_where_a_problem_is() {
    let mut project = sound_project();
    project.json["targets"][1]["blocks"] = json!({"a": block("foo_bar", json!(null), json!(null))});
    let problem = &validate(&project)[0];
    assert_eq!((problem.target.as_deref(), problem.block.as_deref()), (Some("Ball"), Some("a")));
    assert!(problem.message.contains("foo_bar"), "{}", problem.message);
    assert_eq!(project.check().unwrap_err().code(), "unknown_opcode_prefix");
    assert!(sound_project().check().unwrap().is_empty());
}
