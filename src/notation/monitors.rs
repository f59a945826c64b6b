//! Values shown on the stage, as project.json holds them.

use serde_json::{Value, json};

use super::document::{MonitorKind, TextTarget};
use super::names::DataKind;
use super::to_project::{id, number};

/// Categories whose blocks have monitors named without the category; the names are the editor's own.
const PLAIN_MONITORS: [&str; 4] = ["motion_", "looks_", "sound_", "sensing_"];

pub(super) fn monitors(target: &TextTarget, index: usize) -> impl Iterator<Item = Value> {
    let owner = if index == 0 { Value::Null } else { json!(target.name) };
    target.monitors.iter().map(move |monitor| {
        let (id, mode, opcode, params, value) = match &monitor.kind {
            MonitorKind::Variable { name, number, mode, .. } => {
                let value =
                    target.variables.iter().find(|v| v.name == *name && v.number == *number).map(|v| v.value.clone());
                let id = id(index, DataKind::Variable, name, *number);
                (id, mode.as_str(), "data_variable", json!({"VARIABLE": name}), value)
            }
            MonitorKind::List { name, number, .. } => {
                let value =
                    target.lists.iter().find(|l| l.name == *name && l.number == *number).map(|l| json!(l.items));
                (id(index, DataKind::List, name, *number), "list", "data_listcontents", json!({"LIST": name}), value)
            }
            MonitorKind::Block { opcode, fields, mode } => {
                let plain = PLAIN_MONITORS.iter().find_map(|prefix| opcode.strip_prefix(prefix)).unwrap_or(opcode);
                let choices: Vec<String> = fields.iter().filter_map(|(_, v)| v.as_str()).map(str::to_lowercase).collect();
                ([vec![plain.to_owned()], choices].concat().join("_"), mode.as_str(), opcode.as_str(), Value::Object(fields.iter().cloned().collect()), None)
            }
        };
        let (width, height) = if let MonitorKind::List { size, .. } = &monitor.kind { *size } else { (0.0, 0.0) };
        let mut json = json!({
            "id": id, "mode": mode, "opcode": opcode, "params": params, "spriteName": owner, "value": value.unwrap_or_else(|| json!("")),
            "width": number(width), "height": number(height)
        });
        if let Some((x, y)) = monitor.position {
            json["x"] = number(x);
            json["y"] = number(y);
        }
        json["visible"] = json!(monitor.visible);
        if opcode != "data_listcontents" {
            let slider = if let MonitorKind::Variable { slider: Some(slider), .. } = &monitor.kind { *slider } else { (0.0, 100.0, true) };
            json["sliderMin"] = number(slider.0);
            json["sliderMax"] = number(slider.1);
            json["isDiscrete"] = json!(slider.2);
        }
        json
    })
}
