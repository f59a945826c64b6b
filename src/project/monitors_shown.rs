//! What the monitors of a project show once it has been loaded (scratch-vm, `serialization/sb3.js`, `deserializeMonitor`;
//! `engine/runtime.js`, `addMonitorScript`).
//!
//! A variable or list is found by the monitor's id, and if there is none, by its name, as a script of the sprite that the monitor names
//! would find it; where it names none, of the target that is selected when a project is opened, which is the first sprite.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::loaded::{DataSection, by_id, by_name, safe_id, stage, targets};
use super::view::shown;

/// Reporters that tell something of a sprite: there is one monitor of each for a sprite (`getMonitored` in `blocks/`).
const OF_A_SPRITE: [&str; 6] = [
    "motion_xposition",
    "motion_yposition",
    "motion_direction",
    "looks_size",
    "looks_costumenumbername",
    "sound_volume",
];

/// Leaves the last of several monitors with one id, and gives those of variables and lists the id, name and owner of what they show.
pub(super) fn settle_monitors(json: &mut Value) {
    let Some(monitors) = json.get("monitors").and_then(Value::as_array).cloned() else { return };
    // The last one is where the first was.
    let mut kept: Vec<Value> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for monitor in monitors {
        let key = key(&monitor);
        let monitor = settled(json, monitor);
        if let Some(place) = places.get(&key) {
            kept[*place] = monitor;
        } else {
            places.insert(key, kept.len());
            kept.push(monitor);
        }
    }
    json["monitors"] = Value::Array(kept);
}

/// What tells a monitor from others.
fn key(monitor: &Value) -> String {
    let opcode = monitor["opcode"].as_str().unwrap_or_default();
    if OF_A_SPRITE.contains(&opcode) {
        return format!("{} {opcode} {}", monitor["spriteName"], monitor["params"]);
    }
    safe_id(&shown(&monitor["id"]))
}

/// A monitor of a variable or list with what it shows; any other one, and one that shows nothing, as it is.
fn settled(json: &Value, mut monitor: Value) -> Value {
    let (section, param) = match monitor["opcode"].as_str() {
        Some("data_variable") => (DataSection::Variables, "VARIABLE"),
        Some("data_listcontents") => (DataSection::Lists, "LIST"),
        _ => return monitor,
    };
    let Some(stage) = stage(json) else { return monitor };
    let own = match monitor["spriteName"].as_str().filter(|name| !name.is_empty()) {
        Some(name) => targets(json).iter().position(|target| target["name"] == name),
        None => Some(usize::from(targets(json).len() > 1)),
    };
    let Some(own) = own else { return monitor };
    let (id, name) = (safe_id(&shown(&monitor["id"])), shown(&monitor["params"][param]));
    let found = by_id(json, [own, stage], &id).map(|(at, section, name)| (at, section, id, name));
    let found = found.or_else(|| {
        let named = |at: usize| Some((at, section, by_name(targets(json).get(at)?, section, &name)?, name.clone()));
        named(own).or_else(|| named(stage))
    });
    if let Some((at, found, id, name)) = found
        && found == section
    {
        let owner = if at == stage { Value::Null } else { targets(json)[at]["name"].clone() };
        monitor["id"] = json!(id);
        monitor["spriteName"] = owner;
        monitor["params"] = json!({ (param): name });
    }
    monitor
}
