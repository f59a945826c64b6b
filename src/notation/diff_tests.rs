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
