//! Vertical positions of a script's blocks: heights in the editor's own units, which are pixels at zoom 1.
//!
//! Heights follow from the blocks alone; widths depend on fonts and are read off the screen.

use super::sheet::{Held, Sheet};
use super::words::{self, Kind};
use crate::solver::derive::{DEFINITION, Id};

/// The bump below a stack block that its box includes and the next block covers.
pub(super) const NOTCH: f64 = 8.0;
/// How far what is in a mouth is moved to the right.
pub(super) const INDENT: f64 = 16.0;
/// A stack block with nothing but texts and slots.
const STACK: f64 = 48.0;
/// A stack block of an extension, which has the extension's picture.
const PICTURED: f64 = 56.0;
/// A hat without its notch.
const HAT: f64 = 64.0;
/// The hat above a block of the project's own.
const DEFINE: f64 = 84.0;
/// A reporter with nothing but texts and slots.
const REPORTER: f64 = 40.0;
/// How much higher a block is than the highest reporter in it.
const AROUND: f64 = 8.0;
const MOUTH: f64 = 24.0;
/// What is below a mouth.
const FOOT: f64 = 32.0;

/// A stack block of a script, measured from the upper left corner of the script's first block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BlockPosition {
    pub id: Id,
    pub x: f64,
    pub y: f64,
    /// Down to the next block.
    pub height: f64,
    /// Down to its first mouth, or all of it.
    pub head: f64,
}

/// The stack blocks of a script from top to bottom; a loose reporter is the only one of its script.
pub(super) fn positions(sheet: &Sheet, root: Id) -> Vec<BlockPosition> {
    let mut all = Vec::new();
    stack(sheet, root, (0.0, 0.0), &mut all);
    all
}

pub(super) fn height(sheet: &Sheet, root: Id) -> f64 {
    positions(sheet, root).iter().map(|one| one.y + one.height).fold(0.0, f64::max)
}

/// Height of a stack from one block down.
fn stack(sheet: &Sheet, first: Id, (x, mut y): (f64, f64), all: &mut Vec<BlockPosition>) -> f64 {
    let from = y;
    let mut at = Some(first);
    while let Some(id) = at {
        y += block(sheet, id, (x, y), all);
        at = sheet.nodes[id].next;
    }
    y - from
}

fn block(sheet: &Sheet, id: Id, (x, y): (f64, f64), all: &mut Vec<BlockPosition>) -> f64 {
    let head = head(sheet, id);
    let place = all.len();
    all.push(BlockPosition { id, x, y, height: head, head });
    let mut height = head;
    for slot in sheet.nodes[id].slots.iter().filter(|slot| slot.kind == Kind::Mouth) {
        let inside = match slot.holds {
            Held::Block(inner) => stack(sheet, inner, (x + INDENT, y + height), all),
            _ => 0.0,
        };
        height += inside.max(MOUTH) + FOOT;
    }
    all[place].height = height;
    height
}

/// How far below the upper edge of a block a mouth begins.
pub(super) fn mouth(sheet: &Sheet, id: Id, name: &str) -> f64 {
    let mut y = head(sheet, id);
    for slot in sheet.nodes[id].slots.iter().filter(|slot| slot.kind == Kind::Mouth) {
        if slot.name == name {
            break;
        }
        let inside = match slot.holds {
            Held::Block(inner) => stack(sheet, inner, (0.0, 0.0), &mut Vec::new()),
            _ => 0.0,
        };
        y += inside.max(MOUTH) + FOOT;
    }
    y
}

/// Height of the part of a block that has its text.
fn head(sheet: &Sheet, id: Id) -> f64 {
    let opcode = sheet.nodes[id].opcode.as_str();
    if opcode == DEFINITION {
        return DEFINE;
    }
    if words::is_reporter(opcode) {
        return reporter(sheet, id);
    }
    let least = match opcode {
        _ if words::is_hat(opcode) => HAT,
        _ if words::extension(opcode).is_some() => PICTURED,
        _ => STACK,
    };
    highest(sheet, id).map_or(least, |inner| least.max(inner + AROUND))
}

fn reporter(sheet: &Sheet, id: Id) -> f64 {
    highest(sheet, id).map_or(REPORTER, |inner| REPORTER.max(inner + AROUND))
}

/// Height of the highest reporter in the slots of a block.
fn highest(sheet: &Sheet, id: Id) -> Option<f64> {
    let slots = sheet.nodes[id].slots.iter().filter(|slot| slot.kind != Kind::Mouth);
    let inner = slots.filter_map(|slot| match slot.holds {
        Held::Block(inner) => Some(reporter(sheet, inner)),
        _ => None,
    });
    inner.max_by(f64::total_cmp)
}

/// How far the slot for a condition is from the left edge of a block, while it is empty: it is seen, but has no field
/// to be listed (measured in the palette).
pub(super) fn condition(opcode: &str) -> Option<f64> {
    match opcode {
        "control_if" | "control_if_else" => Some(49.0),
        "control_wait_until" => Some(80.0),
        "control_repeat_until" => Some(96.0),
        "operator_not" => Some(48.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::solver::derive::Tree;

    fn sheet(opcodes: &[&str]) -> Sheet {
        let mut sheet = Sheet::default();
        for opcode in opcodes {
            let opcode = (*opcode).to_owned();
            let tree = Tree { opcode, fields: BTreeMap::new(), slots: BTreeMap::new(), procedure: None };
            let id = sheet.enter(&tree, true);
            sheet.put_loose(id, (0.0, 0.0));
        }
        sheet
    }

    #[test]
    fn empty_blocks_are_as_high_as_in_the_palette() {
        let sheet = sheet(&["looks_show", "control_repeat", "control_if_else", "event_whenflagclicked", "pen_clear"]);
        let heights = [0, 1, 2, 3, 4].map(|id| height(&sheet, id).to_string());
        assert_eq!(heights, ["48", "104", "160", "64", "56"]);
    }

    #[test]
    fn reporters_make_blocks_higher_and_what_is_in_mouths_makes_them_longer() {
        let mut sheet = sheet(&["control_if_else", "operator_not", "operator_gt", "looks_show", "looks_hide"]);
        sheet.put_in(1, 0, "CONDITION");
        assert_eq!(height(&sheet, 0).to_string(), "160", "one reporter fits");
        sheet.put_in(2, 1, "OPERAND");
        sheet.put_in(3, 0, "SUBSTACK2");
        sheet.put_below(4, 3);
        assert_eq!((mouth(&sheet, 0, "SUBSTACK"), mouth(&sheet, 0, "SUBSTACK2")), (56.0, 112.0));
        let last = positions(&sheet, 0).last().copied();
        assert_eq!(last, Some(BlockPosition { id: 4, x: 16.0, y: 160.0, height: 48.0, head: 48.0 }));
        assert_eq!(height(&sheet, 0).to_string(), "240");
    }
}
