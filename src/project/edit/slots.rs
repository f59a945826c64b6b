//! What blocks may hold, by the catalogue, and how it is written: inline values, menus, fields.

use serde_json::{Value, json};

use super::error::Refusal;
use super::{Literal, Operand};
use crate::catalogue::{Catalogue, Entry, Part};

/// A slot of a block, as the catalogue has it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slot<'a> {
    /// For a value: the default in it, and what the palette shows there.
    Value {
        shadow: Option<&'a str>,
        value: Option<&'a str>,
    },
    Mouth,
}

/// What is known of blocks of an opcode.
pub(super) fn entry(opcode: &str) -> Result<&'static Entry, Refusal> {
    Catalogue::pinned()
        .blocks
        .get(opcode)
        .filter(|entry| matches!(&*entry.shape, "stack" | "cap" | "hat" | "reporter" | "boolean"))
        .ok_or_else(|| Refusal::unsupported(format!("`{}` is no block that can be edited", opcode.escape_debug())))
}

/// The slots of blocks with this entry, in the order of its label.
pub(super) fn slots(entry: &Entry) -> impl Iterator<Item = (&str, Slot<'_>)> {
    entry.parts.iter().filter_map(|part| match part {
        Part::Input { input, shadow, value, .. } => {
            Some((input.as_str(), Slot::Value { shadow: shadow.as_deref(), value: value.as_deref() }))
        }
        Part::Statement { statement } => Some((statement.as_str(), Slot::Mouth)),
        Part::Words(_) | Part::Field { .. } => None,
    })
}

/// The slot of this name.
pub(super) fn slot<'a>(entry: &'a Entry, opcode: &str, name: &str) -> Result<Slot<'a>, Refusal> {
    let found = slots(entry).find(|(slot, _)| *slot == name).map(|(_, slot)| slot);
    found.ok_or_else(|| Refusal::unsupported(format!("`{opcode}` has no slot `{}`", name.escape_debug())))
}

/// Names and kinds of the fields of blocks with this entry.
pub(super) fn fields(entry: &Entry) -> impl Iterator<Item = (&str, &str)> {
    entry.parts.iter().filter_map(|part| match part {
        Part::Field { field, kind, .. } => Some((field.as_str(), kind.as_str())),
        _ => None,
    })
}

/// Whether blocks of one opcode may become those of another: same shape, same slots, same fields.
pub(super) fn are_alike(one: &Entry, other: &Entry) -> bool {
    let form = |entry: &Entry| {
        let mut slots: Vec<String> = slots(entry)
            .map(|(name, slot)| match slot {
                Slot::Value { shadow, .. } => format!("{name} {}", shadow.unwrap_or("-")),
                Slot::Mouth => format!("{name} mouth"),
            })
            .collect();
        slots.extend(fields(entry).map(|(name, kind)| format!("{name} field {kind}")));
        slots.sort();
        slots
    };
    one.shape == other.shape && form(one) == form(other)
}

/// The shadow of a slot: what is in it when nothing lies on it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shadow {
    /// Written in the slot itself.
    Inline(Value),
    /// A block of its own: its opcode, its one field and the choice.
    Menu { opcode: String, field: String, choice: Value },
}

/// The shadow of a slot that shows this.
pub(super) fn shadow(opcode: &str, shown: &Operand) -> Result<Shadow, Refusal> {
    let kind = match opcode {
        "math_number" => 4,
        "math_positive_number" => 5,
        "math_whole_number" => 6,
        "math_integer" => 7,
        "math_angle" => 8,
        "colour_picker" => 9,
        "text" => 10,
        "event_broadcast_menu" => 11,
        menu => return menu_shadow(menu, shown),
    };
    match (kind, shown) {
        (11, Operand::Named(name, id)) => Ok(Shadow::Inline(json!([11, name, id]))),
        (11, _) => Err(Refusal::unsupported("a message is given as its name and its id: [\"name\", \"id\"]")),
        (kind, Operand::Literal(literal)) => Ok(Shadow::Inline(json!([kind, literal.json()]))),
        _ => Err(Refusal::unsupported("this slot takes a value or a block")),
    }
}

fn menu_shadow(menu: &str, shown: &Operand) -> Result<Shadow, Refusal> {
    let unknown = || Refusal::unsupported(format!("slots with `{menu}` can't be edited"));
    let entry = Catalogue::pinned().blocks.get(menu).ok_or_else(unknown)?;
    let (field, _) = fields(entry).next().ok_or_else(unknown)?;
    let Operand::Literal(choice) = shown else {
        return Err(Refusal::unsupported("the choice of a menu is given as a plain value"));
    };
    Ok(Shadow::Menu { opcode: menu.to_owned(), field: field.to_owned(), choice: choice.json() })
}

/// What the palette shows in a slot with this default.
pub(super) fn palette(value: Option<&str>) -> Option<Operand> {
    value.map(|value| Operand::Literal(Literal::Text(value.to_owned())))
}
