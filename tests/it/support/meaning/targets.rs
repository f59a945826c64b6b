//! What a target is before anything runs: its state, costumes, sounds, variables and lists
//! (`serialization/sb3.js`, `parseScratchObject`; `sprites/rendered-target.js` has what holds where a file says nothing).

use std::collections::BTreeSet;

use scratchbed::model::sha256_hex;
use scratchbed::project::Project;
use serde_json::{Value, json};

use super::fields::stored;
use super::javascript::number_text;
use super::program::{Kind, Program, Target, Variable};
use super::variables::unused_name;

/// The kinds of pictures that have no resolution.
const DRAWN: &str = "svg";

/// Where a target lies among the others, from the back; scripts start in this order too
/// (`virtual-machine.js`, `installTargets`).
pub fn rank(program: &Program, at: usize) -> usize {
    let layer = |target: &Target| target.json["layerOrder"].as_i64().unwrap_or_default();
    let mut order: Vec<usize> = (0..program.targets.len()).collect();
    order.sort_by_key(|number| layer(&program.targets[*number]));
    order.iter().position(|number| *number == at).unwrap_or_default()
}

/// Place, looks and other settings.
pub fn state(target: &Target) -> Value {
    let json = &target.json;
    let number = |key: &str, default: f64| rounded(json[key].as_f64().unwrap_or(default));
    let or = |key: &str, default: Value| if json[key].is_null() { default } else { json[key].clone() };
    let costume = json["currentCostume"].as_u64().unwrap_or_default();
    let last = json["costumes"].as_array().map_or(0, Vec::len).saturating_sub(1) as u64;
    let mut state = json!({"volume": number("volume", 100.0), "costume": costume.min(last)});
    let others = if target.is_stage {
        json!({
            "tempo": number("tempo", 60.0),
            "video": or("videoState", json!("on")),
            "video transparency": number("videoTransparency", 50.0),
            "speech language": json["textToSpeechLanguage"],
        })
    } else {
        json!({
            "x": number("x", 0.0),
            "y": number("y", 0.0),
            "size": number("size", 100.0),
            "direction": rounded(wrapped(json["direction"].as_f64().unwrap_or(90.0))),
            "rotation": or("rotationStyle", json!("all around")),
            "visible": or("visible", json!(true)),
            "draggable": or("draggable", json!(false)),
        })
    };
    state.as_object_mut().unwrap().extend(others.as_object().unwrap().clone());
    state
}

/// A number to nine decimals: no more of them are promised.
pub fn rounded(number: f64) -> String {
    const DECIMALS: f64 = 1e9;
    let rounded = (number * DECIMALS).round() / DECIMALS;
    number_text(if rounded.is_finite() { rounded } else { number })
}

/// A direction from -179 to 180 (`util/math-util.js`, `wrapClamp`).
fn wrapped(direction: f64) -> f64 {
    direction - ((direction + 179.0) / 360.0).floor() * 360.0
}

/// Costumes in order. Of those with one name, all but the first get another (`sprites/sprite.js`, `addCostumeAt`). A
/// bitmap without a resolution is taken for one of double density (`import/load-costume.js`).
pub fn costumes(project: &Project, target: &Target) -> Vec<Value> {
    let mut names: Vec<String> = Vec::new();
    let all = target.json["costumes"].as_array().into_iter().flatten();
    all.map(|costume| {
        let name = unused_name(costume["name"].as_str().unwrap_or_default(), &names);
        names.push(name.clone());
        let center = |key: &str| costume[key].as_f64().map(rounded);
        let is_bitmap = costume["dataFormat"] != DRAWN;
        json!({
            "name": name,
            "content": content(project, costume),
            "center": [center("rotationCenterX"), center("rotationCenterY")],
            "resolution": is_bitmap.then(|| costume["bitmapResolution"].as_u64().unwrap_or(2)),
        })
    })
    .collect()
}

/// Sounds in order. Their rates and lengths are read from the files (`import/load-sound.js`).
pub fn sounds(project: &Project, target: &Target) -> Vec<Value> {
    let all = target.json["sounds"].as_array().into_iter().flatten();
    all.map(|sound| json!({"name": sound["name"], "content": content(project, sound)})).collect()
}

/// The digest of a costume's or sound's file; its name if the archive does not have it.
fn content(project: &Project, item: &Value) -> Value {
    let text = |key: &str| item[key].as_str().unwrap_or_default();
    let stored = format!("{}.{}", text("assetId"), text("dataFormat"));
    let bytes = project.assets.get(text("md5ext")).or_else(|| project.assets.get(&stored));
    bytes.map_or_else(|| json!({"missing": stored}), |bytes| json!(sha256_hex(bytes)))
}

/// All variables or lists of a target with their values, by name; of those that loading made, those that are used.
pub fn declared(target: &Target, kind: Kind, used: &BTreeSet<String>) -> Vec<Value> {
    let is_there = |one: &&Variable| one.kind == kind && (!one.is_made || used.contains(&one.id));
    let mut all: Vec<&Variable> = target.variables.iter().filter(is_there).collect();
    all.sort_by_key(|variable| &variable.name);
    let each = |one: &Variable| json!({"name": one.name, "value": stored(&one.value), "cloud": one.is_cloud});
    all.into_iter().map(each).collect()
}
