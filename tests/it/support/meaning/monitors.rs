//! The monitors that are seen (`serialization/sb3.js`, `deserializeMonitor`; `engine/runtime.js`, `requestAddMonitor`).
//!
//! - A monitor belongs to the first target of the name that it has; one that has none runs in the target that is selected
//!   when a project is opened, the first sprite (`addMonitorScript`).
//! - A variable or list is found by the monitor's id, and if there is none, by name. What a monitor is called is not asked.
//! - Of several with one id the last one counts.
//! - Bounds count for sliders, sizes for lists.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::fields::literal;
use super::javascript::{entries, shown};
use super::program::{Kind, Program};
use super::targets::rounded;
use super::variables::safe_id;

/// Reporters that tell something of a sprite: there is one monitor of each for a sprite (`getMonitored` in `blocks/`).
const OF_A_SPRITE: [&str; 6] = [
    "motion_xposition",
    "motion_yposition",
    "motion_direction",
    "looks_size",
    "looks_costumenumbername",
    "sound_volume",
];
/// Width and height of a list that has none of its own (scratch-gui, `containers/list-monitor.jsx`).
const LIST_SIZE: [f64; 2] = [100.0, 200.0];

/// Visible monitors, and ids of what they show on the stage.
pub fn monitors(program: &Program) -> (Vec<Value>, BTreeSet<String>) {
    let mut seen: IndexMap<String, &Value> = IndexMap::new();
    for monitor in &program.monitors {
        seen.insert(key(program, monitor), monitor);
    }
    let mut used = BTreeSet::new();
    let visible = seen.into_values().filter(|monitor| monitor["visible"] != false);
    let all = visible.map(|monitor| {
        json!({
            "shows": shows(program, monitor, &mut used),
            "mode": mode(monitor),
            "bounds": (mode(monitor) == "slider").then(|| bounds(monitor)),
            "at": [place(&monitor["x"]), place(&monitor["y"])],
            "size": is_list(monitor).then(|| size(monitor)),
        })
    });
    (all.collect(), used)
}

/// What tells a monitor from others.
fn key(program: &Program, monitor: &Value) -> String {
    let opcode = monitor["opcode"].as_str().unwrap_or_default();
    if OF_A_SPRITE.contains(&opcode) {
        return format!("{:?} {opcode} {}", owner(program, monitor), params(monitor));
    }
    safe_id(&shown(&monitor["id"]))
}

/// The target that a monitor names.
fn owner(program: &Program, monitor: &Value) -> Option<usize> {
    let name = monitor["spriteName"].as_str().filter(|name| !name.is_empty())?;
    program.targets.iter().position(|target| target.written == name)
}

fn shows(program: &Program, monitor: &Value, used: &mut BTreeSet<String>) -> Value {
    let owner = owner(program, monitor);
    let (kind, field) = match monitor["opcode"].as_str() {
        Some("data_variable") => (Kind::Variable, "VARIABLE"),
        Some("data_listcontents") => (Kind::List, "LIST"),
        _ => return json!({"opcode": monitor["opcode"], "of": owner, "params": params(monitor)}),
    };
    let at = owner.unwrap_or(usize::from(program.targets.len() > 1));
    let name = shown(&monitor["params"][field]);
    let by_id = program.by_id(at, &safe_id(&shown(&monitor["id"])));
    let Some((at, found)) = by_id.or_else(|| program.by_name(at, &name, kind)) else {
        return json!({"nothing": name});
    };
    if found.is_made {
        used.insert(found.id.clone());
    }
    program.targets[at].identity(at, found)
}

/// The choices of a monitor's block. Those of `current` are not told apart by capitals (`blocks/scratch3_sensing.js`).
fn params(monitor: &Value) -> Value {
    let each = entries(&monitor["params"]).into_iter().map(|(name, value)| {
        let value = match value.as_str() {
            Some(text) if name == "CURRENTMENU" => json!(text.to_lowercase()),
            _ => value.clone(),
        };
        (name.clone(), literal(&value))
    });
    Value::Object(each.collect::<Map<String, Value>>())
}

fn mode(monitor: &Value) -> &str {
    monitor["mode"].as_str().unwrap_or("default")
}

fn is_list(monitor: &Value) -> bool {
    monitor["opcode"] == "data_listcontents"
}

/// The bounds of a slider, and whether it moves in whole steps (`engine/monitor-record.js` has what holds otherwise).
fn bounds(monitor: &Value) -> Value {
    let number = |key: &str, default: f64| rounded(monitor[key].as_f64().unwrap_or(default));
    json!([number("sliderMin", 0.0), number("sliderMax", 100.0), monitor["isDiscrete"] != false])
}

/// A coordinate; the editor finds a place for a monitor that has none.
fn place(coordinate: &Value) -> Option<String> {
    coordinate.as_f64().map(rounded)
}

fn size(monitor: &Value) -> Vec<String> {
    let own = [&monitor["width"], &monitor["height"]].map(|size| size.as_f64().filter(|size| *size != 0.0));
    own.iter().zip(LIST_SIZE).map(|(own, default)| rounded(own.unwrap_or(default))).collect()
}
