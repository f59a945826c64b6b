//! Differences of two projects, in words.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;

#[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn block(opcode: &str, next: Option<String>, parent: Option<String>, steps: u32) -> Value {
    json!({
        "opcode": opcode, "next": next, "parent": parent, "inputs": {"STEPS": [1, [4, steps.to_string()]]},
        "fields": {}, "shadow": false, "topLevel": parent.is_none(), "x": 0, "y": 0
    })
}

/// A sprite with one script of moves.
fn project(steps: &[u32], variable: &str) -> Project {
    let mut blocks = serde_json::Map::new();
    for (i, count) in steps.iter().enumerate() {
        let next = (i + 1 < steps.len()).then(|| format!("b{}", i + 1));
        let parent = i.checked_sub(1).map(|above| format!("b{above}"));
        blocks.insert(format!("b{i}"), block("motion_movesteps", next, parent, *count));
    }
    let json = json!({"targets": [
        {"isStage": true, "name": "Stage", "variables": {}, "blocks": {}},
        {"isStage": false, "name": "Ball", "variables": {"v": [variable, 0]}, "blocks": blocks}
    ]});
    Project { json, assets: BTreeMap::new() }
}

#[test]
fn equal_projects_do_not_differ() {
    assert_eq!(diff(&project(&[1, 2], "a"), &project(&[1, 2], "a")), []);
}

#[test]
fn names_the_blocks_that_changed() {
    let found = diff(&project(&[1, 2, 3], "a"), &project(&[1, 5, 3, 4], "b"));
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].target.as_str(), &found[0].added_names, &found[0].removed_names),
        ("Ball", &vec!["b".to_owned()], &vec!["a".to_owned()])
    );
    let [script] = found[0].scripts.as_slice() else { panic!("{found:?}") };
    assert_eq!((script.before, script.after, script.changed_blocks()), (Some(0), Some(0), 3));
    let changes: Vec<Change> = script.lines.iter().map(|(change, _)| *change).collect();
    assert_eq!(changes, [Change::Kept, Change::Removed, Change::Added, Change::Kept, Change::Added]);
}

#[test]
fn scripts_without_a_counterpart_are_new_or_gone() {
    let found = diff(&project(&[1], "a"), &project(&[2], "a"));
    let sides: Vec<_> = found[0].scripts.iter().map(|script| (script.before, script.after)).collect();
    assert_eq!(sides, [(Some(0), None), (None, Some(0))]);
    assert_eq!(diff(&project(&[], "a"), &project(&[2], "a"))[0].scripts.len(), 1);
}

/// A stage and a sprite with these variables, and a script that sets the one of an id.
fn of_names(stage: &Value, sprite: &Value, id: &str) -> Project {
    let set = json!({"opcode": "data_setvariableto", "next": null, "parent": null, "inputs": {"VALUE": [1, [10, "0"]]},
        "fields": {"VARIABLE": ["score", id]}, "shadow": false, "topLevel": true, "x": 0, "y": 0});
    let json = json!({"targets": [
        {"isStage": true, "name": "Stage", "variables": stage, "blocks": {}},
        {"isStage": false, "name": "Ball", "variables": sprite, "blocks": {"set": set}}
    ]});
    Project { json, assets: BTreeMap::new() }
}

#[test]
fn variables_of_one_name_are_told_apart() {
    let (stage, own) = (json!({"s": ["score", 0]}), json!({"o": ["score", 0]}));
    let lines = |before: &Project, after: &Project| -> Vec<String> {
        let scripts = diff(before, after).into_iter().flat_map(|target| target.scripts);
        let lines = scripts.flat_map(|script| script.lines).filter(|(change, _)| *change != Change::Kept);
        lines.map(|(_, line)| line).collect()
    };
    let of_stage = of_names(&stage, &json!({}), "s");
    // The text of each alone says `score`.
    assert_eq!(
        lines(&of_stage, &of_names(&stage, &own, "o")),
        ["set [Stage's score v] to [0]", "set [score v] to [0]"]
    );
    // The text of each alone differs, and the same variable is set.
    assert_eq!(lines(&of_stage, &of_names(&stage, &own, "s")), [""; 0]);
    let two = json!({"s": ["score", 0], "t": ["score", 0]});
    let found = diff(&of_stage, &of_names(&two, &json!({}), "t"));
    assert_eq!(found[0].added_names, ["score #2"]);
    assert_eq!(
        lines(&of_stage, &of_names(&two, &json!({}), "t")),
        ["set [score v] to [0]", "set [Stage's score #2 v] to [0]"]
    );
}

#[test]
fn a_list_in_the_place_of_a_variable_is_another_thing() {
    let mut after = project(&[1], "a");
    after.json["targets"][1]["variables"] = json!({});
    after.json["targets"][1]["lists"] = json!({"v": ["a", []]});
    let found = diff(&project(&[1], "a"), &after);
    assert_eq!(
        (found[0].added_names.as_slice(), found[0].removed_names.as_slice()),
        (["a".to_owned()].as_slice(), ["a".to_owned()].as_slice())
    );
}
