//! Files that other editors wrote go through a text and back, and keep their program.
//!
//! The scripts of the fixture are written by hand as the file format allows and this editor would not write them: ids
//! with odd characters, the mutation `hasnext`, mouths that hold nothing by name, names that look like notation, one
//! name for a variable, a list, a parameter and a block.

use serde_json::{Map, Value, json};

use scratchbed::compile::{Source, compile, decompile};
use scratchbed::page::Page;
use scratchbed::project::Project;

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::root;
use crate::support::text_builds::build_text;

/// A project of the fixture's scripts, with the pictures and sounds of another one.
async fn awkward(page: &Page) -> Project {
    let folder = root().join("tests/fixtures/projects");
    let kite = Source::read(&folder.join("kite/project.txt")).unwrap();
    let mut project = compile(page, &kite).await.unwrap();
    let scripts: Value = serde_json::from_slice(&std::fs::read(folder.join("awkward/scripts.json")).unwrap()).unwrap();
    for (at, name) in ["stage", "sprite"].into_iter().enumerate() {
        for (part, value) in scripts[name].as_object().unwrap() {
            project.json["targets"][at][part] = value.clone();
        }
    }
    for target in project.json["targets"].as_array_mut().unwrap().iter_mut().skip(2) {
        target["blocks"] = Value::Object(Map::new());
    }
    project.json["monitors"] = Value::Array(Vec::new());
    project
}

/// Names with values, whatever their ids are. A cloud variable becomes a plain one.
fn values(declared: &Value, parts: usize) -> Vec<String> {
    let each = |one: &Value| json!(one.as_array().unwrap().iter().take(parts).collect::<Vec<_>>()).to_string();
    let mut all: Vec<String> = declared.as_object().unwrap().values().map(each).collect();
    all.sort();
    all
}

/// The scripts of a target as trees, without ids and places, in an order of their own. This does not go by notation:
/// that is what it tests.
fn scripts(target: &Value) -> Vec<String> {
    let blocks = target["blocks"].as_object().unwrap();
    let first = blocks.iter().filter(|(_, block)| block.is_array() || block["topLevel"] == true);
    let mut all: Vec<String> = first.map(|(id, _)| tree(target, id).to_string()).collect();
    all.sort();
    all
}

fn tree(target: &Value, id: &str) -> Value {
    let block = &target["blocks"][id];
    if block.is_array() {
        return json!([block[0], block[1]]);
    }
    let mutation = &block["mutation"];
    let arguments: Vec<String> =
        mutation["argumentids"].as_str().map(|ids| serde_json::from_str(ids).unwrap()).unwrap_or_default();
    let inputs: Map<String, Value> = block["inputs"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, held)| !held[1].is_null())
        .map(|(name, held)| {
            let name = arguments.iter().position(|id| id == name).map_or(name.clone(), |at| at.to_string());
            (name, slot(target, held))
        })
        .collect();
    // Scratch 2's word for the same, which the editor no longer has.
    let value = |held: &Value| {
        if held[0] == "other scripts in stage" { json!("other scripts in sprite") } else { held[0].clone() }
    };
    let fields: Map<String, Value> =
        block["fields"].as_object().unwrap().iter().map(|(name, held)| (name.clone(), value(held))).collect();
    // Scratch 2's parameters for numbers take texts as well, now as then.
    let label = mutation["proccode"].as_str().map(|label| label.replace("%n", "%s"));
    let told = ["argumentnames", "warp"].map(|name| &mutation[name]);
    json!({
        "opcode": block["opcode"], "inputs": inputs, "fields": fields,
        "label": label, "mutation": told,
        "comment": block["comment"].as_str().map(|id| target["comments"][id]["text"].clone()),
        "next": block["next"].as_str().map(|id| tree(target, id)),
    })
}

/// What a slot holds. What lies hidden below a reporter is the editor's default again.
fn slot(target: &Value, held: &Value) -> Value {
    match &held[1] {
        Value::String(id) => tree(target, id),
        primitive => json!([primitive[0], primitive[1]]),
    }
}

#[test]
fn a_foreign_file_keeps_its_program_on_the_way_through_text() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        let before = awkward(page).await;
        let (text, parts) = decompile(&before.write().unwrap()).unwrap();
        let built = build_text(page, &text, &parts.files).await;
        let after = built.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let (again, _) = decompile(&after.write().unwrap()).unwrap();
        assert_eq!(text, again, "canonical text comes back the same");
        for at in 0..2 {
            let (before, after) = (&before.json["targets"][at], &after.json["targets"][at]);
            let wanted = scripts(before);
            assert!(!wanted.is_empty());
            assert_eq!(wanted, scripts(after), "{text}");
            for (part, shown) in [("variables", 2), ("lists", 2)] {
                assert_eq!(values(&before[part], shown), values(&after[part], shown), "{text}");
            }
        }
        fleet.release(lease).await;
    });
}
