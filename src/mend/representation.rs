//! A project as a model reads it: the targets with what their blocks may name, and each script as nested JSON without shadows, places and
//! hidden defaults. Values are written as edits take them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::project::view::{Block, Primitive, Slot, TargetView, targets};
use crate::project::walk::is_mouth;

/// Items of a list that are shown.
pub(super) const ITEMS: usize = 20;

/// Which scripts are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scripts {
    /// Targets and first blocks of those that are not.
    left_out: BTreeSet<(String, String)>,
}

impl Scripts {
    /// All of them.
    pub fn all() -> Self {
        Self::default()
    }

    /// All but these: names of targets and ids of first blocks.
    pub const fn without(left_out: BTreeSet<(String, String)>) -> Self {
        Self { left_out }
    }

    /// How many are left out.
    pub fn left_out(&self) -> usize {
        self.left_out.len()
    }

    /// Whether a script is shown.
    pub fn has(&self, target: &str, root: &str) -> bool {
        !self.left_out.iter().any(|(sprite, hat)| sprite == target && hat == root)
    }
}

/// The project as JSON, a script a line. In scripts and mouths, blocks are listed from top to bottom: nested in each other, long scripts
/// would be deeper than readers of JSON go.
pub fn ir(project: &Value, scripts: &Scripts) -> String {
    let mut text = "{\"targets\": [".to_owned();
    for (at, target) in targets(project).enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let head = head(target).to_string();
        let head = head.trim_end_matches('}');
        let _ = write!(text, "{comma}\n{head},\"scripts\":[");
        let roots = target.scripts().into_iter().filter_map(|slot| match slot {
            Slot::Block(root) if scripts.has(target.sprite_id(), root) => target.block(root),
            _ => None,
        });
        for (at, root) in roots.enumerate() {
            let comma = if at == 0 { "" } else { "," };
            let _ = write!(text, "{comma}\n{}", Value::Array(stack(target, &root)));
        }
        text.push_str("]}");
    }
    text.push_str("\n]}");
    text
}

/// What the blocks of a target may name.
fn head(target: TargetView<'_>) -> Value {
    let named = |key: &str| -> Vec<Value> {
        target.entries(key).map(|(id, value)| json!([value.get(0).unwrap_or(value), id])).collect()
    };
    let mut head = Map::new();
    head.insert("name".to_owned(), json!(target.sprite_id()));
    let variables =
        target.entries("variables").map(|(id, value)| json!({"id": id, "name": value[0], "value": value[1]}));
    let lists = target.entries("lists").map(|(id, value)| {
        let items = value[1].as_array().map(Vec::as_slice).unwrap_or_default();
        json!({"id": id, "name": value[0], "length": items.len(), "items": items.iter().take(ITEMS).collect::<Vec<_>>()})
    });
    let names = |key: &str| target.items(key).iter().map(|one| one["name"].clone()).collect::<Vec<_>>();
    let sounds = target.items("sounds").iter().map(|sound| json!({"name": sound["name"], "seconds": seconds(sound)}));
    let parts = [
        ("variables", variables.collect()),
        ("lists", lists.collect()),
        ("messages", named("broadcasts")),
        (if target.is_stage() { "backdrops" } else { "costumes" }, names("costumes")),
        ("sounds", sounds.collect()),
    ];
    for (key, values) in parts.into_iter().filter(|(_, values): &(_, Vec<Value>)| !values.is_empty()) {
        head.insert(key.to_owned(), Value::Array(values));
    }
    Value::Object(head)
}

fn seconds(sound: &Value) -> Option<f64> {
    let seconds = sound["sampleCount"].as_f64()? / sound["rate"].as_f64().filter(|rate| *rate > 0.0)?;
    Some((seconds * 10.0).round() / 10.0)
}

/// A block and those below it.
pub(super) fn stack(target: TargetView<'_>, first: &Block<'_>) -> Vec<Value> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut next = Some(first.clone());
    while let Some(block) = next.filter(|block| seen.insert(block.id)) {
        found.push(written(target, &block));
        next = block.next.and_then(|id| target.block(id));
    }
    found
}

fn written(target: TargetView<'_>, block: &Block<'_>) -> Value {
    let mut json = Map::new();
    json.insert("id".to_owned(), json!(block.id));
    json.insert("op".to_owned(), json!(block.opcode));
    let fields: Map<String, Value> = block
        .fields()
        .map(|field| {
            (field.name.to_owned(), field.id.map_or_else(|| json!(field.value), |id| json!([field.value, id])))
        })
        .collect();
    if !fields.is_empty() {
        json.insert("fields".to_owned(), Value::Object(fields));
    }
    let mut inputs = Map::new();
    for input in block.inputs() {
        match input.value {
            Some(Slot::Block(id)) if block.opcode == "procedures_definition" => custom(target, id, &mut json),
            Some(slot) => {
                if let Some(value) = value(target, input.name, &slot) {
                    inputs.insert(input.name.to_owned(), value);
                }
            }
            None => {}
        }
    }
    if let Some(called) = block.attribute("proccode") {
        json.insert("calls".to_owned(), json!(called));
    }
    if !inputs.is_empty() {
        json.insert("inputs".to_owned(), Value::Object(inputs));
    }
    Value::Object(json)
}

/// What a definition defines: the label, the names of what it takes, and the slots of calls that give them.
fn custom(target: TargetView<'_>, prototype: &str, json: &mut Map<String, Value>) {
    let Some(prototype) = target.block(prototype) else { return };
    json.insert("defines".to_owned(), json!(prototype.attribute("proccode")));
    let list = |name: &str| -> Vec<Value> {
        prototype.attribute(name).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    };
    let takes: Vec<Value> =
        list("argumentnames").into_iter().zip(list("argumentids")).map(|(name, input)| json!([name, input])).collect();
    if !takes.is_empty() {
        json.insert("takes".to_owned(), Value::Array(takes));
    }
    if prototype.attribute("warp") == Some("true") {
        json.insert("without_yields".to_owned(), json!(true));
    }
}

/// What a slot shows, or a mouth holds.
fn value(target: TargetView<'_>, name: &str, slot: &Slot<'_>) -> Option<Value> {
    match slot {
        Slot::Primitive(Primitive { value, id: Some(id), .. }) => Some(json!([value, id])),
        Slot::Primitive(Primitive { value, .. }) => Some(json!(value)),
        Slot::Block(id) => {
            let block = target.block(id)?;
            if block.shadow {
                return block.fields().next().map(|field| json!(field.value));
            }
            let held = stack(target, &block);
            if is_mouth(name) { Some(Value::Array(held)) } else { held.into_iter().next() }
        }
    }
}
