//! The expected canvas: blocks, the contents of their slots and the blocks below them.

use std::collections::BTreeMap;

use super::words::{self, Kind};
use crate::solver::derive::{Content, Id, Procedure, Tree};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// Not on the canvas, or not any more.
    Absent,
    /// It starts a script.
    Top,
    Below(Id),
    /// In a slot of another block.
    In(Id, String),
}

/// What a slot holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Held {
    Nothing,
    /// What is typed or chosen; `None` until it was observed.
    Typed(Option<String>),
    /// A block, the first one of a stack in a mouth.
    Block(Id),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    pub name: String,
    pub kind: Kind,
    pub holds: Held,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub opcode: String,
    /// Choices on the block itself; `None` until they were observed.
    pub fields: BTreeMap<String, Option<String>>,
    pub procedure: Option<Procedure>,
    /// In the order of reading.
    pub slots: Vec<Slot>,
    pub next: Option<Id>,
    pub place: Place,
}

/// A script and where it begins, in pixels from a point that scrolls with the canvas.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Script {
    pub root: Id,
    pub at: (f64, f64),
}

/// All blocks of one target.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sheet {
    pub nodes: Vec<Node>,
    pub scripts: Vec<Script>,
}

impl Sheet {
    /// Registers a block as absent; the contents of its slots are known only if it `is_there`.
    pub fn enter(&mut self, tree: &Tree, is_there: bool) -> Id {
        let value = |value: &String| Some(value.clone()).filter(|_| is_there || words::is_named(&tree.opcode));
        let holds = |(name, kind): &(String, Kind)| match (kind, tree.slots.get(name)) {
            (Kind::Value, Some(Content::Typed(typed))) => Held::Typed(value(typed)),
            (Kind::Value, _) => Held::Typed(None),
            (Kind::Boolean | Kind::Mouth, _) => Held::Nothing,
        };
        let slots = words::slots(tree);
        self.nodes.push(Node {
            opcode: tree.opcode.clone(),
            fields: tree.fields.iter().map(|(name, chosen)| (name.clone(), value(chosen))).collect(),
            procedure: tree.procedure.clone(),
            slots: slots.iter().map(|slot| Slot { name: slot.0.clone(), kind: slot.1, holds: holds(slot) }).collect(),
            next: None,
            place: Place::Absent,
        });
        self.nodes.len() - 1
    }

    /// Puts a block that was absent, or hangs elsewhere, at a place of the canvas, with all below it.
    pub fn put_loose(&mut self, id: Id, at: (f64, f64)) {
        self.unplug(id);
        self.nodes[id].place = Place::Top;
        self.scripts.push(Script { root: id, at });
    }

    /// Hangs a block with all below it below another; what was there goes below its last.
    pub fn put_below(&mut self, id: Id, target: Id) {
        self.unplug(id);
        let follower = self.nodes[target].next.take();
        self.nodes[target].next = Some(id);
        self.nodes[id].place = Place::Below(target);
        self.follow(id, follower);
    }

    /// Puts a block with all below it into a slot; what was in a mouth goes below its last.
    pub fn put_in(&mut self, id: Id, target: Id, name: &str) {
        self.unplug(id);
        let mut held = None;
        if let Some(slot) = self.slot_mut(target, name)
            && let Held::Block(inner) = std::mem::replace(&mut slot.holds, Held::Block(id))
        {
            held = Some(inner);
        }
        self.nodes[id].place = Place::In(target, name.to_owned());
        self.follow(id, held);
    }

    /// Takes a block off the canvas with all below it.
    pub fn remove(&mut self, id: Id) {
        self.unplug(id);
    }

    fn follow(&mut self, id: Id, follower: Option<Id>) {
        if let Some(follower) = follower {
            let tail = self.tail(id);
            self.nodes[tail].next = Some(follower);
            self.nodes[follower].place = Place::Below(tail);
        }
    }

    fn unplug(&mut self, id: Id) {
        match std::mem::replace(&mut self.nodes[id].place, Place::Absent) {
            Place::Absent => {}
            Place::Top => self.scripts.retain(|script| script.root != id),
            Place::Below(above) => self.nodes[above].next = None,
            Place::In(around, name) => {
                if let Some(slot) = self.slot_mut(around, &name) {
                    slot.holds = if slot.kind == Kind::Value { Held::Typed(None) } else { Held::Nothing };
                }
            }
        }
    }

    /// The last block of a stack.
    pub fn tail(&self, id: Id) -> Id {
        let mut at = id;
        while let Some(next) = self.nodes[at].next {
            at = next;
        }
        at
    }

    /// What is in a slot.
    pub fn held(&self, id: Id, name: &str) -> Option<Id> {
        match self.nodes[id].slots.iter().find(|slot| slot.name == name)?.holds {
            Held::Block(inner) => Some(inner),
            _ => None,
        }
    }

    fn slot_mut(&mut self, id: Id, name: &str) -> Option<&mut Slot> {
        self.nodes[id].slots.iter_mut().find(|slot| slot.name == name)
    }

    /// Notes what a field or slot holds.
    pub fn note(&mut self, id: Id, name: &str, value: &str) {
        if let Some(field) = self.nodes[id].fields.get_mut(name) {
            *field = Some(value.to_owned());
        } else if let Some(slot) = self.slot_mut(id, name)
            && matches!(slot.holds, Held::Typed(_))
        {
            slot.holds = Held::Typed(Some(value.to_owned()));
        }
    }

    /// The block in whose script a block is, as a number of the list of scripts.
    pub fn script_of(&self, id: Id) -> Option<usize> {
        let mut at = id;
        loop {
            match &self.nodes[at].place {
                Place::Absent => return None,
                Place::Top => return self.scripts.iter().position(|script| script.root == at),
                Place::Below(above) => at = *above,
                Place::In(around, _) => at = *around,
            }
        }
    }

    /// The stack block that a block is part of: itself, or the one around a reporter; a loose reporter is its own.
    pub fn statement_of(&self, id: Id) -> Id {
        let mut at = id;
        while let Place::In(around, _) = &self.nodes[at].place
            && words::is_reporter(&self.nodes[at].opcode)
        {
            at = *around;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(opcode: &str) -> Tree {
        Tree { opcode: opcode.to_owned(), fields: BTreeMap::new(), slots: BTreeMap::new(), procedure: None }
    }

    #[test]
    fn displaced_blocks_follow_the_inserted_stack() {
        let mut sheet = Sheet::default();
        let [hat, repeat, turn, show] = ["event_whenflagclicked", "control_repeat", "motion_turnright", "looks_show"]
            .map(|it| sheet.enter(&block(it), true));
        sheet.put_loose(hat, (0.0, 0.0));
        sheet.put_below(turn, hat);
        sheet.put_below(repeat, hat);
        assert_eq!(sheet.tail(hat), turn);
        sheet.put_in(turn, repeat, "SUBSTACK");
        sheet.put_in(show, repeat, "SUBSTACK");
        assert_eq!((sheet.held(repeat, "SUBSTACK"), sheet.nodes[show].next), (Some(show), Some(turn)));
        assert_eq!(sheet.script_of(turn), Some(0));
        sheet.remove(show);
        assert_eq!((sheet.held(repeat, "SUBSTACK"), sheet.script_of(turn)), (None, None));
    }

    #[test]
    fn a_slot_that_a_reporter_leaves_shows_something_typed() {
        let mut sheet = Sheet::default();
        let [go, x] = ["motion_setx", "motion_xposition"].map(|it| sheet.enter(&block(it), true));
        sheet.put_loose(go, (0.0, 0.0));
        sheet.put_in(x, go, "X");
        assert_eq!(sheet.statement_of(x), go);
        sheet.remove(x);
        assert_eq!(sheet.nodes[go].slots[0].holds, Held::Typed(None));
        sheet.note(go, "X", "7");
        assert_eq!(sheet.nodes[go].slots[0].holds, Held::Typed(Some("7".to_owned())));
    }
}
