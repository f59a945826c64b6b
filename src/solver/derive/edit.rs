//! Turns the scripts of one target into those of its golden counterpart, call by call.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::align::{align, similarity};
use super::executor::{Executor, Id};
use super::palette::Palette;
use super::tree::{CALL, Content, DEFINITION, Tree};

/// A block that is in the workspace, with those in its slots.
#[derive(Debug)]
pub(in crate::solver) struct Placed<'a> {
    tree: &'a Tree,
    pub id: Id,
    reporters: BTreeMap<&'a str, Placed<'a>>,
    stacks: BTreeMap<&'a str, Vec<Placed<'a>>>,
}

#[derive(Debug, Clone, Copy)]
pub(in crate::solver) enum Begin<'a> {
    /// As a script of its own.
    Script,
    /// In a C-shaped slot.
    Slot(Id, &'a str),
    /// Below a block that stays where it is.
    Below(Id),
}

/// Edits one target through an executor.
#[derive(Debug)]
pub(in crate::solver) struct Editor<'a, H> {
    pub executor: H,
    palette: Palette<'a>,
}

impl<'a, H: Executor> Editor<'a, H> {
    pub const fn new(executor: H, palette: Palette<'a>) -> Self {
        Self { executor, palette }
    }

    /// Registers an existing script.
    pub fn existing(&mut self, script: &'a [Tree]) -> Vec<Placed<'a>> {
        let mut placed: Vec<Placed<'a>> = Vec::new();
        for tree in script {
            let one = self.existing_block(tree);
            if let Some(above) = placed.last() {
                self.executor.hang_below(above.id, one.id);
            }
            placed.push(one);
        }
        placed
    }

    fn existing_block(&mut self, tree: &'a Tree) -> Placed<'a> {
        let id = self.executor.place(tree, self.palette.slots(tree));
        let mut placed = Placed { tree, id, reporters: BTreeMap::new(), stacks: BTreeMap::new() };
        for (name, content) in &tree.slots {
            match content {
                Content::Typed(_) => {}
                Content::Reporter { block, .. } => {
                    let inner = self.existing_block(block);
                    self.executor.hang_in(id, name, inner.id);
                    placed.reporters.insert(name, inner);
                }
                Content::Stack(trees) => {
                    let inner = self.existing(trees);
                    if let Some(first) = inner.first() {
                        self.executor.hang_in(id, name, first.id);
                    }
                    placed.stacks.insert(name, inner);
                }
            }
        }
        placed
    }

    /// Turns a stack into another one.
    pub fn transform(&mut self, begin: Begin<'_>, old: &[Placed<'a>], new: &[Tree]) {
        let before: Vec<Tree> = old.iter().map(|placed| placed.tree.clone()).collect();
        let pairs = align(&before, new).0;
        let mut last: Option<Id> = None;
        let (mut i, mut j) = (0, 0);
        for (kept_at, becomes) in pairs.into_iter().map(Some).chain([None]).map(Option::unzip) {
            let kept = kept_at.map(|at| &old[at]);
            let mut is_loose = false;
            if kept_at.unwrap_or(old.len()) > i {
                if let Some(kept) = kept {
                    self.executor.detach(kept.id);
                    is_loose = true;
                }
                self.executor.delete(old[i].id);
            }
            for tree in &new[j..becomes.unwrap_or(new.len())] {
                let id = self.build(tree);
                self.attach(id, begin, last);
                // Nothing can be connected above the head of a script: the script is connected below instead.
                is_loose |= matches!(begin, Begin::Script) && last.is_none();
                last = Some(id);
            }
            let (Some(kept), Some(becomes)) = (kept, becomes) else { break };
            if is_loose {
                self.attach(kept.id, begin, last);
            }
            self.alter(kept, &new[becomes]);
            last = Some(kept.id);
            (i, j) = (kept_at.unwrap_or_default() + 1, becomes + 1);
        }
    }

    fn attach(&mut self, id: Id, begin: Begin<'_>, last: Option<Id>) {
        match (last, begin) {
            (Some(above), _) | (None, Begin::Below(above)) => self.executor.connect_below(id, above),
            (None, Begin::Slot(around, slot)) => self.executor.connect_in(id, around, slot, true),
            (None, Begin::Script) => {}
        }
    }

    /// Turns a block into another one of its kind.
    fn alter(&mut self, old: &Placed<'a>, new: &Tree) {
        for slot in self.palette.slots(new) {
            self.alter_slot(old, &slot, new.slots.get(&slot));
        }
        // What a field offers may depend on a slot: `[x position] of (Otter)`.
        for (name, value) in &new.fields {
            if old.tree.fields.get(name) != Some(value) {
                self.executor.set(old.id, name, value);
            }
        }
    }

    fn alter_slot(&mut self, old: &Placed<'a>, slot: &str, new: Option<&Content>) {
        let before = old.tree.slots.get(slot);
        match (old.reporters.get(slot), new) {
            (Some(inner), Some(Content::Reporter { block, .. })) if similarity(inner.tree, block) > 0 => {
                return self.alter(inner, block);
            }
            (Some(inner), _) => self.executor.delete(inner.id),
            (None, _) => {}
        }
        match new {
            Some(Content::Reporter { block, .. }) => {
                let id = self.build(block);
                self.executor.connect_in(id, old.id, slot, false);
            }
            Some(Content::Typed(value)) => {
                let present = match before {
                    Some(Content::Typed(typed)) => Some(typed),
                    Some(Content::Reporter { hidden, .. }) => hidden.as_ref(),
                    _ => None,
                };
                if present != Some(value) {
                    self.executor.set(old.id, slot, value);
                }
            }
            Some(Content::Stack(trees)) => {
                let inner = old.stacks.get(slot).map(Vec::as_slice).unwrap_or_default();
                self.transform(Begin::Slot(old.id, slot), inner, trees);
            }
            None => {
                if let Some(first) = old.stacks.get(slot).and_then(|stack| stack.first()) {
                    self.executor.delete(first.id);
                }
            }
        }
    }

    /// Makes a block with all that belongs into it, loose.
    pub fn build(&mut self, tree: &Tree) -> Id {
        let (_, bound) = creation(tree);
        let id = self.executor.add(tree, self.palette.slots(tree));
        for slot in self.palette.slots(tree) {
            match tree.slots.get(&slot) {
                Some(Content::Typed(value)) if self.palette.typed(tree, &slot).as_ref() != Some(value) => {
                    self.executor.set(id, &slot, value);
                }
                Some(Content::Reporter { block, .. }) => {
                    let inner = self.build(block);
                    self.executor.connect_in(inner, id, &slot, false);
                }
                Some(Content::Stack(trees)) => self.transform(Begin::Slot(id, &slot), &[], trees),
                _ => {}
            }
        }
        // After the slots, as above.
        for (name, value) in tree.fields.iter().filter(|(name, _)| Some(name.as_str()) != bound) {
            if self.palette.chosen(tree, name).as_ref() != Some(value) {
                self.executor.set(id, name, value);
            }
        }
        id
    }
}

/// What `add_block` needs beside the type, and the field that is settled by it.
pub(super) fn creation(tree: &Tree) -> (Option<Value>, Option<&'static str>) {
    let named = |field: &'static str, key: &str| {
        let value = tree.fields.get(field)?;
        let creation = Value::Object(serde_json::Map::from_iter([(key.to_owned(), json!(value))]));
        Some((Some(creation), Some(field)))
    };
    let found = match (tree.opcode.as_str(), &tree.procedure) {
        (DEFINITION, Some(own)) => {
            let names = &own.argument_names;
            let creation = json!({"procedureName": own.proccode, "argumentNames": names, "warp": own.warp});
            Some((Some(creation), None))
        }
        (CALL, Some(own)) => Some((Some(json!({"procedureName": own.proccode})), None)),
        (opcode, _) if opcode.starts_with("data_") => {
            named("VARIABLE", "variableName").or_else(|| named("LIST", "listName"))
        }
        (opcode, _) if opcode.starts_with("argument_reporter_") => named("VALUE", "argumentName"),
        _ => None,
    };
    found.unwrap_or_default()
}

/// A value as it reads best in a list of calls: numbers as numbers where nothing is lost.
pub(super) fn literal(text: &str) -> Value {
    match text.parse::<serde_json::Number>() {
        Ok(number) if number.to_string() == text => Value::Number(number),
        _ => Value::String(text.to_owned()),
    }
}
