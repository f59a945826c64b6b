//! How the blocks of a target hang together. What holds a block decides, whatever the block says of itself: the editor draws scripts
//! from their first blocks down, through slots and `next`, and never asks for a `parent`. Projects that were converted from Scratch 2,
//! saved by older editors or written by other tools lack parents or name wrong ones, keep blocks that nothing holds, and write slots in
//! more ways than the editor does.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::catalogue::{self, Catalogue, Part};
use crate::walk::is_hat;

/// The blocks of a target by id, in the order of the file.
type Blocks = Map<String, Value>;

/// Kinds of values that are written in the slot itself, and the last of them that is a default; variables and lists lie on defaults.
const PRIMITIVES: std::ops::RangeInclusive<u64> = 4..=13;
const LAST_DEFAULT: u64 = 11;
/// Blocks that the editor writes in the slot itself, with their kinds and fields (scratch-vm, `serialization/sb3.js`).
const INLINE: [(&str, u64, &str); 10] = [
    ("math_number", 4, "NUM"),
    ("math_positive_number", 5, "NUM"),
    ("math_whole_number", 6, "NUM"),
    ("math_integer", 7, "NUM"),
    ("math_angle", 8, "NUM"),
    ("colour_picker", 9, "COLOUR"),
    ("text", 10, "TEXT"),
    ("event_broadcast_menu", 11, "BROADCAST_OPTION"),
    ("data_variable", 12, "VARIABLE"),
    ("data_listcontents", 13, "LIST"),
];

/// What a slot may refer to.
struct Known {
    is_shadow: bool,
    /// The value in place of which it stands.
    inline: Option<Value>,
}

/// Ids of the blocks in a block's slots, covered ones included.
pub(crate) fn in_slots(block: &Value) -> impl Iterator<Item = &str> {
    let inputs = block.get("inputs").and_then(Value::as_object).into_iter().flat_map(Map::values);
    inputs.flat_map(|slot| slot.as_array().into_iter().flatten().skip(1)).filter_map(Value::as_str)
}

/// Ids of the blocks in a block's slots and below it.
pub(crate) fn held(block: &Value) -> impl Iterator<Item = &str> {
    in_slots(block).chain(block.get("next").and_then(Value::as_str))
}

/// Has each block that another one holds name that one as its parent. A script's first block holds its place.
pub(crate) fn complete_parents(blocks: &mut Blocks) {
    let mut wrong: Vec<(String, String)> = Vec::new();
    for (holder, block) in &*blocks {
        for id in held(block).filter(|id| id != holder) {
            let Some(inner) = blocks.get(id).filter(|inner| inner.is_object() && !is_top(inner)) else { continue };
            let says = inner["parent"].as_str();
            let is_right = |parent: &str| {
                parent == holder || blocks.get(parent).is_some_and(|parent| held(parent).any(|one| one == id))
            };
            if !says.is_some_and(is_right) {
                wrong.push((id.to_owned(), holder.clone()));
            }
        }
    }
    // Of two holders the first one in the file is named.
    for (id, holder) in wrong.into_iter().rev() {
        hang(blocks, &id, Some(&holder));
    }
}

/// Gives the blocks of a target the form in which the editor saves them: a block is in one place, names what holds it as its parent, and
/// slots have one way of writing. Blocks that no script reaches are gone: nobody sees them, and they never run.
pub(crate) fn mend(blocks: &mut Blocks) {
    blocks.retain(|_, block| is_reporter_alone(block) || block.get("opcode").is_some_and(Value::is_string));
    blocks.values_mut().filter_map(Value::as_object_mut).for_each(complete);
    mark_menus(blocks);
    write_slots(blocks);
    let holders = settle(blocks);
    blocks.retain(|id, block| block.is_array() || holders.contains_key(id));
    // What had a second place has left a gap there.
    write_slots(blocks);
    for (id, holder) in &holders {
        hang(blocks, id, holder.as_deref());
    }
}

/// Whether a script begins with a block. A default that says so does not: production editors wrote that of covered ones.
fn is_top(block: &Value) -> bool {
    block["topLevel"] == true && block["shadow"] != true
}

/// Whether it is a variable or list that lies alone, with its place.
fn is_reporter_alone(block: &Value) -> bool {
    block.as_array().is_some_and(|parts| parts.len() >= 5 && matches!(parts[0].as_u64(), Some(12 | 13)))
}

/// Says what holds a block; nothing holds the first one of a script.
fn hang(blocks: &mut Blocks, id: &str, holder: Option<&str>) {
    let Some(block) = blocks.get_mut(id).and_then(Value::as_object_mut) else { return };
    block.insert("parent".to_owned(), json!(holder));
    block.insert("topLevel".to_owned(), json!(holder.is_none()));
    if holder.is_some() {
        block.shift_remove("x");
        block.shift_remove("y");
    }
}

/// Gives a block the keys that the editor always writes. The loader passes over slots and fields that are no lists.
fn complete(block: &mut Map<String, Value>) {
    for key in ["inputs", "fields"] {
        if let Some(entries) = block.get_mut(key).and_then(Value::as_object_mut) {
            entries.retain(|_, entry| entry.is_array());
        } else {
            block.insert(key.to_owned(), json!({}));
        }
    }
    if !block.get("shadow").is_some_and(Value::is_boolean) {
        block.insert("shadow".to_owned(), json!(false));
    }
    block.entry("next").or_insert(Value::Null);
}

/// Menus in slots are defaults, whatever they say.
fn mark_menus(blocks: &mut Blocks) {
    let is_menu = |id: &&str| {
        let opcode = blocks.get(*id).and_then(|block| block["opcode"].as_str());
        let entry = opcode.and_then(|opcode| Catalogue::pinned().blocks.get(opcode));
        let is_choice = |entry: &catalogue::Entry| matches!(entry.parts.as_slice(), [Part::Field { .. }]);
        entry.is_some_and(|entry| entry.shape == "reporter" && !entry.palette && is_choice(entry))
    };
    let menus: Vec<String> = blocks.values().flat_map(held).filter(is_menu).map(str::to_owned).collect();
    for menu in menus {
        blocks[&menu]["shadow"] = json!(true);
    }
}

/// Writes all slots in one way, and cuts what refers to nothing.
fn write_slots(blocks: &mut Blocks) {
    let known: BTreeMap<String, Known> = blocks
        .iter()
        .filter(|(_, block)| block.is_object())
        .map(|(id, block)| (id.clone(), Known { is_shadow: block["shadow"] == true, inline: inline(block) }))
        .collect();
    for block in blocks.values_mut().filter_map(Value::as_object_mut) {
        if block.get("next").and_then(Value::as_str).is_none_or(|next| !known.contains_key(next)) {
            block.insert("next".to_owned(), Value::Null);
        }
        if let Some(inputs) = block.get_mut("inputs").and_then(Value::as_object_mut) {
            *inputs = std::mem::take(inputs)
                .into_iter()
                .filter_map(|(name, slot)| Some((name, written(&slot, &known)?)))
                .collect();
        }
    }
}

/// The value that the editor writes in place of a block, if it does.
fn inline(block: &Value) -> Option<Value> {
    let (_, kind, name) = INLINE.iter().find(|(opcode, ..)| block["opcode"] == *opcode)?;
    let field = &block["fields"][name];
    let value = field.get(0)?;
    if *kind < LAST_DEFAULT {
        return Some(json!([kind, value]));
    }
    let id = field.get(1)?.as_str()?;
    Some(json!([kind, value, id]))
}

/// A slot as the editor writes it: 1 is a default alone, 2 a block without one, 3 a block above one; other numbers are read as 3.
/// `None` where there is nothing in it.
fn written(slot: &Value, known: &BTreeMap<String, Known>) -> Option<Value> {
    let at = |place: usize| part(slot.get(place)?, known);
    let hidden = if matches!(slot[0].as_u64(), Some(1 | 2)) { None } else { at(2) };
    // Where the block is lost, its default shows.
    let (seen, hidden) = match at(1) {
        Some(seen) => (seen, hidden),
        None => (hidden?, None),
    };
    if is_default(&seen, known) {
        return Some(json!([1, seen]));
    }
    // Some files name the seen and the hidden block of a slot by the same id.
    Some(match hidden.filter(|hidden| *hidden != seen) {
        Some(hidden) => json!([3, seen, hidden]),
        None => json!([2, seen]),
    })
}

fn part(part: &Value, known: &BTreeMap<String, Known>) -> Option<Value> {
    match part {
        Value::String(id) => known.get(id).map(|block| block.inline.clone().unwrap_or_else(|| part.clone())),
        Value::Array(items) => {
            let kind = items.first().and_then(Value::as_u64)?;
            PRIMITIVES.contains(&kind).then(|| part.clone())
        }
        _ => None,
    }
}

fn is_default(part: &Value, known: &BTreeMap<String, Known>) -> bool {
    match part {
        Value::String(id) => known.get(id).is_some_and(|block| block.is_shadow),
        _ => part[0].as_u64().is_some_and(|kind| kind <= LAST_DEFAULT),
    }
}

/// What holds each block that scripts reach; nothing holds a first one. Whatever refers to a block that has its place already is cut.
fn settle(blocks: &mut Blocks) -> BTreeMap<String, Option<String>> {
    let (sure, others) = firsts(blocks);
    let mut holders: BTreeMap<String, Option<String>> = sure.iter().map(|id| (id.clone(), None)).collect();
    for first in &sure {
        descend(blocks, first, &mut holders);
    }
    for first in others {
        if let Entry::Vacant(free) = holders.entry(first.clone()) {
            free.insert(None);
            descend(blocks, &first, &mut holders);
        }
    }
    holders
}

/// Blocks that say that a script begins with them: those that no block holds, and hats, above which the editor lets nothing be; then the
/// others, which begin one only if nothing that a script reaches holds them.
fn firsts(blocks: &Blocks) -> (Vec<String>, Vec<String>) {
    let inner: BTreeSet<&str> = blocks.values().flat_map(held).collect();
    let is_sure = |id: &String| {
        !inner.contains(id.as_str()) || blocks.get(id).and_then(|block| block["opcode"].as_str()).is_some_and(is_hat)
    };
    blocks.iter().filter(|(_, block)| is_top(block)).map(|(id, _)| id.clone()).partition(is_sure)
}

/// Goes through all that a block holds.
fn descend(blocks: &mut Blocks, first: &str, holders: &mut BTreeMap<String, Option<String>>) {
    let mut open = vec![first.to_owned()];
    while let Some(holder) = open.pop() {
        let Some(block) = blocks.get_mut(&holder).and_then(Value::as_object_mut) else { continue };
        for reference in references(block) {
            let Some(id) = reference.as_str().map(str::to_owned) else { continue };
            match holders.entry(id.clone()) {
                Entry::Occupied(_) => *reference = Value::Null,
                Entry::Vacant(free) => {
                    free.insert(Some(holder.clone()));
                    open.push(id);
                }
            }
        }
    }
}

/// What a block refers to others by: the parts of its slots, then `next`.
fn references(block: &mut Map<String, Value>) -> Vec<&mut Value> {
    let (mut slots, mut next) = (Vec::new(), None);
    for (key, value) in block {
        match key.as_str() {
            "inputs" => {
                let inputs = value.as_object_mut().into_iter().flat_map(Map::values_mut);
                slots.extend(inputs.flat_map(|slot| slot.as_array_mut().into_iter().flatten().skip(1)));
            }
            "next" => next = Some(value),
            _ => {}
        }
    }
    slots.extend(next);
    slots
}

#[cfg(test)]
#[path = "links_tests.rs"]
mod tests;
