//! A model of the block workspace: what each call does to the numbering (docs/COMPOSITE.md), so that a list of calls
//! can be written without an editor.

use serde_json::{Value, json};

use super::edit::{creation, literal};
use super::executor::{Executor, Id};
use super::tree::Tree;
use crate::model::ActionCall;

/// Where a block hangs.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// It starts a script.
    Top,
    Below(Id),
    /// In a slot of another block.
    In(Id, String),
}

/// A slot, in the order in which blocks are counted.
#[derive(Debug, Clone)]
struct SimSlot {
    name: String,
    holds: Option<Id>,
}

#[derive(Debug, Clone)]
struct Sim {
    slots: Vec<SimSlot>,
    next: Option<Id>,
    place: Place,
}

/// The workspace of one target, and the calls that were made on it.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    blocks: Vec<Sim>,
    tops: Vec<Id>,
    pub calls: Vec<ActionCall>,
}

impl Workspace {
    /// A loose block with these slots.
    fn loose(&mut self, slots: Vec<String>) -> Id {
        let slots = slots.into_iter().map(|name| SimSlot { name, holds: None }).collect();
        self.blocks.push(Sim { slots, next: None, place: Place::Top });
        self.tops.push(self.blocks.len() - 1);
        self.blocks.len() - 1
    }
    /// Index of a block, from 1.
    fn index(&self, id: Id) -> usize {
        let mut order = Vec::new();
        self.tops.iter().for_each(|top| self.count(*top, &mut order));
        order.iter().position(|each| *each == id).map_or(0, |at| at + 1)
    }

    /// Hangs a stack somewhere, with what hung there below its last block.
    fn put(&mut self, source: Id, follower: Option<Id>, hang: impl FnOnce(&mut Self)) {
        if let Some(follower) = follower {
            self.unplug(follower);
        }
        hang(self);
        if let Some(follower) = follower {
            let tail = self.tail(source);
            self.hang_below(tail, follower);
        }
    }

    fn call(&mut self, api: &str, args: Value) {
        let args = if let Value::Object(args) = args { args } else { serde_json::Map::new() };
        self.calls.push(ActionCall::new(api, args));
    }

    fn connect(&mut self, source: Id, target: Id, placement: &Value) {
        let (from, to) = (self.index(source), self.index(target));
        let args = json!({"sourceBlockIndex": from, "targetBlockIndex": to, "placement": placement});
        self.call("connect_blocks", args);
    }

    /// Takes a block out of where it hangs; loose blocks come last.
    fn unplug(&mut self, id: Id) {
        match std::mem::replace(&mut self.blocks[id].place, Place::Top) {
            Place::Top => return,
            Place::Below(above) => self.blocks[above].next = None,
            Place::In(around, name) => {
                if let Some(slot) = self.slot(around, &name) {
                    slot.holds = None;
                }
            }
        }
        self.tops.push(id);
    }

    fn slot(&mut self, id: Id, name: &str) -> Option<&mut SimSlot> {
        self.blocks[id].slots.iter_mut().find(|slot| slot.name == name)
    }

    fn tail(&self, first: Id) -> Id {
        let mut at = first;
        while let Some(next) = self.blocks[at].next {
            at = next;
        }
        at
    }

    /// A block, what is in its slots, then the block below.
    fn count(&self, first: Id, order: &mut Vec<Id>) {
        let mut at = Some(first);
        while let Some(id) = at {
            order.push(id);
            let inside = self.blocks[id].slots.iter().filter_map(|slot| slot.holds);
            inside.for_each(|inner| self.count(inner, order));
            at = self.blocks[id].next;
        }
    }
}

/// Makes calls; what exists already needs none.
impl Executor for Workspace {
    fn place(&mut self, _tree: &Tree, slots: Vec<String>) -> Id {
        self.loose(slots)
    }

    fn hang_below(&mut self, above: Id, first: Id) {
        self.unplug(first);
        self.tops.retain(|top| *top != first);
        self.blocks[first].place = Place::Below(above);
        self.blocks[above].next = Some(first);
    }

    fn hang_in(&mut self, around: Id, slot: &str, first: Id) {
        self.unplug(first);
        self.tops.retain(|top| *top != first);
        self.blocks[first].place = Place::In(around, slot.to_owned());
        if let Some(slot) = self.slot(around, slot) {
            slot.holds = Some(first);
        }
    }

    fn add(&mut self, tree: &Tree, slots: Vec<String>) -> Id {
        let mut args = json!({"blockType": tree.opcode});
        if let (Some(creation), _) = creation(tree) {
            args["creation"] = creation;
        }
        self.call("add_block", args);
        self.loose(slots)
    }

    fn set(&mut self, id: Id, field: &str, value: &str) {
        let args = json!({"blockIndex": self.index(id), "fieldName": field, "value": literal(value)});
        self.call("set_block_field", args);
    }

    fn connect_below(&mut self, source: Id, target: Id) {
        self.connect(source, target, &json!({"kind": "stack_after"}));
        let follower = self.blocks[target].next.filter(|follower| *follower != source);
        self.put(source, follower, |workspace| workspace.hang_below(target, source));
    }

    fn connect_in(&mut self, source: Id, target: Id, slot: &str, is_stack: bool) {
        let kind = if is_stack { "statement_into" } else { "value_into" };
        self.connect(source, target, &json!({"kind": kind, "inputName": slot}));
        let held = self.slot(target, slot).and_then(|slot| slot.holds).filter(|held| is_stack && *held != source);
        self.put(source, held, |workspace| workspace.hang_in(target, slot, source));
    }

    fn detach(&mut self, id: Id) {
        self.call("detach_blocks", json!({"blockIndex": self.index(id)}));
        self.unplug(id);
    }

    fn delete(&mut self, id: Id) {
        self.call("delete_block", json!({"blockIndex": self.index(id)}));
        self.unplug(id);
        self.tops.retain(|top| *top != id);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn blocks_are_counted_as_the_editor_counts_them() {
        let mut workspace = Workspace::default();
        let block = |opcode: &str| Tree {
            opcode: opcode.to_owned(),
            fields: BTreeMap::new(),
            slots: BTreeMap::new(),
            procedure: None,
        };
        let hat = workspace.place(&block("event_whenflagclicked"), vec![]);
        let repeat = workspace.add(&block("control_repeat"), vec!["TIMES".to_owned(), "SUBSTACK".to_owned()]);
        let turn = workspace.add(&block("motion_turnright"), vec!["DEGREES".to_owned()]);
        workspace.connect_below(repeat, hat);
        workspace.connect_in(turn, repeat, "SUBSTACK", true);
        let sum = workspace.add(&block("operator_add"), vec![]);
        workspace.connect_in(sum, repeat, "TIMES", false);
        assert_eq!([hat, repeat, sum, turn].map(|id| workspace.index(id)), [1, 2, 3, 4]);
        let first = workspace.add(&block("motion_movesteps"), vec![]);
        workspace.connect_in(first, repeat, "SUBSTACK", true);
        assert_eq!([first, turn].map(|id| workspace.index(id)), [4, 5], "what was inside goes below");
        workspace.detach(sum);
        assert_eq!([first, turn, sum].map(|id| workspace.index(id)), [3, 4, 5], "loose blocks come last");
        workspace.delete(first);
        assert_eq!([repeat, sum].map(|id| workspace.index(id)), [2, 3]);
        let args = serde_json::Value::Object(workspace.calls.last().unwrap().args.clone());
        assert_eq!(args, json!({"blockIndex": 3}));
    }
}
