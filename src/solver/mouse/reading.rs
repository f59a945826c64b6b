//! Reads what is in the slots of one stack block: rows come in reading order, so each belongs to the next field or slot
//! that can hold it.

use std::iter::Peekable;
use std::slice::Iter;

use super::groups::Group;
use super::matching::{Matched, Shown};
use super::scene::{Row, SeenField};
use super::sheet::{Held, Sheet, Slot};
use super::words::{self, Kind, squeezed};
use crate::model::Rect;
use crate::solver::derive::{CALL, DEFINITION, Id};

/// Reads a group as a block of the sheet into `matched`; returns whether everything in sight is as expected.
pub(super) fn read(sheet: &Sheet, id: Id, group: &Group<'_>, matched: &mut Matched) -> bool {
    let mut reader = Reader { sheet, rows: group.inside.iter().peekable(), matched, is_right: true };
    reader.block(id, group.label, group.place);
    reader.is_right && reader.rows.next().is_none()
}

struct Reader<'a, 'r> {
    sheet: &'a Sheet,
    rows: Peekable<Iter<'r, &'r Row>>,
    matched: &'a mut Matched,
    is_right: bool,
}

impl Reader<'_, '_> {
    fn block(&mut self, id: Id, label: &str, place: Rect) {
        self.matched.boxes.insert(id, place);
        let node = &self.sheet.nodes[id];
        match node.opcode.as_str() {
            DEFINITION => self.definition(id, label),
            opcode if words::is_named(opcode) => {
                let named = node.fields.values().flatten().next();
                self.is_right &= named.is_none_or(|name| squeezed(name) == squeezed(label));
            }
            _ => {
                self.own_fields(id);
                let sheet = self.sheet;
                for slot in sheet.nodes[id].slots.iter().filter(|slot| slot.kind != Kind::Mouth) {
                    self.slot(id, slot);
                }
            }
        }
    }

    /// Choices on the block itself.
    fn own_fields(&mut self, id: Id) {
        let node = &self.sheet.nodes[id];
        for _ in 0..node.fields.len() {
            let Some((field, place)) =
                self.next_field(|field| field.opcode == node.opcode && node.fields.contains_key(&field.name))
            else {
                return;
            };
            let expected = node.fields.get(&field.name).and_then(Option::as_deref);
            self.value(id, &field.name.clone(), expected, &field, place);
        }
    }

    fn slot(&mut self, id: Id, slot: &Slot) {
        let opcode = self.sheet.nodes[id].opcode.as_str();
        match &slot.holds {
            Held::Nothing => {}
            Held::Typed(expected) => {
                // Slots of My Blocks have names that are not visible.
                let fits = |field: &SeenField| field.opcode == opcode && (opcode == CALL || field.name == slot.name);
                if let Some((field, place)) = self.next_field(fits) {
                    self.value(id, &slot.name, expected.as_deref(), &field, place);
                }
            }
            Held::Block(inner) => {
                let Some(Row::Block(block, place)) = self.rows.peek().map(|row| **row) else { return };
                if block.opcode == self.sheet.nodes[*inner].opcode {
                    self.rows.next();
                    self.block(*inner, &block.label, *place);
                } else {
                    self.is_right = false;
                }
            }
        }
    }

    fn value(&mut self, id: Id, name: &str, expected: Option<&str>, field: &SeenField, place: Rect) {
        let opcode = self.sheet.nodes[id].opcode.as_str();
        let is_it = |stored: &str| words::is_same(words::shown(opcode, name, stored), &field.value);
        self.is_right &= expected.is_none_or(is_it);
        let shown = Shown { place, value: field.value.clone(), is_menu: field.is_menu };
        self.matched.shown.insert((id, name.to_owned()), shown);
    }

    /// Takes the next row if it is a field that passes. A row that is out of sight is simply not there.
    fn next_field(&mut self, passes: impl Fn(&SeenField) -> bool) -> Option<(SeenField, Rect)> {
        match self.rows.peek().map(|row| **row) {
            Some(Row::Field(field, place)) if passes(field) => {
                self.rows.next();
                Some((field.clone(), *place))
            }
            _ => None,
        }
    }

    /// The hat above a block of the project's own shows its wording, with a reporter for each argument.
    fn definition(&mut self, id: Id, label: &str) {
        let Some(own) = &self.sheet.nodes[id].procedure else { return };
        let words: Vec<String> = words::wording(&own.proccode)
            .into_iter()
            .filter_map(|piece| match piece {
                words::Piece::Label(label) => Some(label),
                words::Piece::Argument { .. } => None,
            })
            .collect();
        self.is_right &= words.iter().all(|words| squeezed(label).contains(words.as_str()));
        let mut names = own.argument_names.iter();
        while let Some(Row::Block(block, place)) = self.rows.peek().map(|row| **row) {
            self.rows.next();
            if block.opcode == "procedures_prototype" {
                continue;
            }
            match names.next() {
                Some(name) if squeezed(name) == squeezed(&block.label) => {
                    let shown = Shown { place: *place, value: name.clone(), is_menu: false };
                    self.matched.shown.insert((id, name.clone()), shown);
                }
                _ => self.is_right = false,
            }
        }
    }
}
