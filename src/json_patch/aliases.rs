//! Short names for the ids of a project: `b17` for a block, `v3` for a variable, `l1` for a list, `m2` for a broadcast. An editor's id
//! is 20 characters, of which some need escapes in a pointer; models copy short names with fewer mistakes. Where ids stand is known to
//! `ids`.

use std::collections::BTreeMap;

use scratchbed_model::sha256_hex;
use serde_json::Value;

use super::ids::{Kind, Place, Rewrite, rewrite_keys, rewrite_value};
use super::operation::Operation;
use super::pointer::Pointer;

/// Characters of the editor's ids (scratch-vm, `util/uid.js`).
const ALPHABET: &[u8; 87] = b"!#%()*+,-./:;=?@[]^_`{|}~ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/// Characters of an id (scratch-vm, `util/uid.js`).
const LENGTH: usize = 20;

/// The names of one project's ids. Two targets that use one id share its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aliases {
    ids: BTreeMap<(Kind, String), String>,
    names: BTreeMap<(Kind, String), String>,
    seed: u64,
}

impl Aliases {
    /// Numbers the ids of a project in the order of the file. The seed decides which ids new names get.
    pub fn of(project: &Value, seed: u64) -> Self {
        let mut new = Self { ids: BTreeMap::new(), names: BTreeMap::new(), seed };
        let targets = project.get("targets").and_then(Value::as_array);
        for kind in Kind::ALL {
            let collections =
                targets.into_iter().flatten().filter_map(|target| target.get(kind.collection())?.as_object());
            let mut number = 0;
            for id in collections.flat_map(|entries| entries.keys()) {
                if !new.names.contains_key(&(kind, id.clone())) {
                    number += 1;
                    new.enter(kind, format!("{}{number}", letter(kind)), id.clone());
                }
            }
        }
        // Ids that only references have are named too: as they are, one could be the name of another thing.
        let mut others: Vec<(Kind, String)> = Vec::new();
        rewrite_value(Place::Project, &mut project.clone(), &mut |kind, id| {
            others.extend(kind.map(|kind| (kind, id.to_owned())));
            id.to_owned()
        });
        for (kind, id) in others {
            if !new.names.contains_key(&(kind, id.clone())) {
                let number = new.names.keys().filter(|(known, _)| *known == kind).count() + 1;
                new.enter(kind, format!("{}{number}", letter(kind)), id);
            }
        }
        new
    }

    /// The name of an id.
    pub fn alias(&self, kind: Kind, id: &str) -> Option<&str> {
        self.names.get(&(kind, id.to_owned())).map(String::as_str)
    }

    /// The id that has a name.
    pub fn id(&self, kind: Kind, alias: &str) -> Option<&str> {
        self.ids.get(&(kind, alias.to_owned())).map(String::as_str)
    }

    /// A project with names in place of ids. It is for showing: ids of comments, monitors and My Blocks' arguments stay.
    pub fn shown(&self, project: &Value) -> Value {
        let mut shown = project.clone();
        rewrite_value(Place::Project, &mut shown, &mut |kind, id| self.named(kind, id));
        shown
    }

    /// Operations with names in place of ids.
    pub fn shown_operations(&self, operations: &[Operation]) -> Vec<Operation> {
        operations.iter().map(|operation| rewritten(operation, &mut |kind, id| self.named(kind, id))).collect()
    }

    /// A pointer with names in place of ids, for errors.
    pub fn shown_pointer(&self, pointer: &str) -> String {
        let Some(mut pointer) = Pointer::parse(pointer) else { return pointer.to_owned() };
        rewrite_keys(&mut pointer.keys, &mut |kind, id| self.named(kind, id));
        pointer.text()
    }

    /// Operations in names as operations in ids. A name that nothing has yet gets a new id, the same for each seed; what is no name at
    /// all is taken for an id.
    pub fn restore(&mut self, operations: &[Operation]) -> Vec<Operation> {
        operations.iter().map(|operation| rewritten(operation, &mut |kind, alias| self.meant(kind, alias))).collect()
    }

    fn enter(&mut self, kind: Kind, alias: String, id: String) {
        self.ids.insert((kind, alias.clone()), id.clone());
        self.names.insert((kind, id), alias);
    }

    fn named(&self, kind: Option<Kind>, id: &str) -> String {
        let mut kinds = Kind::ALL.into_iter().filter(|one| kind.is_none_or(|kind| kind == *one));
        kinds.find_map(|kind| self.alias(kind, id)).unwrap_or(id).to_owned()
    }

    fn meant(&mut self, kind: Option<Kind>, alias: &str) -> String {
        let Some(kind) = kind_of(alias).filter(|named| kind.is_none_or(|kind| kind == *named)) else {
            return alias.to_owned();
        };
        if let Some(id) = self.id(kind, alias) {
            return id.to_owned();
        }
        let id = self.new_id(kind, alias);
        self.enter(kind, alias.to_owned(), id.clone());
        id
    }

    /// An id that nothing of this kind has.
    fn new_id(&self, kind: Kind, alias: &str) -> String {
        let mut id = String::new();
        for attempt in 0_u32.. {
            id = drawn(&format!("{}/{alias}/{attempt}", self.seed));
            if self.alias(kind, &id).is_none() {
                break;
            }
        }
        id
    }
}

/// The letter with which a name begins.
const fn letter(kind: Kind) -> char {
    match kind {
        Kind::Block => 'b',
        Kind::Variable => 'v',
        Kind::List => 'l',
        Kind::Broadcast => 'm',
    }
}

/// The kind that a name tells; `None` for what is no name.
fn kind_of(alias: &str) -> Option<Kind> {
    let kind = Kind::ALL.into_iter().find(|kind| alias.starts_with(letter(*kind)))?;
    let number = &alias[1..];
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(kind)
}

/// An id that follows from a text.
fn drawn(text: &str) -> String {
    let digest = sha256_hex(text.as_bytes());
    let pairs = digest.as_bytes().chunks_exact(2).take(LENGTH);
    let number =
        |pair: &[u8]| pair.iter().fold(0, |sum, digit| sum * 16 + char::from(*digit).to_digit(16).unwrap_or_default());
    pairs.map(|pair| char::from(ALPHABET[number(pair) as usize % ALPHABET.len()])).collect()
}

fn rewritten(operation: &Operation, rewrite: &mut Rewrite<'_>) -> Operation {
    let Some(mut pointer) = Pointer::parse(operation.path()) else { return operation.clone() };
    let place = rewrite_keys(&mut pointer.keys, rewrite);
    let moved = operation.clone().at(pointer.text());
    match operation.value() {
        Some(value) => {
            let mut value = value.clone();
            rewrite_value(place, &mut value, rewrite);
            moved.with(value)
        }
        None => moved,
    }
}

#[cfg(test)]
#[path = "aliases_tests.rs"]
mod tests;
