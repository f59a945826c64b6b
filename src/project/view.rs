//! A typed, read-only view of the blocks in `project.json`: targets, scripts in the order they run, inputs
//! with inline values, fields, mutations.
//!
//! The view is lenient: what is malformed reads as absent. `validate` is where that is reported.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::keys::{array_index, sort_by_key};

/// A stage or sprite of a project.
#[derive(Debug, Clone, Copy)]
pub struct TargetView<'a> {
    json: &'a Value,
}

/// A block as the project file holds it.
#[derive(Debug, Clone)]
pub struct Block<'a> {
    /// Its id within the target.
    pub id: &'a str,
    /// What it is, such as `motion_movesteps`.
    pub opcode: &'a str,
    pub next: Option<&'a str>,
    /// The block above or around, as the file says; [`TargetView::holder`] finds it where the file does not.
    pub parent: Option<&'a str>,
    /// Whether it is a replaceable default inside of a slot.
    pub shadow: bool,
    /// Whether a script starts with it.
    pub top_level: bool,
    /// Place in the script area, of a first block.
    pub position: Option<(f64, f64)>,
    /// The id of the comment fixed to it.
    pub comment: Option<&'a str>,
    /// Attributes of My Blocks and of `stop`.
    pub mutation: Option<&'a Map<String, Value>>,
    json: &'a Value,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Slot<'a> {
    Block(&'a str),
    /// A value written inline.
    Primitive(Primitive<'a>),
}

/// A value written inline: `[kind, value, id?, x?, y?]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Primitive<'a> {
    /// 4-8 numbers, 9 colour, 10 text, 11 broadcast, 12 variable, 13 list.
    pub kind: u64,
    /// The value, or the name of what is meant.
    pub value: String,
    /// The value as the file holds it.
    pub raw: &'a Value,
    /// Id of the variable, list or broadcast.
    pub id: Option<&'a str>,
    /// Place in the script area, of a reporter that stands alone.
    pub position: Option<(f64, f64)>,
}

impl Primitive<'_> {
    /// Whether it is a variable or list reporter rather than a plain value.
    pub const fn is_reporter(&self) -> bool {
        matches!(self.kind, 12 | 13)
    }
}

/// A named slot of a block.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    pub name: &'a str,
    /// What is seen in it.
    pub value: Option<Slot<'a>>,
    /// The default that is hidden below `value`, if there is one.
    pub hidden: Option<Slot<'a>>,
}

/// A named choice of a block.
#[derive(Debug, Clone)]
pub struct Field<'a> {
    pub name: &'a str,
    /// The choice, or the name of the variable, list or broadcast.
    pub value: String,
    /// The same as the file holds it.
    pub raw: &'a Value,
    /// Id of the variable, list or broadcast.
    pub id: Option<&'a str>,
}

/// A JSON scalar as Scratch would show it.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Number(number) => {
            number.as_f64().map_or_else(String::new, |n| ryu_js::Buffer::new().format(n).to_owned())
        }
        other => other.to_string(),
    }
}

fn position(x: Option<&Value>, y: Option<&Value>) -> Option<(f64, f64)> {
    Some((x?.as_f64()?, y?.as_f64()?))
}

fn primitive(items: &[Value]) -> Option<Primitive<'_>> {
    Some(Primitive {
        kind: items.first()?.as_u64()?,
        value: shown(items.get(1)?),
        raw: items.get(1)?,
        id: items.get(2).and_then(Value::as_str),
        position: position(items.get(3), items.get(4)),
    })
}

fn slot(value: &Value) -> Option<Slot<'_>> {
    match value {
        Value::String(id) => Some(Slot::Block(id)),
        Value::Array(items) => primitive(items).map(Slot::Primitive),
        _ => None,
    }
}

/// The targets of a project, stage first.
pub fn targets(json: &Value) -> impl Iterator<Item = TargetView<'_>> {
    json.get("targets").and_then(Value::as_array).into_iter().flatten().map(|json| TargetView { json })
}

/// The target of this name; the stage is `Stage`.
pub fn target<'a>(json: &'a Value, sprite_id: &str) -> Option<TargetView<'a>> {
    targets(json).find(|target| target.sprite_id() == sprite_id)
}

impl<'a> TargetView<'a> {
    /// A target by its JSON.
    pub const fn of(json: &'a Value) -> Self {
        Self { json }
    }

    /// The name that edits and reports have for it: that of the sprite, or `Stage`.
    pub fn sprite_id(&self) -> &'a str {
        if self.is_stage() { "Stage" } else { self.name() }
    }

    pub fn name(&self) -> &'a str {
        self.json.get("name").and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether it is the stage.
    pub fn is_stage(&self) -> bool {
        self.json.get("isStage").and_then(Value::as_bool).unwrap_or_default()
    }

    /// Any other property, as JSON.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.json.get(key)
    }

    /// A property that holds an object, in the order in which JavaScript has its keys: whole numbers go before all others. An absent one
    /// reads as empty.
    pub fn entries(&self, key: &str) -> impl Iterator<Item = (&'a str, &'a Value)> + use<'a> {
        let all = self.json.get(key).and_then(Value::as_object);
        let entries = move || all.into_iter().flatten().map(|(key, value)| (key.as_str(), value));
        // Ids that the editor makes are no numbers, and their order is the file's.
        let is_sorted = entries().any(|(key, _)| array_index(key).is_some());
        let mut sorted: Vec<(&str, &Value)> = entries().filter(|_| is_sorted).collect();
        sort_by_key(&mut sorted, |(key, _)| key);
        sorted.into_iter().chain(entries().filter(move |_| !is_sorted))
    }

    /// A property that holds a list; an absent one reads as empty.
    pub fn items(&self, key: &str) -> &'a [Value] {
        self.json.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    /// A block by id; none for inline values, which have no block.
    pub fn block(&self, id: &str) -> Option<Block<'a>> {
        let (id, json) = self.json.get("blocks")?.as_object()?.get_key_value(id)?;
        Block::read(id, json)
    }

    /// The block above or around a block: the one that it names as its parent if that holds it, else the first one that does, as the
    /// editor draws it. None for the first block of a script.
    pub fn holder(&self, id: &str) -> Option<Block<'a>> {
        let block = self.block(id).filter(|block| block.shadow || !block.top_level)?;
        let holds = |other: &Block<'a>| other.id != id && other.holds(id);
        let named = block.parent.and_then(|parent| self.block(parent));
        if named.as_ref().is_some_and(holds) {
            return named;
        }
        self.blocks().find(holds).or(named)
    }

    /// The first block of the script that a block is in; the block itself where there is no such block.
    pub fn root<'b>(&self, block: &'b str) -> &'b str
    where
        'a: 'b,
    {
        let (mut at, mut seen) = (block, BTreeSet::new());
        while seen.insert(at)
            && let Some(above) = self.holder(at)
        {
            at = above.id;
        }
        at
    }

    /// All blocks in the order of the file.
    pub fn blocks(&self) -> impl Iterator<Item = Block<'a>> + use<'a> {
        self.entries("blocks").filter_map(|(id, json)| Block::read(id, json))
    }

    /// What scripts start with, in the order in which they run: ids of first blocks, and reporters that stand
    /// alone.
    pub fn scripts(&self) -> Vec<Slot<'a>> {
        self.entries("blocks")
            .filter_map(|(id, json)| match json {
                Value::Array(items) => primitive(items).map(Slot::Primitive),
                _ => Block::read(id, json).filter(|block| block.top_level && !block.shadow).map(|_| Slot::Block(id)),
            })
            .collect()
    }
}

impl<'a> Block<'a> {
    fn read(id: &'a str, json: &'a Value) -> Option<Self> {
        let text = |key: &str| json.get(key).and_then(Value::as_str);
        let flag = |key: &str| json.get(key).and_then(Value::as_bool).unwrap_or_default();
        Some(Self {
            id,
            opcode: text("opcode")?,
            next: text("next"),
            parent: text("parent"),
            shadow: flag("shadow"),
            top_level: flag("topLevel"),
            position: position(json.get("x"), json.get("y")),
            comment: text("comment"),
            mutation: json.get("mutation").and_then(Value::as_object),
            json,
        })
    }

    /// Whether a block is below it, or in one of its slots, covered or not.
    pub fn holds(&self, id: &str) -> bool {
        let is_it = |slot: Option<Slot<'_>>| matches!(slot, Some(Slot::Block(held)) if held == id);
        self.next == Some(id) || self.inputs().any(|input| is_it(input.value) || is_it(input.hidden))
    }

    /// Its slots, in the order of the file.
    pub fn inputs(&self) -> impl Iterator<Item = Input<'a>> + use<'a> {
        self.json.get("inputs").and_then(Value::as_object).into_iter().flatten().map(|(name, value)| {
            let part = |i: usize| value.get(i).and_then(slot);
            Input { name, value: part(1), hidden: part(2) }
        })
    }

    pub fn input(&self, name: &str) -> Option<Input<'a>> {
        self.inputs().find(|input| input.name == name)
    }

    /// Its choices, in the order of the file.
    pub fn fields(&self) -> impl Iterator<Item = Field<'a>> + use<'a> {
        self.json.get("fields").and_then(Value::as_object).into_iter().flatten().map(|(name, value)| Field {
            name,
            value: value.get(0).map(shown).unwrap_or_default(),
            raw: value.get(0).unwrap_or(&Value::Null),
            id: value.get(1).and_then(Value::as_str),
        })
    }

    pub fn field(&self, name: &str) -> Option<Field<'a>> {
        self.fields().find(|field| field.name == name)
    }

    /// An attribute of its mutation, as text.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.mutation?.get(name)?.as_str()
    }
}
