//! Which faults fit a project as converters leave it, without a browser, and what those that fit none are called.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::plan::{feasible, plan};
use super::super::rules::Rules;
use super::*;
use crate::bugs::{Pool, PoolEntry};
use crate::inject::{Pattern, sites};
use crate::model::sha256_hex;
use crate::project::normalise::{is_left_alone, new_id, normalise};

/// A stage with a block of its own whose words, like a menu, name no parent: what holds them is all that refers to them.
fn converted() -> Project {
    let block = |opcode: &str, next: Value, top: bool, inputs: Value, fields: Value| {
        let links = json!({"opcode": opcode, "next": next, "inputs": inputs, "fields": fields});
        let mut block = json!({"shadow": false, "topLevel": top, "x": 0, "y": 0});
        block.as_object_mut().unwrap().extend(links.as_object().unwrap().clone());
        block
    };
    let (none, score) = (|| json!({}), || json!({"VARIABLE": ["score", "score"]}));
    let mut blocks = json!({
        "flag": block("event_whenflagclicked", json!("reset"), true, none(), none()),
        "reset": block("data_setvariableto", json!("loop"), false, json!({"VALUE": [1, [10, "0"]]}), score()),
        "loop": block("control_forever", json!(null), false, json!({"SUBSTACK": [1, "wait"]}), none()),
        "wait": block("control_wait", json!(null), false, json!({"DURATION": [1, [5, 1]]}), none()),
        "key": block("event_whenkeypressed", json!("count"), true, none(), json!({"KEY_OPTION": ["space"]})),
        "count": block("data_changevariableby", json!("say"), false, json!({"VALUE": [1, [4, 1]]}), score()),
        "say": block("looks_say", json!("call"), false, json!({"MESSAGE": [3, [12, "score", "score"], [10, ""]]}), none()),
        "call": block("procedures_call", json!(null), false, none(), none()),
        "define": block("procedures_definition", json!("dress"), true, json!({"custom_block": [1, "words"]}), none()),
        "words": block("procedures_prototype", json!(null), false, none(), none()),
        "dress": block("looks_switchbackdropto", json!(null), false, json!({"BACKDROP": [1, "menu"]}), none()),
        "menu": block("looks_backdrops", json!(null), false, none(), json!({"BACKDROP": ["night"]})),
    });
    for id in ["call", "words"] {
        blocks[id]["mutation"] =
            json!({"tagName": "mutation", "children": [], "proccode": "dress", "argumentids": "[]", "warp": "false"});
    }
    let asset = "0".repeat(32);
    let costumes = ["night", "day"].map(|name| json!({"name": name, "assetId": asset, "dataFormat": "svg"}));
    let stage = json!({"isStage": true, "name": "Stage", "variables": {"score": ["score", 0]}, "blocks": blocks, "costumes": costumes,
        "sounds": []});
    Project { json: json!({"targets": [stage], "monitors": [], "extensions": [], "meta": {}}), assets: BTreeMap::new() }
}

fn normal() -> Project {
    let mut project = converted();
    normalise(&mut project.json, "salt");
    project
}

#[test]
fn faults_fit_a_project_whose_blocks_name_no_parents() {
    assert!(!is_left_alone(&converted().json), "as it is, nothing could be taken back to the byte");
    let project = normal();
    assert!(is_left_alone(&project.json));
    let (feasible, unsound) = feasible(&project, &sites(&project.json));
    for pattern in [Pattern::MissingInitialization, Pattern::SpriteStateMismatch] {
        assert!(feasible.contains(&pattern), "{feasible:?} {unsound:?}");
    }
}

#[test]
fn planning_tells_how_many_projects_it_has_looked_at() {
    let place = tempfile::tempdir().unwrap();
    let mut pool = Pool::create(place.path(), "none").unwrap();
    let mut project = normal();
    project.json["meta"]["semver"] = json!("3.0.0");
    let golden = project.pack().unwrap();
    for id in ["lamp", "moth"] {
        let entry = PoolEntry { id: id.to_owned(), sha256: sha256_hex(&golden), group: id.to_owned() };
        pool.add(entry, &golden).unwrap();
    }
    let told = RefCell::new(Vec::new());
    let planned = plan(&pool, &Rules::default(), &|number| told.borrow_mut().push(number)).unwrap();
    assert_eq!((planned.len(), told.into_inner()), (2, vec![1, 2]));
}

#[test]
fn each_way_of_being_unsound_has_its_code() {
    let project = normal();
    let id = |block: &str| new_id("salt", "Stage", block);
    let code = |mut edit: Value, block: &str| {
        (edit["sprite_id"], edit["block_id"]) = (json!("Stage"), json!(id(block)));
        let candidate = Candidate {
            pattern: Pattern::MissingInitialization,
            operator: "MI.delete",
            sprite_id: "Stage".to_owned(),
            script: id("flag"),
            block_id: id(block),
            statement: id(block),
            messages: Vec::new(),
            path: "0.1".to_owned(),
            variant: String::new(),
            patch: vec![serde_json::from_value(edit).unwrap()],
        };
        proven(&project, &candidate).map_or_else(|why| why.code, |_| "sound".to_owned())
    };
    let zero = json!({"op": "modify", "path": "inputs/VALUE", "value": "0"});
    assert_eq!(code(json!({"op": "remove"}), "reset"), "sound");
    assert_eq!(code(zero, "reset"), "unchanged");
    assert_eq!(code(json!({"op": "remove"}), "loop"), "no_inverse");
    assert_eq!(code(json!({"op": "remove"}), "nobody"), "edit_refused");
}
