//! The edits that undo others, to the byte: read from the project before and after each of them.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::apply::apply;
use super::blocks::{Above, Blocks};
use super::canonical::canonical;
use super::error::EditError;
use super::slots::{self, Slot};
use super::{Adopted, Edit, Literal, NewBlock, Operand, Patch};
use crate::catalogue::Entry;
use crate::view::TargetView;

/// The patch that makes `project` of what `patch` makes of it, in the [`canonical`] way of writing; `None` where an edit can't be
/// undone by atomic edits: it removed a block with a mouth that is not spliced, or a comment.
///
/// # Errors
/// When `patch` can't be applied.
pub fn inverse(project: &Value, patch: &[Edit]) -> Result<Option<Patch>, EditError> {
    let mut before = project.clone();
    canonical(&mut before);
    let gold = before.clone();
    let mut undone: Vec<Patch> = Vec::new();
    for edit in patch {
        let after = apply(&before, std::slice::from_ref(edit))?;
        let Some(undo) = undo(&before, edit) else { return Ok(None) };
        undone.push(undo);
        before = after;
    }
    let inverse: Patch = undone.into_iter().rev().flatten().collect();
    Ok(apply(&before, &inverse).is_ok_and(|again| again == gold && same_order(&again, &gold)).then_some(inverse))
}

/// Whether all keys are in the same order: scripts run in it.
fn same_order(one: &Value, other: &Value) -> bool {
    let (one, other) = (one.to_string(), other.to_string());
    one == other
}

fn undo(before: &Value, edit: &Edit) -> Option<Patch> {
    let mut target = target(before, edit.sprite_id())?.clone();
    let mut blocks = Blocks(target.get_mut("blocks")?.as_object_mut()?);
    let sprite_id = edit.sprite_id().to_owned();
    match edit {
        Edit::Modify { block_id, path, .. } => {
            let value = operand(&blocks, block_id, path)?;
            Some(vec![Edit::Modify { sprite_id, block_id: block_id.clone(), path: path.clone(), value }])
        }
        Edit::Add { block, .. } => {
            let splice = block.inputs.values().any(|input| matches!(input, Operand::Block(_)));
            Some(vec![Edit::Remove { sprite_id, block_id: block.id.clone(), splice }])
        }
        Edit::Remove { block_id, splice, .. } => Some(restored(&mut blocks, &sprite_id, block_id, *splice)?),
    }
}

fn target<'a>(project: &'a Value, sprite_id: &str) -> Option<&'a Value> {
    project["targets"].as_array()?.iter().find(|target| TargetView::of(target).sprite_id() == sprite_id)
}

/// What is at a path of a block.
fn operand(blocks: &Blocks<'_>, id: &str, path: &str) -> Option<Operand> {
    let block = blocks.0.get(id)?;
    match path.split_once('/') {
        None => Some(Operand::Literal(Literal::of(block.get(path)?)?)),
        Some(("fields", name)) => field(block["fields"].get(name)?),
        Some((_, name)) => slot(blocks, block["inputs"].get(name)?),
    }
}

fn field(value: &Value) -> Option<Operand> {
    Some(match value[1].as_str() {
        Some(id) => Operand::Named(value[0].as_str()?.to_owned(), id.to_owned()),
        None => Operand::Literal(Literal::of(&value[0])?),
    })
}

/// What is seen in a slot.
fn slot(blocks: &Blocks<'_>, slot: &Value) -> Option<Operand> {
    match &slot[1] {
        Value::String(id) => {
            let block = blocks.0.get(id)?;
            if block["shadow"] == true {
                let choice = block["fields"].as_object()?.values().next()?;
                return Some(Operand::Literal(Literal::of(&choice[0])?));
            }
            Some(Operand::Block(Adopted { block: id.clone() }))
        }
        Value::Array(parts) => match parts.first()?.as_u64()? {
            11..=13 => Some(Operand::Named(parts.get(1)?.as_str()?.to_owned(), parts.get(2)?.as_str()?.to_owned())),
            _ => Some(Operand::Literal(Literal::of(parts.get(1)?)?)),
        },
        _ => None,
    }
}

/// The edits that put a removed block back, those in its slots after it.
fn restored(blocks: &mut Blocks<'_>, sprite_id: &str, id: &str, splice: bool) -> Option<Patch> {
    let (above, next) = (blocks.above(id), blocks.next(id));
    let (parent, input, at) = match above {
        Above::Top(x, y) => {
            let (Value::Number(x), Value::Number(y)) = (x, y) else { return None };
            (None, None, Some((x, y)))
        }
        Above::Below(parent) => (Some(parent), None, None),
        Above::In(parent, input) => (Some(parent), Some(input), None),
        Above::Parked => return None,
    };
    let is_value = is_value(slots::entry(&blocks.opcode(id).ok()?).ok()?);
    // In a mouth or stack, what follows is there already; it is named where the new block adopts a part of it.
    let next = next.filter(|_| !is_value && (splice || at.is_some()));
    let mut edits = Vec::new();
    let (block, laid) = described(blocks, id, splice)?;
    let order = order(blocks.0, id, &block);
    let inner: Vec<(String, String)> = inner_reporters(blocks, id, splice);
    edits.push(Edit::Add { sprite_id: sprite_id.to_owned(), parent, input, at, next, block: Box::new(block), order });
    edits.extend(laid.into_iter().map(|(name, value)| {
        let (sprite_id, block_id) = (sprite_id.to_owned(), id.to_owned());
        Edit::Modify { sprite_id, block_id, path: format!("inputs/{name}"), value }
    }));
    for (slot, reporter) in inner {
        let mut more = restored(blocks, sprite_id, &reporter, false)?;
        if let Some(Edit::Add { parent, input, .. }) = more.first_mut() {
            (*parent, *input) = (Some(id.to_owned()), Some(slot));
        }
        edits.extend(more);
    }
    Some(edits)
}

fn is_value(entry: &Entry) -> bool {
    matches!(&*entry.shape, "reporter" | "boolean")
}

/// Slots of an added block that a variable is laid into afterwards.
type Laid = Vec<(String, Operand)>;

/// A block as an edit adds it, without the reporters in its slots, which are edits of their own.
fn described(blocks: &Blocks<'_>, id: &str, splice: bool) -> Option<(NewBlock, Laid)> {
    let block = blocks.0.get(id)?;
    if block.get("comment").is_some() || block.get("mutation").is_some_and(|_| block["opcode"] != "control_stop") {
        return None;
    }
    let opcode = block["opcode"].as_str()?.to_owned();
    let entry = slots::entry(&opcode).ok()?;
    let mut new = NewBlock {
        id: id.to_owned(),
        opcode,
        fields: IndexMap::new(),
        inputs: IndexMap::new(),
        menus: IndexMap::new(),
    };
    for (name, value) in block["fields"].as_object()? {
        new.fields.insert(name.clone(), field(value)?);
    }
    let (mut spliced, is_value, mut laid) = (false, is_value(entry), Vec::new());
    for (name, kind) in slots::slots(entry) {
        let Some(held) = block["inputs"].get(name) else { continue };
        let own = held[1].as_str().filter(|inner| blocks.own(inner).is_ok());
        match (kind, own) {
            (Slot::Mouth, Some(first)) if splice && !spliced => {
                spliced = true;
                new.inputs.insert(name.to_owned(), Operand::Block(Adopted { block: first.to_owned() }));
            }
            (Slot::Mouth, Some(_)) => return None,
            (Slot::Mouth, None) => {}
            (Slot::Value { .. }, Some(inner)) if splice && is_value && !spliced => {
                spliced = true;
                new.inputs.insert(name.to_owned(), Operand::Block(Adopted { block: inner.to_owned() }));
            }
            (Slot::Value { value, .. }, own) => {
                laid.extend(default(blocks, &mut new, (name, held, value), own.is_some())?);
            }
        }
    }
    Some((new, laid))
}

/// Notes what the default of a slot shows, below a reporter too. A variable on a menu, or on another value than the
/// palette's, is laid there afterwards, or nothing would tell what is below it.
fn default(
    blocks: &Blocks<'_>,
    new: &mut NewBlock,
    (name, held, palette): (&str, &Value, Option<&str>),
    is_covered: bool,
) -> Option<Laid> {
    let shown = if held[0] == 3 { &held[2] } else { &held[1] };
    if let Some(menu) = shown.as_str().filter(|menu| blocks.0.get(*menu).is_some_and(|block| block["shadow"] == true)) {
        new.menus.insert(name.to_owned(), menu.to_owned());
    }
    let is_laid = held[1][0] == 12 || held[1][0] == 13;
    let is_palettes = shown[1].as_str() == palette;
    if is_laid && is_palettes && !new.menus.contains_key(name) {
        // A new block has the palette's default below what is laid on it.
        new.inputs.insert(name.to_owned(), slot(blocks, held)?);
        return Some(Vec::new());
    }
    if !is_covered || held[0] == 3 {
        let below = Value::Array(vec![1.into(), shown.clone()]);
        new.inputs.insert(name.to_owned(), slot(blocks, &below)?);
    }
    Some(if is_laid { vec![(name.to_owned(), slot(blocks, held)?)] } else { Vec::new() })
}

/// The reporters in the slots of a block, which go with it.
fn inner_reporters(blocks: &Blocks<'_>, id: &str, splice: bool) -> Vec<(String, String)> {
    let Some(block) = blocks.0.get(id) else { return Vec::new() };
    let Some(entry) = block["opcode"].as_str().and_then(|opcode| slots::entry(opcode).ok()) else { return Vec::new() };
    let values = slots::slots(entry).filter(|(_, slot)| matches!(slot, Slot::Value { .. })).map(|(name, _)| name);
    let is_value = is_value(entry);
    let held = values.filter_map(|name| Some((name.to_owned(), blocks.seen(id, name)?)));
    let mut found: Vec<(String, String)> =
        held.filter(|(_, inner)| blocks.own(inner).is_ok()).skip(usize::from(splice && is_value)).collect();
    // Those further down in the file are put back first: the others stand before them.
    let place = |id: &str| blocks.0.keys().position(|key| key == id);
    found.sort_by_key(|(_, inner)| std::cmp::Reverse(place(inner)));
    found
}

/// Before which blocks the removed one and its menus stand in the file.
fn order(blocks: &Map<String, Value>, id: &str, block: &NewBlock) -> IndexMap<String, Option<String>> {
    let own: Vec<&str> = std::iter::once(id).chain(block.menus.values().map(String::as_str)).collect();
    let keys: Vec<&String> = blocks.keys().collect();
    let mut order = IndexMap::new();
    for one in &own {
        let at = keys.iter().position(|key| key == one).unwrap_or(keys.len());
        // What goes with it is put back after it, and can't be named.
        let gone = descendants(blocks, id, block);
        let before = keys.iter().skip(at + 1).find(|key| !own.contains(&key.as_str()) && !gone.contains(key));
        order.insert((*one).to_owned(), before.map(|key| (*key).clone()));
    }
    order
}

/// All that a block holds, but for what it adopts.
fn descendants(blocks: &Map<String, Value>, id: &str, block: &NewBlock) -> Vec<String> {
    let is_adopted = |held: &str| {
        block.inputs.values().any(|input| matches!(input, Operand::Block(Adopted { block }) if block == held))
    };
    let (mut open, mut found) = (vec![id.to_owned()], Vec::new());
    while let Some(id) = open.pop() {
        let inputs = blocks.get(&id).and_then(|block| block["inputs"].as_object()).into_iter().flat_map(Map::values);
        for held in inputs.flat_map(|input| input.as_array().into_iter().flatten().skip(1)).filter_map(Value::as_str) {
            if is_adopted(held) {
                continue;
            }
            open.push(held.to_owned());
            found.push(held.to_owned());
        }
    }
    found
}
