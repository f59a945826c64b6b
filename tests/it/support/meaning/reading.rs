//! Reads the blocks of a target as the VM does (`serialization/sb3.js`, `deserializeBlocks`): what is written inside of a
//! slot becomes a block behind all others, and so does a variable that stands alone; what lies in the slots of a
//! prototype is thrown away; a slot that names a shadow which is not there gets an empty text.
//!
//! Not followed: a shadow that is missing takes its value from that of another block of the same kind, if there is one.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::Value;

use super::javascript::entries;
use super::program::{Block, Field, Input};

/// What a value inside of a slot is as a block: its opcode and its field, from number 4 on.
const INLINE: [(&str, &str); 10] = [
    ("math_number", "NUM"),
    ("math_positive_number", "NUM"),
    ("math_whole_number", "NUM"),
    ("math_integer", "NUM"),
    ("math_angle", "NUM"),
    ("colour_picker", "COLOUR"),
    ("text", "TEXT"),
    ("event_broadcast_menu", "BROADCAST_OPTION"),
    ("data_variable", "VARIABLE"),
    ("data_listcontents", "LIST"),
];
const FIRST_INLINE: u64 = 4;
/// From here on they have an id.
const FIRST_WITH_ID: u64 = 11;

/// Blocks that were written inside of slots, with ids that no file has.
#[derive(Default)]
struct Unfolded {
    blocks: Vec<(String, Block)>,
}

pub fn read_blocks(json: &Value) -> IndexMap<String, Block> {
    let mut unfolded = Unfolded::default();
    let mut blocks = IndexMap::new();
    for (id, block) in entries(json) {
        if let Value::Array(items) = block {
            unfolded.add(items, false);
        } else {
            blocks.insert(id.clone(), unfolded.block(block));
        }
    }
    blocks.extend(unfolded.blocks);
    empty_prototypes(&mut blocks);
    mend_shadows(&mut blocks);
    blocks
}

impl Unfolded {
    fn block(&mut self, json: &Value) -> Block {
        let text = |key: &str| json[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let is_shadow = json["shadow"] == true;
        let inputs = entries(&json["inputs"]).into_iter().filter_map(|(name, held)| {
            let held = held.as_array()?;
            Some((name.clone(), self.input(held)))
        });
        Block {
            inputs: inputs.collect(),
            opcode: text("opcode").unwrap_or_default(),
            next: text("next"),
            fields: entries(&json["fields"])
                .into_iter()
                .filter_map(|(name, field)| Some((name.clone(), read_field(field.as_array()?))))
                .collect(),
            mutation: json["mutation"].clone(),
            is_shadow,
            is_first: json["topLevel"] == true && !is_shadow,
            has_comment: text("comment").is_some(),
        }
    }

    fn input(&mut self, items: &[Value]) -> Input {
        match items.first().and_then(Value::as_u64) {
            Some(1) => {
                let block = self.held(items.get(1), true);
                Input { shadow: block.clone(), block }
            }
            Some(2) => Input { block: self.held(items.get(1), false), shadow: None },
            _ => Input { block: self.held(items.get(1), false), shadow: self.held(items.get(2), true) },
        }
    }

    /// The id of what a slot holds.
    fn held(&mut self, held: Option<&Value>, is_shadow: bool) -> Option<String> {
        match held? {
            Value::String(id) if !id.is_empty() => Some(id.clone()),
            Value::Array(items) => self.add(items, is_shadow),
            _ => None,
        }
    }

    fn add(&mut self, items: &[Value], is_shadow: bool) -> Option<String> {
        let kind = items.first()?.as_u64()?;
        let at = usize::try_from(kind.checked_sub(FIRST_INLINE)?).ok()?;
        let (opcode, name) = INLINE.get(at)?;
        let id = items.get(2).filter(|_| kind >= FIRST_WITH_ID);
        let field = Field::new(items.get(1).cloned().unwrap_or_default(), id);
        let block = Block {
            opcode: (*opcode).to_owned(),
            fields: IndexMap::from([((*name).to_owned(), field)]),
            is_shadow,
            is_first: kind > FIRST_WITH_ID && items.len() > 3,
            ..Block::default()
        };
        let id = format!("\u{1}{}", self.blocks.len());
        self.blocks.push((id.clone(), block));
        Some(id)
    }
}

fn read_field(items: &[Value]) -> Field {
    Field::new(items.first().cloned().unwrap_or_default(), items.get(1))
}

/// Takes the parameters out of prototypes: the editor makes them anew.
fn empty_prototypes(blocks: &mut IndexMap<String, Block>) {
    let mut dropped = Vec::new();
    for block in blocks.values_mut().filter(|block| block.opcode == "procedures_prototype") {
        block.is_shadow = false;
        let inputs = std::mem::take(&mut block.inputs);
        dropped.extend(inputs.into_values().flat_map(|input| [input.block, input.shadow]).flatten());
    }
    for id in dropped {
        blocks.shift_remove(&id);
    }
}

/// Puts empty texts where a slot names a shadow that is not there.
fn mend_shadows(blocks: &mut IndexMap<String, Block>) {
    let known: BTreeSet<String> = blocks.keys().cloned().collect();
    let is_missing = |id: Option<&String>| id.is_none_or(|id| !known.contains(id));
    let mut texts = Vec::new();
    for input in blocks.values_mut().flat_map(|block| block.inputs.values_mut()) {
        if input.shadow.is_none() || !is_missing(input.shadow.as_ref()) {
            continue;
        }
        let id = format!("\u{2}{}", texts.len());
        if is_missing(input.block.as_ref()) {
            input.block = Some(id.clone());
        }
        input.shadow = Some(id.clone());
        let field = Field::new(Value::String(String::new()), None);
        let fields = IndexMap::from([("TEXT".to_owned(), field)]);
        texts.push((id, Block { opcode: "text".to_owned(), fields, is_shadow: true, ..Block::default() }));
    }
    blocks.extend(texts);
}
