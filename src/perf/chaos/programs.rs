//! Project files with which an agent could try to break the testbed: programs that consume memory or time, huge
//! pictures, and damaged archives.

use std::collections::BTreeMap;

use rand::RngExt as _;
use rand_pcg::Pcg64;
use serde_json::{Map, Value, json};

use crate::model::md5_hex;
use crate::project::Project;

/// Any of them, with its name.
pub(super) fn any(random: &mut Pcg64) -> (&'static str, Vec<u8>) {
    let plain = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='40' height='40'/></svg>";
    match random.random_range(0..8) {
        0 => ("string bomb", archive(&string_bomb(), plain)),
        1 => ("clone storm", archive(&clone_storm(), plain)),
        2 => ("nested blocks", archive(&nested(250), plain)),
        3 => ("list flood", archive(&list_flood(), plain)),
        4 => ("endless loop", archive(&endless(), plain)),
        5 => ("huge picture", archive(&Map::new(), &huge_picture())),
        6 => ("damaged archive", damaged(random, &archive(&clone_storm(), plain))),
        _ => ("noise", noise(random)),
    }
}

fn block(opcode: &str, next: Option<&str>, inputs: &Value, fields: &Value, top: bool) -> Value {
    json!({
        "opcode": opcode, "next": next, "parent": null, "inputs": inputs, "fields": fields, "shadow": false,
        "topLevel": top, "x": 0, "y": 0
    })
}

fn script(blocks: Vec<(&str, Value)>) -> Map<String, Value> {
    blocks.into_iter().map(|(id, block)| (id.to_owned(), block)).collect()
}

fn flag(next: &str) -> (&'static str, Value) {
    ("flag", block("event_whenflagclicked", Some(next), &json!({}), &json!({}), true))
}

/// Doubles a text until nothing can hold it.
fn string_bomb() -> Map<String, Value> {
    let variable = json!([3, [12, "text", "text"], [10, ""]]);
    let joined = json!({"STRING1": variable, "STRING2": variable});
    script(vec![
        flag("first"),
        ("first", block("data_setvariableto", Some("loop"), &json!({"VALUE": [1, [10, "ab"]]}), &to("text"), false)),
        ("loop", block("control_forever", None, &json!({"SUBSTACK": [2, "double"]}), &json!({}), false)),
        ("double", block("data_setvariableto", None, &json!({"VALUE": [3, "join", [10, ""]]}), &to("text"), false)),
        ("join", block("operator_join", None, &joined, &json!({}), false)),
    ])
}

fn to(name: &str) -> Value {
    json!({"VARIABLE": [name, name]})
}

/// Every clone makes more clones.
fn clone_storm() -> Map<String, Value> {
    let create = json!({"CLONE_OPTION": [1, "menu"]});
    let again = json!({"CLONE_OPTION": [1, "menu2"]});
    let me = json!({"CLONE_OPTION": ["_myself_", null]});
    let mut menu = block("control_create_clone_of_menu", None, &json!({}), &me, false);
    menu["shadow"] = true.into();
    script(vec![
        flag("loop"),
        ("loop", block("control_forever", None, &json!({"SUBSTACK": [2, "clone"]}), &json!({}), false)),
        ("clone", block("control_create_clone_of", None, &create, &json!({}), false)),
        ("menu", menu.clone()),
        ("start", block("control_start_as_clone", Some("loop2"), &json!({}), &json!({}), true)),
        ("loop2", block("control_forever", None, &json!({"SUBSTACK": [2, "clone2"]}), &json!({}), false)),
        ("clone2", block("control_create_clone_of", None, &again, &json!({}), false)),
        ("menu2", menu),
    ])
}

/// Conditions inside of conditions.
fn nested(depth: usize) -> Map<String, Value> {
    let mut blocks: Map<String, Value> = (0..depth)
        .map(|level| {
            let inputs =
                if level + 1 < depth { json!({"SUBSTACK": [2, format!("level{}", level + 1)]}) } else { json!({}) };
            (format!("level{level}"), block("control_forever", None, &inputs, &json!({}), false))
        })
        .collect();
    let (id, top) = flag("level0");
    blocks.insert(id.to_owned(), top);
    blocks
}

/// Adds to a list in every turn of an endless loop.
fn list_flood() -> Map<String, Value> {
    let item = json!({"ITEM": [1, [10, "0123456789abcdef0123456789abcdef"]]});
    script(vec![
        flag("loop"),
        ("loop", block("control_forever", None, &json!({"SUBSTACK": [2, "inner"]}), &json!({}), false)),
        (
            "inner",
            block(
                "control_repeat",
                None,
                &json!({"TIMES": [1, [6, "5000"]], "SUBSTACK": [2, "add"]}),
                &json!({}),
                false,
            ),
        ),
        ("add", block("data_addtolist", None, &item, &json!({"LIST": ["items", "items"]}), false)),
    ])
}

/// A loop in a procedure that runs without screen refresh and never ends.
fn endless() -> Map<String, Value> {
    let mutation = json!({
        "tagName": "mutation", "children": [], "proccode": "spin", "argumentids": "[]", "argumentnames": "[]",
        "argumentdefaults": "[]", "warp": "true"
    });
    let mut prototype = block("procedures_prototype", None, &json!({}), &json!({}), false);
    prototype["shadow"] = true.into();
    prototype["mutation"] = mutation.clone();
    let mut call = block("procedures_call", None, &json!({}), &json!({}), false);
    call["mutation"] = mutation;
    script(vec![
        flag("call"),
        ("call", call),
        (
            "define",
            block("procedures_definition", Some("loop"), &json!({"custom_block": [1, "proto"]}), &json!({}), true),
        ),
        ("proto", prototype),
        ("loop", block("control_forever", None, &json!({"SUBSTACK": [2, "move"]}), &json!({}), false)),
        ("move", block("motion_movesteps", None, &json!({"STEPS": [1, [4, "1"]]}), &json!({}), false)),
    ])
}

fn huge_picture() -> String {
    let blur = "<filter id='f'><feGaussianBlur stdDeviation='90'/></filter>";
    let shapes = "<circle cx='9000' cy='9000' r='8000' filter='url(#f)'/>".repeat(200);
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='20000' height='20000'>{blur}{shapes}</svg>")
}

fn archive(blocks: &Map<String, Value>, picture: &str) -> Vec<u8> {
    let digest = md5_hex(picture.as_bytes());
    let file = format!("{digest}.svg");
    let costume = json!({
        "name": "one", "assetId": digest, "md5ext": file, "dataFormat": "svg", "bitmapResolution": 1,
        "rotationCenterX": 20, "rotationCenterY": 20
    });
    let sprite = json!({
        "isStage": false, "name": "Sprite1", "variables": {"text": ["text", ""]}, "lists": {"items": ["items", []]},
        "broadcasts": {}, "blocks": blocks, "comments": {}, "currentCostume": 0, "costumes": [costume], "sounds": [],
        "volume": 100, "layerOrder": 1, "visible": true, "x": 0, "y": 0, "size": 100, "direction": 90,
        "draggable": false, "rotationStyle": "all around"
    });
    let stage = json!({
        "isStage": true, "name": "Stage", "variables": {}, "lists": {}, "broadcasts": {}, "blocks": {}, "comments": {},
        "currentCostume": 0, "costumes": [costume], "sounds": [], "volume": 100, "layerOrder": 0, "tempo": 60,
        "videoTransparency": 50, "videoState": "on", "textToSpeechLanguage": null
    });
    let json = json!({
        "targets": [stage, sprite], "monitors": [], "extensions": [],
        "meta": {"semver": "3.0.0", "vm": "0.2.0", "agent": "scratchbed"}
    });
    let assets = BTreeMap::from([(file, picture.as_bytes().to_vec())]);
    Project { json, assets }.write().unwrap_or_default()
}

fn damaged(random: &mut Pcg64, sb3: &[u8]) -> Vec<u8> {
    let mut bytes = sb3.to_vec();
    for _ in 0..random.random_range(1..20) {
        let place = random.random_range(0..bytes.len());
        if let Some(byte) = bytes.get_mut(place) {
            *byte ^= random.random_range(1..=255_u8);
        }
    }
    bytes.truncate(random.random_range(bytes.len() / 2..=bytes.len()));
    bytes
}

fn noise(random: &mut Pcg64) -> Vec<u8> {
    (0..random.random_range(0..1 << 20)).map(|_| random.random()).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;
    use crate::model::Coded;

    #[test]
    fn programs_that_are_meant_to_load_pass_the_checks() {
        for blocks in [string_bomb(), clone_storm(), list_flood(), endless()] {
            let project = Project::read(&archive(&blocks, "<svg xmlns='http://www.w3.org/2000/svg'/>")).unwrap();
            project.check().unwrap();
        }
        let deep = Project::read(&archive(&nested(250), "<svg xmlns='http://www.w3.org/2000/svg'/>")).unwrap();
        assert_eq!(deep.check().unwrap_err().code(), "nested_too_deep");
    }

    #[test]
    fn a_seed_gives_the_same_files_again() {
        let draw = |seed| {
            let mut random = Pcg64::seed_from_u64(seed);
            (0..20).map(|_| any(&mut random)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
    }
}
