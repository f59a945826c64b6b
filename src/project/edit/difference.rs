//! The normalised edits that lead from one project to another, read from both. The order of scripts, their places and comments are no
//! part of it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::placing::{Side, in_place};
use super::set::{Anchor, At, Canonical, Content, EditSet, NormalEdit, Step};
use crate::loaded::loaded;
use crate::view::{Block, Field, Slot, TargetView, targets};

/// What differs between two versions of a project: E(from → to). Targets are matched by name, blocks by id.
pub fn edit_set(from: &Value, to: &Value) -> EditSet {
    let (from, to) = (loaded(from).json, loaded(to).json);
    let pairs = targets(&from).filter_map(|before| {
        let after = targets(&to).find(|after| after.sprite_id() == before.sprite_id())?;
        (before.get("blocks") != after.get("blocks")).then(|| Compared::of(before, after))
    });
    pairs.flat_map(|compared| compared.edits()).collect()
}

/// Two versions of a target.
struct Compared<'a> {
    sprite: &'a str,
    from: Side<'a>,
    to: Side<'a>,
    /// Blocks that both have at the same place: the old ones. All others of `to` count as new.
    old: BTreeSet<&'a str>,
}

impl<'a> Compared<'a> {
    fn of(before: TargetView<'a>, after: TargetView<'a>) -> Self {
        let (from, to) = (Side::of(before), Side::of(after));
        let old = in_place(&from, &to);
        Self { sprite: before.sprite_id(), from, to, old }
    }

    fn edits(&self) -> Vec<NormalEdit> {
        let sprite_id = || self.sprite.to_owned();
        let gone = self.from.blocks.keys().filter(|id| !self.old.contains(*id));
        let gone = gone.map(|id| NormalEdit::Remove { sprite_id: sprite_id(), block_id: (*id).to_owned() });
        let new = self.to.blocks.values().filter(|block| !self.old.contains(block.id));
        let new = new.map(|block| NormalEdit::Add {
            sprite_id: sprite_id(),
            anchor: self.anchor(block),
            block: self.content(block),
        });
        let mut edits: Vec<NormalEdit> = gone.chain(new).collect();
        for id in &self.old {
            let changed = self.changes(&self.from.blocks[id], &self.to.blocks[id]).into_iter();
            edits.extend(changed.map(|(path, value)| NormalEdit::Modify {
                sprite_id: sprite_id(),
                block_id: (*id).to_owned(),
                path,
                value,
            }));
        }
        edits
    }

    /// Paths of an old block with another value now.
    fn changes(&self, before: &Block<'a>, now: &Block<'a>) -> Vec<(String, Canonical)> {
        let mut changed = Vec::new();
        if before.opcode != now.opcode {
            changed.push(("opcode".to_owned(), Canonical::Text(now.opcode.to_owned())));
        }
        let (old, new) = (fields(before), fields(now));
        for name in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
            if old.get(name) != new.get(name) {
                let value = new.get(name).cloned().unwrap_or(Canonical::Nothing);
                changed.push((format!("fields/{name}"), value));
            }
        }
        let names = |block: &Block<'a>| block.inputs().map(|input| input.name).collect::<Vec<_>>();
        for name in names(before).into_iter().chain(names(now)).collect::<BTreeSet<_>>() {
            let Some(value) = value(&self.to, now, name) else { continue };
            // What shows below a reporter once it is gone is no change of its own.
            let there = value_below(&self.from, before, name);
            if value != there {
                changed.push((format!("inputs/{name}"), value));
            }
        }
        changed
    }

    fn content(&self, block: &Block<'a>) -> Content {
        let mut inputs = BTreeMap::new();
        for input in block.inputs() {
            let taken = match value(&self.to, block, input.name) {
                Some(Canonical::Nothing) => None,
                Some(value) => Some(value),
                None => self.adopted(block, input.name),
            };
            if let Some(taken) = taken {
                inputs.insert(input.name.to_owned(), taken);
            }
        }
        let mut fields: BTreeMap<String, Canonical> = fields(block);
        if let Some(called) = block.attribute("proccode") {
            fields.insert("proccode".to_owned(), Canonical::Text(called.to_owned()));
        }
        Content { opcode: block.opcode.to_owned(), fields, inputs }
    }

    /// Old blocks in a slot or mouth of a new one.
    fn adopted(&self, block: &Block<'a>, input: &str) -> Option<Canonical> {
        let first = self.to.held(block.input(input)?.value.as_ref())?;
        let chain = self.to.chain(first);
        let ids: Vec<String> =
            chain.iter().map(|block| block.id).filter(|id| self.old.contains(id)).map(str::to_owned).collect();
        (!ids.is_empty()).then_some(Canonical::Blocks(ids))
    }

    fn anchor(&self, block: &Block<'a>) -> Anchor {
        let (mut through, mut below, mut seen) = (Vec::new(), block, BTreeSet::new());
        let at = loop {
            let above = below.parent.and_then(|id| self.to.blocks.get(id)).filter(|above| seen.insert(above.id));
            let Some(above) = above else { break At::Start(self.first_old(below)) };
            let input = (above.next != Some(below.id)).then(|| slot_of(above, below.id));
            if self.old.contains(above.id) {
                break match input {
                    Some(input) => At::In(above.id.to_owned(), input),
                    None => At::After(above.id.to_owned()),
                };
            }
            through.push(Step { block: self.content(above), input });
            below = above;
        };
        through.reverse();
        Anchor { at, through }
    }

    /// The first old block of a script that begins with a new one.
    fn first_old(&self, root: &Block<'a>) -> Option<String> {
        self.to.chain(root).into_iter().map(|block| block.id).find(|id| self.old.contains(id)).map(str::to_owned)
    }
}

/// The slot or mouth that a block is in.
fn slot_of(holder: &Block<'_>, id: &str) -> String {
    let mut slots = holder.inputs();
    slots.find(|input| input.value == Some(Slot::Block(id))).map(|input| input.name.to_owned()).unwrap_or_default()
}

fn fields(block: &Block<'_>) -> BTreeMap<String, Canonical> {
    block.fields().map(|field| (field.name.to_owned(), choice(&field))).collect()
}

/// What a field shows.
fn choice(field: &Field<'_>) -> Canonical {
    match (field.name, field.id) {
        ("BROADCAST_OPTION", _) => Canonical::Message(field.value.to_uppercase()),
        (_, Some(id)) => Canonical::Variable(id.to_owned()),
        _ => Canonical::Text(field.value.clone()),
    }
}

/// The value that a slot shows; `None` where a block is in it.
fn value(side: &Side<'_>, block: &Block<'_>, input: &str) -> Option<Canonical> {
    shown(side, block.input(input).and_then(|input| input.value))
}

/// The value that a slot shows, or would without the block in it.
fn value_below(side: &Side<'_>, block: &Block<'_>, input: &str) -> Canonical {
    let held = block.input(input);
    let shown_now = value(side, block, input);
    shown_now.or_else(|| shown(side, held.and_then(|held| held.hidden))).unwrap_or(Canonical::Nothing)
}

fn shown(side: &Side<'_>, slot: Option<Slot<'_>>) -> Option<Canonical> {
    match slot {
        None => Some(Canonical::Nothing),
        Some(Slot::Primitive(primitive)) => Some(match (primitive.kind, primitive.id) {
            (11, _) => Canonical::Message(primitive.value.to_uppercase()),
            (12 | 13, Some(id)) => Canonical::Variable(id.to_owned()),
            _ => Canonical::Text(shortest(&primitive.value)),
        }),
        Some(Slot::Block(id)) => {
            let Some(menu) = side.target.block(id) else { return Some(Canonical::Nothing) };
            menu.shadow.then(|| menu.fields().next().map_or(Canonical::Nothing, |field| choice(&field)))
        }
    }
}

/// A number in its shortest form, any other value as it is.
fn shortest(value: &str) -> String {
    let is_plain =
        !value.is_empty() && value.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'-' | b'e' | b'E'));
    match value.parse::<f64>() {
        Ok(number) if is_plain && number == 0.0 => "0".to_owned(),
        Ok(number) if is_plain && number.is_finite() => number.to_string(),
        _ => value.to_owned(),
    }
}
