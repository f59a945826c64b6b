//! What names mean in a target, and which messages are declared.

use serde_json::{Map, Value, json};

use super::error::Refusal;
use crate::view::TargetView;

/// What names mean in a target.
pub(super) struct Scope {
    /// Its place among the targets.
    pub(super) place: usize,
    /// Id and name of variables, of lists and of messages.
    pub(super) variables: Vec<(String, String)>,
    pub(super) lists: Vec<(String, String)>,
    pub(super) messages: Vec<(String, String)>,
}

impl Scope {
    pub(super) fn of(project: &Value, sprite_id: &str) -> Result<Self, Refusal> {
        let all = project["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_it = |target: &Value| TargetView::of(target).sprite_id() == sprite_id;
        let place = all.iter().position(is_it).ok_or_else(|| Refusal::unresolved("target", sprite_id))?;
        let seen: Vec<&Value> = all
            .iter()
            .enumerate()
            .filter(|(at, target)| *at == place || target["isStage"] == true)
            .map(|(_, one)| one)
            .collect();
        let named = |key: &str| {
            let of = |target: &&Value| target[key].as_object().cloned().unwrap_or_default();
            let name = |value: &Value| value.get(0).unwrap_or(value).as_str().unwrap_or_default().to_owned();
            seen.iter().flat_map(|target| of(target).into_iter().map(|(id, value)| (id, name(&value)))).collect()
        };
        Ok(Self { place, variables: named("variables"), lists: named("lists"), messages: named("broadcasts") })
    }
}

/// Whether there is something of this name and id.
pub(super) fn has(all: &[(String, String)], name: &str, id: &str) -> bool {
    all.iter().any(|(known, known_name)| known == id && known_name == name)
}

/// A name with its id, as fields have them.
pub(super) fn known(all: &[(String, String)], what: &str, name: &str, id: &str) -> Result<Value, Refusal> {
    if has(all, name, id) { Ok(json!([name, id])) } else { Err(Refusal::unresolved(what, name)) }
}

/// The targets of a project, to be changed.
pub(super) fn targets(project: &mut Value) -> impl Iterator<Item = &mut Value> {
    project.get_mut("targets").and_then(Value::as_array_mut).into_iter().flatten()
}

/// Declares messages on the stage.
pub(super) fn declare(project: &mut Value, messages: &[(String, String)]) {
    let stage = targets(project).find(|target| target["isStage"] == true);
    let Some(known) = stage.and_then(|stage| stage.get_mut("broadcasts")?.as_object_mut()) else { return };
    for (id, name) in messages {
        known.insert(id.clone(), json!(name));
    }
    known.sort_keys();
}

/// Takes messages away that nobody names.
pub(crate) fn undeclare(project: &mut Value) {
    let used: Vec<String> = named_messages(project);
    for target in targets(project) {
        if let Some(known) = target.get_mut("broadcasts").and_then(Value::as_object_mut) {
            known.retain(|id, _| used.contains(id));
        }
    }
}

fn named_messages(project: &Value) -> Vec<String> {
    let blocks = project["targets"].as_array().into_iter().flatten().filter_map(|target| target["blocks"].as_object());
    let mut used = Vec::new();
    for block in blocks.flat_map(Map::values) {
        let inputs = block["inputs"].as_object().into_iter().flat_map(Map::values);
        let parts = inputs.flat_map(|input| input.as_array().into_iter().flatten());
        used.extend(parts.filter(|part| part[0] == 11).filter_map(|part| part[2].as_str().map(str::to_owned)));
        used.extend(block["fields"]["BROADCAST_OPTION"][1].as_str().map(str::to_owned));
    }
    used
}
