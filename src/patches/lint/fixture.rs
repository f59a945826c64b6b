//! Small projects for tests, written by their blocks: a stage, a moth and an owl, with a few variables and messages.

use serde_json::{Map, Value, json};

use crate::project::edit::canonical;

/// A block that is to be, with what lies in it.
#[derive(Clone)]
pub(crate) struct Part {
    id: Option<String>,
    opcode: &'static str,
    fields: Map<String, Value>,
    inputs: Map<String, Value>,
    held: Vec<(&'static str, Vec<Part>)>,
    attributes: Value,
}

pub(crate) fn part(opcode: &'static str) -> Part {
    let (fields, inputs) = (Map::new(), Map::new());
    Part { id: None, opcode, fields, inputs, held: Vec::new(), attributes: Value::Null }
}

impl Part {
    pub(crate) fn id(mut self, id: &str) -> Self {
        self.id = Some(id.to_owned());
        self
    }

    pub(crate) fn field(mut self, name: &str, value: &str, id: Option<&str>) -> Self {
        self.fields.insert(name.to_owned(), json!([value, id]));
        self
    }

    /// An inline value: `[10, "0"]`.
    pub(crate) fn input(mut self, name: &str, value: Value) -> Self {
        self.inputs.insert(name.to_owned(), Value::Array(vec![json!(1), value]));
        self
    }

    /// Blocks in a slot or mouth.
    pub(crate) fn holds(mut self, name: &'static str, parts: Vec<Self>) -> Self {
        self.held.push((name, parts));
        self
    }
}

pub(crate) fn flag() -> Part {
    part("event_whenflagclicked")
}

pub(crate) fn hear(message: &str) -> Part {
    part("event_whenbroadcastreceived").field("BROADCAST_OPTION", message, Some(&format!("{message}0")))
}

pub(crate) fn send(message: &str) -> Part {
    part("event_broadcast").input("BROADCAST_INPUT", json!([11, message, format!("{message}0")]))
}

pub(crate) fn send_and_wait(message: &str) -> Part {
    Part { opcode: "event_broadcastandwait", ..send(message) }
}

pub(crate) fn wait(seconds: &str) -> Part {
    part("control_wait").input("DURATION", json!([5, seconds]))
}

pub(crate) fn set(name: &str, value: &str) -> Part {
    part("data_setvariableto").field("VARIABLE", name, Some(&format!("{name}0"))).input("VALUE", json!([10, value]))
}

pub(crate) fn change(name: &str) -> Part {
    part("data_changevariableby").field("VARIABLE", name, Some(&format!("{name}0"))).input("VALUE", json!([4, "1"]))
}

/// Says the value of a variable.
pub(crate) fn say(name: &str) -> Part {
    part("looks_say").input("MESSAGE", json!([12, name, format!("{name}0")]))
}

pub(crate) fn forever(parts: Vec<Part>) -> Part {
    part("control_forever").holds("SUBSTACK", parts)
}

pub(crate) fn decide(condition: Part, parts: Vec<Part>) -> Part {
    part("control_if").holds("CONDITION", vec![condition]).holds("SUBSTACK", parts)
}

pub(crate) fn stop(what: &str) -> Part {
    part("control_stop").field("STOP_OPTION", what, None)
}

/// The head of a custom block without arguments.
pub(crate) fn define(name: &str) -> Part {
    let prototype = Part { attributes: json!({"proccode": name}), ..part("procedures_prototype") };
    part("procedures_definition").holds("custom_block", vec![prototype])
}

pub(crate) fn call(name: &str) -> Part {
    Part { attributes: json!({"proccode": name}), ..part("procedures_call") }
}

/// Clones a sprite, or oneself by `_myself_`.
pub(crate) fn clone_of(sprite: &str) -> Part {
    let menu = part("control_create_clone_of_menu").field("CLONE_OPTION", sprite, None);
    part("control_create_clone_of").holds("CLONE_OPTION", vec![menu])
}

/// Scripts of the stage, the moth and the owl. The stage has the variables score and lives and the list items, the moth `own`, the owl
/// `far`; the messages are go, over and next.
pub(crate) fn project(stage: Vec<Vec<Part>>, moth: Vec<Vec<Part>>, owl: Vec<Vec<Part>>) -> Value {
    let mut project = json!({"targets": [
        {"isStage": true, "name": "Stage", "variables": {"score0": ["score", 0], "lives0": ["lives", 3]}, "lists": {"items0": ["items", []]},
         "broadcasts": {"go0": "go", "over0": "over", "next0": "next"}, "comments": {}, "blocks": blocks("s", stage),
         "costumes": [], "sounds": []},
        {"isStage": false, "name": "Moth", "variables": {"own0": ["own", 0]}, "lists": {}, "broadcasts": {}, "comments": {},
         "blocks": blocks("m", moth), "costumes": [], "sounds": []},
        {"isStage": false, "name": "Owl", "variables": {"far0": ["far", 0]}, "lists": {}, "broadcasts": {}, "comments": {},
         "blocks": blocks("o", owl), "costumes": [], "sounds": []}
    ], "monitors": [], "extensions": [], "meta": {}});
    canonical(&mut project);
    project
}

fn blocks(prefix: &str, scripts: Vec<Vec<Part>>) -> Map<String, Value> {
    let mut blocks = Map::new();
    for script in scripts {
        stack(&mut blocks, prefix, script, None);
    }
    blocks
}

/// Writes a stack and returns the id of its first block. Ids that are not given are counted.
fn stack(blocks: &mut Map<String, Value>, prefix: &str, parts: Vec<Part>, above: Option<&str>) -> Option<String> {
    let mut ids: Vec<String> = Vec::new();
    for part in parts {
        let id = part.id.unwrap_or_else(|| format!("{prefix}{}", blocks.len()));
        let parent = ids.last().map_or(above, |last| Some(last)).map(str::to_owned);
        let shadow = part.opcode.ends_with("_menu") || part.opcode == "procedures_prototype";
        let mut block = json!({"opcode": part.opcode, "next": null, "parent": parent, "inputs": part.inputs, "fields": part.fields,
            "shadow": shadow, "topLevel": parent.is_none()});
        if parent.is_none() {
            block["x"] = json!(0);
            block["y"] = json!(0);
        }
        if !part.attributes.is_null() {
            block["mutation"] = part.attributes;
        }
        blocks.insert(id.clone(), block);
        for (slot, held) in part.held {
            let kind = if held.first().is_some_and(|first| first.opcode.ends_with("_menu")) { 1 } else { 2 };
            if let Some(first) = stack(blocks, prefix, held, Some(&id)) {
                blocks[&id]["inputs"][slot] = json!([kind, first]);
            }
        }
        if let Some(last) = ids.last() {
            blocks[last]["next"] = json!(id);
        }
        ids.push(id);
    }
    ids.into_iter().next()
}
