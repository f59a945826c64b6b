//! A project for tests of patches: the game of `crate::edit`, with a list, a block of its own, ids that need escapes, and properties.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{Project, edit};

/// Id of a block that needs escapes in a pointer.
pub(super) const AWKWARD: &str = "xQ/a~b";

/// The game as `project.json`.
pub(super) fn game() -> Value {
    let mut game = edit::fixture::project();
    let asset = "0123456789abcdef0123456789abcdef";
    for target in game["targets"].as_array_mut().unwrap() {
        target["costumes"] =
            json!([{"name": "up", "assetId": asset, "dataFormat": "svg", "md5ext": format!("{asset}.svg")}]);
        target["sounds"] = json!([]);
        target["currentCostume"] = json!(0);
        target["volume"] = json!(100);
    }
    game["targets"][0]["tempo"] = json!(60);
    let moth = &mut game["targets"][1];
    for (key, value) in [("x", json!(0)), ("y", json!(-20.5)), ("size", json!(100)), ("visible", json!(true))] {
        moth[key] = value;
    }
    moth["variables"]["own~1/"] = json!(["speed", 4]);
    moth["lists"]["caught0"] = json!(["caught", ["one", 2, "three"]]);
    let mutation = json!({"tagName": "mutation", "children": [], "proccode": "leap %s", "argumentids": "[\"arg0\"]",
        "argumentnames": "[\"far\"]", "argumentdefaults": "[\"\"]", "warp": "false"});
    let block = |opcode: &str, inputs: Value, fields: Value| json!({"opcode": opcode, "next": null, "parent": null, "inputs": inputs, "fields": fields, "shadow": false, "topLevel": false});
    let mut define = block("procedures_definition", json!({"custom_block": [1, "prototype"]}), json!({}));
    (define["topLevel"], define["next"]) = (json!(true), json!(AWKWARD));
    let mut prototype = block("procedures_prototype", json!({}), json!({}));
    (prototype["shadow"], prototype["parent"], prototype["mutation"]) =
        (json!(true), json!("define"), mutation.clone());
    let mut put = block(
        "data_addtolist",
        json!({"ITEM": [3, [12, "speed", "own~1/"], [10, ""]]}),
        json!({"LIST": ["caught", "caught0"]}),
    );
    (put["parent"], put["next"]) = (json!("define"), json!("call"));
    let mut call = block("procedures_call", json!({"arg0": [1, [10, "3"]]}), json!({}));
    (call["parent"], call["mutation"]) = (json!(AWKWARD), mutation);
    for (id, block) in [("define", define), ("prototype", prototype), (AWKWARD, put), ("call", call)] {
        moth["blocks"][id] = block;
    }
    moth["blocks"]["alone"] = json!([13, "caught", "caught0", 5, 6]);
    game["monitors"] = json!([]);
    game["extensions"] = json!(["pen"]);
    game["meta"] = json!({"semver": "3.0.0", "vm": "15.1.1", "agent": ""});
    game
}

/// JSON as a project, with the game's one picture.
pub(super) fn project(json: Value) -> Project {
    let name = "0123456789abcdef0123456789abcdef.svg".to_owned();
    Project { json, assets: BTreeMap::from([(name, Vec::new())]) }
}
