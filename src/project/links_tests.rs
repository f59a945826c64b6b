//! Files in which blocks hang together otherwise than the editor writes it, in all the shapes that are met: conversions from Scratch 2,
//! older editors, other tools. Whatever a file says beside what holds what, it is the same project.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::Project;
use crate::edit::{Edit, apply, canonical, fixture, inverse};
use crate::normalise::{is_left_alone, normalise};
use crate::view::target;

/// A game with a block of its own, a reporter on a menu, and a variable that lies alone.
fn game() -> Value {
    let mut project = fixture::project();
    let moth = &mut project["targets"][1]["blocks"];
    moth["define"] = json!({"opcode": "procedures_definition", "next": "dress", "parent": null, "inputs": {"custom_block": [1, "words"]},
        "fields": {}, "shadow": false, "topLevel": true, "x": 0, "y": 300});
    moth["words"] = json!({"opcode": "procedures_prototype", "next": null, "parent": "define", "inputs": {}, "fields": {}, "shadow": true,
        "topLevel": false, "mutation": {"tagName": "mutation", "children": [], "proccode": "dress", "argumentids": "[]", "warp": "false"}});
    moth["dress"] = json!({"opcode": "looks_switchcostumeto", "next": null, "parent": "define",
        "inputs": {"COSTUME": [3, "which", "covered"]}, "fields": {}, "shadow": false, "topLevel": false});
    moth["which"] = json!({"opcode": "looks_costumenumbername", "next": null, "parent": "dress", "inputs": {},
        "fields": {"NUMBER_NAME": ["name", null]}, "shadow": false, "topLevel": false});
    moth["covered"] = json!({"opcode": "looks_costume", "next": null, "parent": "dress", "inputs": {}, "fields": {"COSTUME": ["up", null]},
        "shadow": true, "topLevel": false});
    moth["alone"] = json!([12, "score", "score0", 5, 5]);
    canonical(&mut project);
    project
}

fn normal(mut project: Value) -> Value {
    normalise(&mut project, "salt");
    project
}

/// The blocks of the sprite.
fn blocks(project: &mut Value) -> &mut Map<String, Value> {
    project["targets"][1]["blocks"].as_object_mut().unwrap()
}

/// Kinds of oddities that [`odd`] makes.
const ODDITIES: u8 = 11;

/// Writes something about one of the sprite's blocks otherwise than the editor does.
fn odd(project: &mut Value, kind: u8, at: Index) {
    let blocks = blocks(project);
    let number = blocks.len();
    let ids: Vec<String> = blocks.iter().filter(|(_, block)| block.is_object()).map(|(id, _)| id.clone()).collect();
    let id = at.get(&ids).clone();
    let lost = json!({"opcode": "looks_hide", "next": id, "parent": null, "inputs": {}, "fields": {}, "shadow": false, "topLevel": false});
    let other = ids[(at.index(ids.len()) + 3) % ids.len()].clone();
    let block = blocks[&id].as_object_mut().unwrap();
    match kind {
        0 => drop(block.shift_remove("parent")),
        1 => drop(block.insert("parent".to_owned(), json!("nobody"))),
        2 => drop(block.insert("parent".to_owned(), json!(other))),
        3 => place_elsewhere(block),
        4 => drop(blocks.insert(format!("lost{number}"), lost)),
        5 if block["opcode"] == "looks_costume" => block["shadow"] = json!(false),
        6 => block["inputs"].as_object_mut().into_iter().flat_map(Map::values_mut).for_each(write_otherwise),
        7 => *block = std::mem::take(block).into_iter().rev().collect(),
        8 if block.get("next").is_some_and(Value::is_null) => drop(block.shift_remove("next")),
        9 => unfold(blocks, &id, &format!("value{number}")),
        10 if block.get("fields") == Some(&json!({})) => drop(block.shift_remove("fields")),
        _ => {}
    }
}

/// Production editors wrote covered defaults as first blocks of scripts; other tools leave the mark out.
fn place_elsewhere(block: &mut Map<String, Value>) {
    if block["shadow"] == true {
        for (key, value) in [("parent", Value::Null), ("topLevel", json!(true)), ("x", json!(7)), ("y", json!(9))] {
            block.insert(key.to_owned(), value);
        }
    } else if block.get("topLevel") != Some(&json!(true)) {
        block.shift_remove("topLevel");
    }
}

/// A slot with another number in front.
fn write_otherwise(slot: &mut Value) {
    match slot[0].as_u64() {
        Some(1) => slot[0] = json!(2),
        Some(2) => *slot = json!([3, slot[1], null]),
        _ => {}
    }
}

/// Numbers and texts in the slots of a block as blocks of their own.
fn unfold(blocks: &mut Map<String, Value>, id: &str, name: &str) {
    let inputs = blocks[id]["inputs"].as_object_mut().unwrap();
    let value =
        inputs.values_mut().find(|slot| slot[0] == 1 && slot[1][0].as_u64().is_some_and(|kind| kind < LAST_DEFAULT));
    let Some(slot) = value else { return };
    let (opcode, _, field) = INLINE.iter().find(|(_, kind, _)| slot[1][0] == *kind).unwrap();
    let fields = json!({(*field): [slot[1][1]]});
    let block =
        json!({"opcode": opcode, "next": null, "inputs": {}, "fields": fields, "shadow": true, "topLevel": false});
    slot[1] = json!(name);
    blocks.insert(name.to_owned(), block);
}

/// An edit of each kind at each block.
fn edits(project: &Value) -> Vec<Edit> {
    let mut all = Vec::new();
    for view in crate::view::targets(project) {
        let sprite_id = view.sprite_id();
        for block in view.blocks() {
            let edit = |edit: Value| serde_json::from_value(edit).unwrap();
            all.push(edit(json!({"op": "remove", "sprite_id": sprite_id, "block_id": block.id})));
            all.extend(block.inputs().map(|input| {
                let path = format!("inputs/{}", input.name);
                edit(json!({"op": "modify", "sprite_id": sprite_id, "block_id": block.id, "path": path, "value": "7"}))
            }));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn whatever_a_file_says_of_its_blocks_it_is_the_same_project(
        oddities in proptest::collection::vec((0..ODDITIES, any::<Index>()), 0..14)
    ) {
        let mut project = game();
        for (kind, at) in &oddities {
            odd(&mut project, *kind, *at);
        }
        prop_assert_eq!(normal(project).to_string(), normal(game()).to_string());
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_normalised_project_is_left_alone_and_what_is_done_to_it_is_undone_to_the_byte(
        oddities in proptest::collection::vec((0..ODDITIES, any::<Index>()), 0..6), cuts in proptest::collection::vec(any::<Index>(), 0..4)
    ) {
        let mut project = game();
        for (kind, at) in &oddities {
            odd(&mut project, *kind, *at);
        }
        // References to nothing, and to what has its place elsewhere.
        for cut in &cuts {
            let ids: Vec<String> = blocks(&mut project).keys().cloned().collect();
            let block = cut.get(&ids).clone();
            let to = if cut.index(2) == 0 { "nobody".to_owned() } else { ids[cut.index(ids.len() - 1)].clone() };
            if let Some(block) = blocks(&mut project)[&block].as_object_mut() {
                block.insert("next".to_owned(), json!(to));
            }
        }
        let project = normal(project);
        prop_assert!(is_left_alone(&project));
        prop_assert_eq!(inverse(&project, &[]).unwrap(), Some(Vec::new()));
        let file = Project { json: project.clone(), assets: BTreeMap::new() };
        prop_assert_eq!(Project::read(&file.pack().unwrap()).unwrap().json.to_string(), project.to_string());
        let problems = crate::validate(&file);
        prop_assert!(problems.iter().all(|problem| problem.block.is_none()), "{problems:?}");
        let mut undone = 0;
        for edit in edits(&project) {
            let patch = [edit];
            let Ok(Some(back)) = inverse(&project, &patch) else { continue };
            let there = apply(&project, &patch).unwrap();
            prop_assert_eq!(apply(&there, &back).unwrap().to_string(), project.to_string());
            undone += 1;
        }
        prop_assert!(undone > 3, "{undone} edits can be undone");
    }
}

#[test]
fn a_project_without_parents_keeps_all_that_its_blocks_refer_to() {
    let mut raw = game();
    for target in raw["targets"].as_array_mut().unwrap() {
        for block in target["blocks"].as_object_mut().unwrap().values_mut().filter_map(Value::as_object_mut) {
            block.shift_remove("parent");
        }
    }
    let menu = target(&raw, "Moth").unwrap().holder("covered").map(|holder| holder.id);
    assert_eq!((menu, target(&raw, "Moth").unwrap().root("which")), (Some("dress"), "define"));
    let same = apply(&raw, &[]).unwrap();
    let ids =
        |project: &Value| project["targets"][1]["blocks"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(ids(&same), ids(&raw), "nothing is dropped");
    let moth = &same["targets"][1]["blocks"];
    assert_eq!(
        [&moth["words"]["parent"], &moth["covered"]["parent"], &moth["say"]["parent"]],
        ["define", "dress", "count"]
    );
    assert_eq!(normal(raw).to_string(), normal(game()).to_string());
}

#[test]
fn what_refers_to_nothing_or_a_second_time_is_cut_and_no_block_that_is_seen_is_lost() {
    let block = |opcode: &str, next: Value, top: bool| json!({"opcode": opcode, "next": next, "inputs": {}, "fields": {}, "topLevel": top});
    let mut blocks = json!({
        "hat": block("event_whenflagclicked", json!("a"), true),
        "a": block("looks_say", json!("nobody"), false),
        "twice": block("operator_add", json!(null), false),
        "one": block("looks_show", json!("two"), false),
        "two": block("looks_hide", json!("one"), false),
        "orphan": block("looks_show", json!("loose"), false),
        "loose": block("looks_hide", json!("second"), true),
        "second": block("event_whenthisspriteclicked", json!(null), true),
        "unplaced": [12, "score", "score0"],
        "placed": [12, "score", "score0", 1, 2],
        "nothing": {},
    });
    blocks["a"]["inputs"] = json!({"V": [3, "nobody", [10, "x"]], "W": [1, "nobody"], "X": [2, "twice"], "Y": [2, "twice"],
        "Z": [3, "twice", [4, "1"]], "NO": "list"});
    mend(blocks.as_object_mut().unwrap());
    let ids: Vec<&String> = blocks.as_object().unwrap().keys().collect();
    assert_eq!(ids, ["hat", "a", "twice", "loose", "second", "placed"]);
    assert_eq!(blocks["a"]["inputs"], json!({"V": [1, [10, "x"]], "X": [2, "twice"], "Z": [1, [4, "1"]]}));
    assert_eq!([&blocks["a"]["next"], &blocks["loose"]["next"]], [&json!(null); 2], "a hat is below nothing");
    let hangs = |id: &str| (blocks[id]["parent"].clone(), blocks[id]["topLevel"] == true);
    assert_eq!([hangs("a"), hangs("twice")], [(json!("hat"), false), (json!("a"), false)]);
    assert_eq!([hangs("hat"), hangs("loose"), hangs("second")], std::array::from_fn(|_| (json!(null), true)));
}

#[test]
fn a_target_of_an_older_editor_gets_what_it_leaves_out() {
    let hat = json!({"opcode": "event_whenflagclicked", "topLevel": true});
    let project = json!({"targets": [{"isStage": true, "name": "Stage", "currentCostume": 9, "blocks": {"hat": hat}},
        {"isStage": false, "name": "Moth"}]});
    let project = normal(project);
    for key in ["variables", "lists", "broadcasts", "comments"] {
        assert_eq!(project["targets"][0][key], json!({}), "{key}");
    }
    assert_eq!(project["targets"][1]["blocks"], json!({}));
    assert!(is_left_alone(&project));
}
