//! Orders the edits of a target for the mouse: a block goes straight from the palette into place, and is filled there.

use std::collections::BTreeMap;

use super::sheet::Sheet;
use crate::solver::derive::{DEFINITION, Executor, Id, Tree};

/// Where a block is to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spot {
    /// A free place of the canvas.
    Loose,
    Below(Id),
    /// Into a slot of a block.
    In(Id, String),
}

/// One change of what is on the canvas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Edit {
    /// A block from the palette.
    Add(Id, Spot),
    /// A block that is on the canvas, with all below it.
    Move(Id, Spot),
    /// A value is typed or chosen.
    Set { id: Id, field: String, value: String },
    /// A block of the project's own is made.
    Define(Id),
    /// A block is thrown away with all below it.
    Delete(Id),
}

impl Edit {
    /// The block that must be on the canvas before.
    fn needs(&self) -> Option<Id> {
        match self {
            Self::Add(_, spot) | Self::Move(_, spot) if *spot != Spot::Loose => match spot {
                Spot::Below(id) | Spot::In(id, _) => Some(*id),
                Spot::Loose => None,
            },
            Self::Move(id, _) | Self::Delete(id) | Self::Set { id, .. } => Some(*id),
            Self::Add(..) | Self::Define(_) => None,
        }
    }
}

/// Records edits. An added block waits, with all edits of it, until its place is known.
#[derive(Debug, Default)]
pub(super) struct Planner {
    sheet: Sheet,
    edits: Vec<Edit>,
    /// The edits of a block that waits.
    waiting: BTreeMap<Id, Vec<Edit>>,
}

impl Planner {
    /// What is on the canvas at first, and the edits in their order.
    pub fn finish(mut self) -> (Sheet, Vec<Edit>) {
        // What nothing was connected to starts a script. A script's first block is the first one added.
        while let Some(root) = self.waiting.keys().next().copied() {
            self.commit(Edit::Add(root, Spot::Loose));
        }
        (self.sheet, self.edits)
    }

    fn emit(&mut self, edit: Edit) {
        match edit.needs().and_then(|id| self.waiting.get_mut(&id)) {
            Some(waiting) => waiting.push(edit),
            None => self.commit(edit),
        }
    }

    fn commit(&mut self, edit: Edit) {
        let edit = match edit {
            Edit::Add(id, spot) if !self.waiting.contains_key(&id) => Edit::Move(id, spot),
            edit => edit,
        };
        let then = if let Edit::Add(id, _) = &edit { self.waiting.remove(id) } else { None };
        self.edits.push(edit);
        for edit in then.into_iter().flatten() {
            self.emit(edit);
        }
    }
}

impl Executor for Planner {
    fn place(&mut self, tree: &Tree, _slots: Vec<String>) -> Id {
        let id = self.sheet.enter(tree, true);
        self.sheet.put_loose(id, (0.0, 0.0));
        id
    }

    fn hang_below(&mut self, above: Id, first: Id) {
        self.sheet.put_below(first, above);
    }

    fn hang_in(&mut self, around: Id, slot: &str, first: Id) {
        self.sheet.put_in(first, around, slot);
    }

    fn add(&mut self, tree: &Tree, _slots: Vec<String>) -> Id {
        let id = self.sheet.enter(tree, false);
        if tree.opcode == DEFINITION {
            self.edits.push(Edit::Define(id));
            return id;
        }
        // The palette has one block of a kind for all variables, and each variable's own reporter.
        let is_own = matches!(tree.opcode.as_str(), "data_variable" | "data_listcontents");
        let named = ["VARIABLE", "LIST"].into_iter().filter(|_| !is_own && tree.opcode.starts_with("data_"));
        let first = named.filter_map(|field| {
            let value = tree.fields.get(field)?.clone();
            Some(Edit::Set { id, field: field.to_owned(), value })
        });
        self.waiting.insert(id, first.take(1).collect());
        id
    }

    fn set(&mut self, id: Id, field: &str, value: &str) {
        self.emit(Edit::Set { id, field: field.to_owned(), value: value.to_owned() });
    }

    fn connect_below(&mut self, source: Id, target: Id) {
        self.emit(Edit::Add(source, Spot::Below(target)));
    }

    fn connect_in(&mut self, source: Id, target: Id, slot: &str, _is_stack: bool) {
        self.emit(Edit::Add(source, Spot::In(target, slot.to_owned())));
    }

    fn detach(&mut self, id: Id) {
        self.emit(Edit::Move(id, Spot::Loose));
    }

    fn delete(&mut self, id: Id) {
        self.emit(Edit::Delete(id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(opcode: &str) -> Tree {
        Tree { opcode: opcode.to_owned(), fields: BTreeMap::new(), slots: BTreeMap::new(), procedure: None }
    }

    #[test]
    fn blocks_go_straight_to_their_places_and_are_filled_there() {
        let mut planner = Planner::default();
        let hat = planner.add(&block("event_whenflagclicked"), vec![]);
        let say = planner.add(&block("looks_say"), vec![]);
        let join = planner.add(&block("operator_join"), vec![]);
        planner.set(join, "STRING1", "a");
        planner.connect_in(join, say, "MESSAGE", false);
        planner.connect_below(say, hat);
        let (_, edits) = planner.finish();
        let expected = [
            Edit::Add(hat, Spot::Loose),
            Edit::Add(say, Spot::Below(hat)),
            Edit::Add(join, Spot::In(say, "MESSAGE".into())),
            Edit::Set { id: join, field: "STRING1".into(), value: "a".into() },
        ];
        assert_eq!(edits, expected);
    }

    #[test]
    fn existing_blocks_are_moved() {
        let mut planner = Planner::default();
        let [hat, show] = ["event_whenflagclicked", "looks_show"].map(|it| planner.place(&block(it), vec![]));
        planner.detach(show);
        let hide = planner.add(&block("looks_hide"), vec![]);
        planner.connect_below(hide, hat);
        planner.connect_below(show, hide);
        let expected =
            [Edit::Move(show, Spot::Loose), Edit::Add(hide, Spot::Below(hat)), Edit::Move(show, Spot::Below(hide))];
        assert_eq!(planner.finish().1, expected);
    }

    #[test]
    fn a_statement_about_a_variable_chooses_it() {
        let mut planner = Planner::default();
        let tree = Tree { fields: BTreeMap::from([("VARIABLE".into(), "sold".into())]), ..block("data_setvariableto") };
        let set = planner.add(&tree, vec![]);
        let chosen = Edit::Set { id: set, field: "VARIABLE".into(), value: "sold".into() };
        assert_eq!(planner.finish().1, [Edit::Add(set, Spot::Loose), chosen]);
    }
}
