//! The blocks of one target while they are edited: looking up, linking, taking out. What is taken out of a slot and not yet put
//! elsewhere is parked, and gone when the patch is over.

use std::collections::HashSet;

use indexmap::IndexSet;
use serde_json::{Map, Value, json};

use super::canonical::written;
use super::error::Refusal;
use crate::links;

/// The blocks of a target, in the order of the file.
pub(super) struct Blocks<'a>(pub(super) &'a mut Map<String, Value>);

/// Where a block hangs.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Above {
    /// It begins a script, at this place.
    Top(Value, Value),
    /// Below this block.
    Below(String),
    /// In this slot of this block.
    In(String, String),
    /// Nowhere: it was taken out.
    Parked,
}

impl Blocks<'_> {
    /// A block that is no shadow.
    pub(super) fn own(&self, id: &str) -> Result<&Map<String, Value>, Refusal> {
        let block = self.0.get(id).ok_or_else(|| Refusal::unresolved("block", id))?;
        let block =
            block.as_object().ok_or_else(|| Refusal::unsupported("a reporter that lies alone is no block to edit"))?;
        if block.get("shadow") == Some(&Value::Bool(true)) {
            return Err(Refusal::unsupported(format!(
                "`{id}` is the shadow of a slot: it is changed through its host"
            )));
        }
        Ok(block)
    }

    pub(super) fn opcode(&self, id: &str) -> Result<String, Refusal> {
        let opcode = self.own(id)?.get("opcode").and_then(Value::as_str);
        Ok(opcode.unwrap_or_default().to_owned())
    }

    fn text(&self, id: &str, key: &str) -> Option<String> {
        self.0.get(id)?.get(key)?.as_str().map(str::to_owned)
    }

    pub(super) fn next(&self, id: &str) -> Option<String> {
        self.text(id, "next")
    }

    /// The block that is seen in a slot or first in a mouth.
    pub(super) fn seen(&self, id: &str, input: &str) -> Option<String> {
        self.0.get(id)?.get("inputs")?.get(input)?.get(1)?.as_str().map(str::to_owned)
    }

    pub(super) fn above(&self, id: &str) -> Above {
        let Some(block) = self.0.get(id) else { return Above::Parked };
        if block["topLevel"] == true {
            return Above::Top(block["x"].clone(), block["y"].clone());
        }
        let Some(parent) = self.text(id, "parent") else { return Above::Parked };
        if self.next(&parent).as_deref() == Some(id) {
            return Above::Below(parent);
        }
        let inputs = self.0.get(&parent).and_then(|parent| parent.get("inputs")?.as_object());
        let slot = inputs.into_iter().flatten().find(|(_, input)| input.get(1).and_then(Value::as_str) == Some(id));
        slot.map_or(Above::Parked, |(name, _)| Above::In(parent.clone(), name.clone()))
    }

    /// The blocks from one to the end of its stack, as long as they are not `until`.
    pub(super) fn chain(&self, first: &str, until: Option<&str>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut next = Some(first.to_owned());
        while let Some(id) = next.filter(|id| Some(id.as_str()) != until && !found.contains(id)) {
            next = self.next(&id);
            found.push(id);
        }
        found
    }

    pub(super) fn set(&mut self, id: &str, key: &str, value: Value) {
        if let Some(block) = self.0.get_mut(id).and_then(Value::as_object_mut) {
            block.insert(key.to_owned(), value);
            written(block);
        }
    }

    /// Puts a block below another, or takes what is there away.
    pub(super) fn set_next(&mut self, id: &str, next: Option<&str>) {
        self.set(id, "next", json!(next));
        if let Some(next) = next {
            self.hang(next, Some(id));
        }
    }

    /// Says what a block hangs on; it begins no script any more.
    fn hang(&mut self, id: &str, parent: Option<&str>) {
        if let Some(block) = self.0.get_mut(id).and_then(Value::as_object_mut) {
            block.insert("parent".to_owned(), json!(parent));
            block.insert("topLevel".to_owned(), json!(false));
            block.shift_remove("x");
            block.shift_remove("y");
            written(block);
        }
    }

    /// What a slot holds, as the file has it.
    pub(super) fn slot_mut(&mut self, id: &str, input: &str) -> Option<&mut Value> {
        let block = self.0.get_mut(id)?.as_object_mut()?;
        Some(block.entry("inputs").or_insert_with(|| json!({})).as_object_mut()?.entry(input).or_insert(Value::Null))
    }

    /// Puts a block, or the first of a stack, into a slot or mouth. What was there is no more seen.
    pub(super) fn fill(&mut self, id: &str, input: &str, held: &str) {
        if let Some(slot) = self.slot_mut(id, input) {
            let hidden = match slot[0].as_u64() {
                Some(1) => Some(slot[1].clone()),
                Some(3) => Some(slot[2].clone()),
                _ => None,
            };
            *slot = hidden.map_or_else(|| json!([2, held]), |hidden| json!([3, held, hidden]));
        }
        self.hang(held, Some(id));
        self.tidy(id);
    }

    /// Takes the block that is seen in a slot out of it, which shows its shadow again, or nothing.
    pub(super) fn clear(&mut self, id: &str, input: &str) {
        if let Some(slot) = self.slot_mut(id, input) {
            *slot = if slot[0] == 3 { json!([1, slot[2].clone()]) } else { Value::Null };
        }
        self.tidy(id);
    }

    /// Writes a block in the canonical way.
    pub(super) fn tidy(&mut self, id: &str) {
        if let Some(block) = self.0.get_mut(id).and_then(Value::as_object_mut) {
            written(block);
        }
    }

    /// Takes a block out of where it hangs, with what follows it; it is parked.
    pub(super) fn unhang(&mut self, id: &str) {
        match self.above(id) {
            Above::Below(parent) => self.set_next(&parent, None),
            Above::In(parent, input) => self.clear(&parent, &input),
            Above::Top(..) | Above::Parked => {}
        }
        self.hang(id, None);
    }

    /// Puts a block, or the first of a stack, where another hung.
    pub(super) fn put(&mut self, id: &str, above: &Above) {
        match above {
            Above::Below(parent) => self.set_next(parent, Some(id)),
            Above::In(parent, input) => self.fill(parent, input, id),
            Above::Top(x, y) => self.begin_script(id, x, y),
            Above::Parked => self.hang(id, None),
        }
    }

    /// Has a script begin with a block.
    pub(super) fn begin_script(&mut self, id: &str, x: &Value, y: &Value) {
        for (key, value) in [("parent", Value::Null), ("topLevel", json!(true)), ("x", x.clone()), ("y", y.clone())] {
            self.set(id, key, value);
        }
    }

    /// Takes a block away with all that it holds; not what is below it.
    pub(super) fn remove_tree(&mut self, id: &str) {
        remove_tree(self.0, id, false);
    }

    /// The block furthest down in the file of one and all that it holds. The editor writes what is below a block after them.
    pub(super) fn last_held(&self, id: &str) -> String {
        let held = held(self.0, id, false);
        let place = |id: &str| self.0.keys().position(|key| key == id);
        held.into_iter().max_by_key(|id| place(id)).unwrap_or_else(|| id.to_owned())
    }

    /// Adds a block to the file: before another, at the end, or after the one above it.
    pub(super) fn insert(&mut self, id: &str, block: Value, place: &Place) {
        let end = self.0.len();
        let at = match place {
            Place::Before(before) => self.0.keys().position(|key| key == before).unwrap_or(end),
            Place::After(after) => self.0.keys().position(|key| key == after).map_or(end, |at| at + 1),
            Place::End => end,
        };
        self.0.shift_insert(at, id.to_owned(), block);
        self.tidy(id);
    }

    /// Blocks that hang nowhere: what was parked and put nowhere. They go, with all that they hold. What another block holds hangs there,
    /// whatever it says itself.
    pub(super) fn drop_parked(&mut self) {
        for first in self.parked() {
            for id in self.chain(&first, None) {
                self.remove_tree(&id);
            }
        }
    }

    fn parked(&self) -> Vec<String> {
        let inner: HashSet<&str> = self.0.values().flat_map(links::held).collect();
        let hangs_nowhere = |block: &Value| block.is_object() && block["topLevel"] != true && block["parent"].is_null();
        let parked =
            self.0.iter().filter(|(id, block)| hangs_nowhere(block) && !inner.contains(id.as_str())).map(|(id, _)| id);
        parked.cloned().collect()
    }
}

/// Where a block stands in the file.
#[derive(Debug, Clone)]
pub(super) enum Place {
    Before(String),
    After(String),
    End,
}

/// Removes a block and all that it holds; `below` says whether the blocks that follow go too.
pub fn remove_tree(blocks: &mut Map<String, Value>, id: &str, below: bool) {
    for id in held(blocks, id, below) {
        // `remove` would move the last key to the gap, and the order of keys decides the order of scripts.
        blocks.shift_remove(&id);
    }
}

/// A block and all that it holds; `below` says whether the blocks that follow belong to it.
fn held(blocks: &Map<String, Value>, id: &str, below: bool) -> Vec<String> {
    let (mut open, mut found) = (vec![(id.to_owned(), below)], IndexSet::new());
    while let Some((id, below)) = open.pop() {
        let Some(block) = blocks.get(&id).filter(|_| !found.contains(&id)) else { continue };
        let next = block.get("next").and_then(Value::as_str).filter(|_| below);
        open.extend(links::in_slots(block).chain(next).map(|inner| (inner.to_owned(), true)));
        found.insert(id);
    }
    found.into_iter().collect()
}

/// Removes comments that were fixed to a block that is gone.
pub fn drop_lost_comments(target: &mut Value) {
    let Some(blocks) = target.get("blocks").and_then(Value::as_object) else { return };
    let lost = |comment: &Value| {
        comment.get("blockId").and_then(Value::as_str).is_some_and(|block| !blocks.contains_key(block))
    };
    let Some(comments) = target.get("comments").and_then(Value::as_object) else { return };
    let gone: Vec<String> = comments.iter().filter(|(_, comment)| lost(comment)).map(|(id, _)| id.clone()).collect();
    if let Some(comments) = target.get_mut("comments").and_then(Value::as_object_mut) {
        for id in gone {
            comments.shift_remove(&id);
        }
    }
}
