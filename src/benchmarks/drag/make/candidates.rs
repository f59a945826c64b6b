//! Drags that would restore what a project has: each takes a block out of its place and asks for it back.

use super::class::{Class, Group};
use super::facts::{CanvasBlock, Facts, Slot};
use crate::benchmarks::drag::Kind;

/// A block that is out of its place when the scene begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Displaced {
    pub(super) block: String,
    /// Whether the blocks below it stay.
    pub(super) alone: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Dragged {
    /// The block that was displaced and lies aside.
    Laid,
    /// A block of the palette, by its place there; what is out of its place is thrown away.
    Palette(usize),
}

/// A drag that may become a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) class: Class,
    pub(super) out: Option<Displaced>,
    pub(super) dragged: Dragged,
    pub(super) kind: Kind,
    pub(super) target: String,
    pub(super) input: Option<String>,
}

impl Candidate {
    pub(super) const fn group(&self) -> Group {
        (self.class, matches!(self.dragged, Dragged::Palette(_)))
    }
}

/// C-blocks that are put around blocks, where a sprite has some of them.
const C_BLOCKS: [&str; 5] =
    ["control_repeat", "control_forever", "control_if", "control_repeat_until", "control_if_else"];

/// All drags that a sprite's scripts give, in the order of scripts.
pub(super) fn candidates(facts: &Facts) -> Vec<Candidate> {
    let mut found = Vec::new();
    for block in facts.blocks.iter().filter(|block| !block.is_of_definition()) {
        if let Some(parent) = facts.parent(block).filter(|parent| parent.opcode != "procedures_definition") {
            match &block.input {
                None => stacked(facts, parent, block, &mut found),
                Some(input) => inside(facts, parent, input, block, &mut found),
            }
        }
        reporters(facts, block, &mut found);
        around(facts, block, &mut found);
    }
    found
}

/// Places in the palette of the block that stands for another: of the same opcode, or for a variable the same.
fn in_palette(facts: &Facts, block: &CanvasBlock) -> Option<usize> {
    let same = |name: &str| block.opcode == name;
    let named = ["data_variable", "data_listcontents"].iter().any(|name| same(name));
    facts.palette.iter().position(|other| other.opcode == block.opcode && (!named || other.text == block.text))
}

/// A block right below another.
fn stacked(facts: &Facts, upper: &CanvasBlock, block: &CanvasBlock, found: &mut Vec<Candidate>) {
    let below = |class, kind, alone, dragged| Candidate {
        class,
        out: Some(Displaced { block: block.id.clone(), alone }),
        dragged,
        kind,
        target: upper.id.clone(),
        input: None,
    };
    let last = block.next.is_none();
    found.push(below(Class::Below, Kind::Below, false, Dragged::Laid));
    if !last {
        found.push(below(Class::Between, Kind::Between, true, Dragged::Laid));
    }
    if let Some(at) = in_palette(facts, block) {
        let (class, kind) = if last { (Class::Below, Kind::Below) } else { (Class::Between, Kind::Between) };
        found.push(below(class, kind, true, Dragged::Palette(at)));
    }
    if upper.parent.is_none() {
        let above = |dragged| Candidate {
            class: Class::Above,
            out: Some(Displaced { block: upper.id.clone(), alone: true }),
            dragged,
            kind: Kind::Above,
            target: block.id.clone(),
            input: None,
        };
        found.push(above(Dragged::Laid));
        found.extend(in_palette(facts, upper).map(|at| above(Dragged::Palette(at))));
    }
}

/// A block first in a mouth, or in a slot.
fn inside(facts: &Facts, outer: &CanvasBlock, input: &str, block: &CanvasBlock, found: &mut Vec<Candidate>) {
    let Some(slot) = outer.slot(input) else { return };
    let mut push = |kind, alone, dragged| {
        let Some(class) = Class::of_slot(kind, input, slot.boolean, slot.shadow.as_deref()) else { return };
        found.push(Candidate {
            class,
            out: Some(Displaced { block: block.id.clone(), alone }),
            dragged,
            kind,
            target: outer.id.clone(),
            input: Some(input.to_owned()),
        });
    };
    let followed = block.next.is_some();
    push(Kind::Into, false, Dragged::Laid);
    if followed {
        push(Kind::Atop, true, Dragged::Laid);
    }
    if let Some(at) = in_palette(facts, block) {
        push(if followed { Kind::Atop } else { Kind::Into }, true, Dragged::Palette(at));
    }
}

/// Reporters of the palette that fit any slot, for slots that projects seldom fill.
fn reporters(facts: &Facts, block: &CanvasBlock, found: &mut Vec<Candidate>) {
    let into = |slot: &Slot| -> Option<Class> {
        if !slot.value || slot.boolean {
            return None;
        }
        let class = Class::of_slot(Kind::Into, &slot.name, false, slot.shadow.as_deref())?;
        match (&slot.holds, class) {
            (Some(_), Class::Number | Class::Text) => Some(Class::Occupied),
            (None, Class::Dropdown) => Some(Class::Dropdown),
            _ => None,
        }
    };
    let variables = || facts.palette.iter().enumerate().filter(|(_, one)| one.opcode == "data_variable");
    for (class, slot) in block.slots.iter().filter_map(|slot| into(slot).map(|class| (class, slot))) {
        found.extend(variables().map(|(at, _)| Candidate {
            class,
            out: None,
            dragged: Dragged::Palette(at),
            kind: Kind::Into,
            target: block.id.clone(),
            input: Some(slot.name.clone()),
        }));
    }
}

/// C-blocks of the palette around a block and all below it.
fn around(facts: &Facts, block: &CanvasBlock, found: &mut Vec<Candidate>) {
    if block.hat || block.output || block.parent.is_none() {
        return;
    }
    let is_used = |opcode: &str| facts.blocks.iter().any(|other| other.opcode == opcode);
    let c_blocks = facts.palette.iter().enumerate().filter(|(_, one)| C_BLOCKS.contains(&one.opcode.as_str()));
    found.extend(c_blocks.filter(|(_, one)| is_used(&one.opcode)).map(|(at, _)| Candidate {
        class: Class::Around,
        out: None,
        dragged: Dragged::Palette(at),
        kind: Kind::Around,
        target: block.id.clone(),
        input: Some("SUBSTACK".to_owned()),
    }));
}
