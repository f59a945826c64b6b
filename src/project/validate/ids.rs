//! Checks ids and keys against the names of properties that every JavaScript object inherits. The editor's machine keeps blocks,
//! variables and comments in plain objects: what it looks up by such a name may be the language's own, and what it keeps under
//! `__proto__` is not kept, but inherited from.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Problem;
use super::graph::is_of_the_editor;
use crate::Project;
use crate::view::{Slot, TargetView, targets};

/// The properties of `Object.prototype` (ECMAScript 2025, sections 20.1.3 and B.2.2).
pub const INHERITED: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// The one key that an assignment does not make.
const PROTOTYPE: &str = "__proto__";

pub(super) fn check(project: &Project) -> Vec<Problem> {
    let mut problems = Vec::new();
    if has_key(&project.json, PROTOTYPE) {
        problems
            .push(Problem::error("bad_id", format!("an id or a key is `{PROTOTYPE}`, under which nothing is kept")));
    }
    for monitor in project.json.get("monitors").and_then(Value::as_array).into_iter().flatten() {
        problems.extend(check_monitor(monitor));
    }
    let stage: BTreeSet<&str> = targets(&project.json).take(1).flat_map(variables).collect();
    for target in targets(&project.json) {
        problems.extend(missing(target, &stage).into_iter().map(|problem| problem.in_target(target.name())));
    }
    problems
}

/// A monitor's block is looked up among others by an id that need not be there, and its extension is loaded.
fn check_monitor(monitor: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    match monitor.get("id").unwrap_or(&Value::Null) {
        Value::String(id) if INHERITED.contains(&id.as_str()) => {
            let message = format!("a monitor has the id `{id}`, which every object has as a property");
            problems.push(Problem::error("bad_id", message));
        }
        Value::String(_) => {}
        // The machine makes texts of them, which may be any.
        _ => problems.push(Problem::error("bad_id", "a monitor's id is no text")),
    }
    let opcode = monitor.get("opcode").and_then(Value::as_str);
    problems.extend(opcode.filter(|opcode| !is_of_the_editor(opcode)).map(|opcode| {
        let message = format!("a monitor shows `{opcode}`, which belongs to no category or extension of the editor");
        Problem::error("unknown_opcode_prefix", message)
    }));
    problems
}

fn is_inherited(id: &&str) -> bool {
    INHERITED.contains(id)
}

/// Returns true if an object at any depth has this key.
fn has_key(json: &Value, key: &str) -> bool {
    let mut open = vec![json];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) if map.contains_key(key) => return true,
            Value::Object(map) => open.extend(map.values()),
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    false
}

/// Ids of a target's variables, lists and broadcasts.
fn variables(target: TargetView<'_>) -> impl Iterator<Item = &str> {
    ["variables", "lists", "broadcasts"].into_iter().flat_map(move |kind| target.entries(kind)).map(|(id, _)| id)
}

/// References by an inherited name to what is not there: the machine would find the language's own.
fn missing(target: TargetView<'_>, stage: &BTreeSet<&str>) -> Vec<Problem> {
    let blocks: BTreeSet<&str> = target.entries("blocks").map(|(id, _)| id).collect();
    let variables: BTreeSet<&str> = variables(target).chain(stage.iter().copied()).collect();
    let mut problems = Vec::new();
    for block in target.blocks() {
        let slots: Vec<Slot<'_>> = block.inputs().flat_map(|input| [input.value, input.hidden]).flatten().collect();
        let inner = slots.iter().filter_map(|slot| match slot {
            Slot::Block(id) => Some(*id),
            Slot::Primitive(_) => None,
        });
        let held = slots.iter().filter_map(|slot| match slot {
            Slot::Primitive(primitive) => primitive.id,
            Slot::Block(_) => None,
        });
        let to_blocks = block.next.into_iter().chain(block.parent).chain(inner);
        let to_variables = held.chain(block.fields().filter_map(|field| field.id));
        let bad = to_blocks
            .filter(|id| !blocks.contains(id))
            .chain(to_variables.filter(|id| !variables.contains(id)))
            .find(is_inherited);
        problems.extend(bad.map(|id| {
            let message = format!("there is nothing with the id `{id}`, which every object has as a property");
            Problem::error("bad_id", message).at_block(block.id)
        }));
    }
    problems
}
