//! The references of a target's blocks to variables, lists and messages, in the order in which the editor's machine goes through them:
//! blocks as they come, then what is written inside of slots (scratch-vm, `serialization/sb3.js`, `deserializeBlocks`; `engine/blocks.js`,
//! `getAllVariableAndListReferences`).

use std::collections::HashMap;

use serde_json::Value;

use super::keys::entries;
use super::loaded::{DataSection, Settled};
use super::view::shown;

/// Fields that refer, of which a block has one.
const FIELDS: [(&str, DataSection); 3] =
    [("VARIABLE", DataSection::Variables), ("LIST", DataSection::Lists), ("BROADCAST_OPTION", DataSection::Broadcasts)];
/// The numbers of what is written inside of slots and refers.
const INLINE: [(u64, DataSection); 3] =
    [(11, DataSection::Broadcasts), (12, DataSection::Variables), (13, DataSection::Lists)];
/// Its parameters are made anew when a project is loaded.
const PROTOTYPE: &str = "procedures_prototype";

/// A reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference {
    /// Its id as a key: `undefined` where the file has none.
    pub(super) id: String,
    pub(super) section: DataSection,
    pub(super) name: String,
}

/// All references of a target.
pub(super) fn references(target: &Value) -> Vec<Reference> {
    let (mut own, mut inline) = (Vec::new(), Vec::new());
    for (_, block) in target.get("blocks").map(entries).into_iter().flatten() {
        if block.is_array() {
            inline.extend(of_inline(block));
            continue;
        }
        if let Some((field, section)) = field(block) {
            own.push(reference(field, 0, section));
        }
        if block["opcode"] == PROTOTYPE {
            continue;
        }
        let held = block.get("inputs").and_then(Value::as_object).into_iter().flat_map(|inputs| inputs.values());
        inline.extend(held.filter_map(Value::as_array).flatten().filter_map(of_inline));
    }
    own.append(&mut inline);
    own
}

/// Gives references what their ids have become.
pub(super) fn rewrite(target: &mut Value, settled: &HashMap<String, Settled>) {
    for block in target.get_mut("blocks").and_then(Value::as_object_mut).into_iter().flat_map(|all| all.values_mut()) {
        if block.is_array() {
            rewrite_inline(block, settled);
            continue;
        }
        if let Some((name, _)) = FIELDS.iter().find(|(name, _)| field_named(block, name).is_some()) {
            settle(&mut block["fields"][name], 0, settled);
        }
        let held =
            block.get_mut("inputs").and_then(Value::as_object_mut).into_iter().flat_map(|inputs| inputs.values_mut());
        held.filter_map(Value::as_array_mut).flatten().for_each(|held| rewrite_inline(held, settled));
    }
}

/// Gives references other names by their kind and id; ids stay.
pub(super) fn rename(target: &mut Value, new: &dyn Fn(DataSection, &str) -> Option<String>) {
    let write = |items: &mut Value, at: usize, section: DataSection| {
        let name = items.get(at + 1).and_then(Value::as_str).and_then(|id| new(section, id));
        if let (Some(name), Some(held)) = (name, items.get_mut(at)) {
            *held = Value::String(name);
        }
    };
    let inline = |held: &mut Value| {
        if let Some(section) = inline_section(held) {
            write(held, 1, section);
        }
    };
    for block in target.get_mut("blocks").and_then(Value::as_object_mut).into_iter().flat_map(|all| all.values_mut()) {
        if block.is_array() {
            inline(block);
            continue;
        }
        for (name, section) in FIELDS {
            if field_named(block, name).is_some() {
                write(&mut block["fields"][name], 0, section);
            }
        }
        let held =
            block.get_mut("inputs").and_then(Value::as_object_mut).into_iter().flat_map(|inputs| inputs.values_mut());
        held.filter_map(Value::as_array_mut).flatten().for_each(inline);
    }
}

/// The field of a block that is taken for its reference.
fn field(block: &Value) -> Option<(&Value, DataSection)> {
    FIELDS.iter().find_map(|(name, section)| Some((field_named(block, name)?, *section)))
}

fn field_named<'a>(block: &'a Value, name: &str) -> Option<&'a Value> {
    block.get("fields")?.get(name).filter(|field| field.is_array())
}

fn of_inline(held: &Value) -> Option<Reference> {
    Some(reference(held, 1, inline_section(held)?))
}

fn inline_section(held: &Value) -> Option<DataSection> {
    let kind = held.as_array()?.first()?.as_u64()?;
    INLINE.iter().find(|(number, _)| *number == kind).map(|(_, section)| *section)
}

/// A reference whose name is at this place, with its id behind it.
fn reference(items: &Value, at: usize, section: DataSection) -> Reference {
    let name = items.get(at).map(shown).unwrap_or_default();
    Reference { id: id_key(items.get(at + 1)), section, name }
}

/// An id as a key of an object in JavaScript, without characters that XML does not take.
fn id_key(id: Option<&Value>) -> String {
    match id {
        None => "undefined".to_owned(),
        Some(Value::String(id)) => super::loaded::safe_id(id),
        Some(Value::Null) => "null".to_owned(),
        Some(other) => shown(other),
    }
}

fn rewrite_inline(held: &mut Value, settled: &HashMap<String, Settled>) {
    if inline_section(held).is_some() {
        settle(held, 1, settled);
    }
}

/// Writes name and id; what has no id gets one only where the machine gives it one.
fn settle(items: &mut Value, at: usize, settled: &HashMap<String, Settled>) {
    let Some(items) = items.as_array_mut() else { return };
    let key = id_key(items.get(at + 1));
    let Some(Settled { id, name }) = settled.get(&key) else { return };
    if let (Some(name), Some(held)) = (name, items.get_mut(at)) {
        *held = Value::String(name.clone());
    }
    let has_id = items.get(at + 1).is_some_and(|id| id.as_str().is_some_and(|id| !id.is_empty()) || id.is_number());
    let id = id.as_ref().or_else(|| Some(&key).filter(|_| has_id));
    match (id, items.len() > at + 1) {
        (Some(id), true) => items[at + 1] = Value::String(id.clone()),
        (Some(id), false) if items.len() == at + 1 => items.push(Value::String(id.clone())),
        _ => {}
    }
}
