//! The scripts of a target as flat lists of statements with their paths, and the slots inside a statement.
//!
//! Only scripts that something starts are walked: a stack without a hat never runs by itself.

use std::collections::BTreeSet;

use crate::catalogue::Catalogue;
use crate::view::{Block, Slot, TargetView};

/// Slots inside of one another that are followed; a deeper file is damaged.
const MAX_DEPTH: usize = 200;

/// A block of a stack and where it stands.
#[derive(Debug, Clone)]
pub struct Statement<'a> {
    /// The block itself.
    pub block: Block<'a>,
    /// Script, place in its stack, and for each mouth around it the mouth's name and the place: `0.2.SUBSTACK.1`.
    pub path: String,
    /// How many mouths it lies in.
    pub depth: usize,
}

/// A slot of a statement or of a reporter inside of it.
#[derive(Debug, Clone)]
pub struct Place<'a> {
    /// The block whose slot it is.
    pub holder: Block<'a>,
    /// The name of the slot.
    pub input: &'a str,
    /// The path of the holder and the slot's name.
    pub path: String,
    /// What is seen in it.
    pub value: Slot<'a>,
}

/// The statements of each script in the order of the file.
pub fn scripts(target: TargetView<'_>) -> Vec<Vec<Statement<'_>>> {
    let starts = target.scripts().into_iter().filter_map(|start| match start {
        Slot::Block(id) => target.block(id).filter(|block| is_hat(block.opcode)),
        Slot::Primitive(_) => None,
    });
    let scripts = starts.enumerate().map(|(number, start)| {
        let mut found = Vec::new();
        let mut walk = Walk { target, seen: BTreeSet::new(), found: &mut found };
        walk.stack(start.id, &number.to_string(), 0);
        found
    });
    scripts.collect()
}

/// Whether a block starts a script.
pub fn is_hat(opcode: &str) -> bool {
    let named = opcode == "procedures_definition" || opcode.starts_with("event_when");
    named || Catalogue::pinned().blocks.get(opcode).is_some_and(|entry| entry.shape == "hat")
}

/// Whether a statement, or one inside of it, does something that no trace of a run records: monitors, sound effects, pen,
/// music, speech and video. Of a hat, all of the script counts.
pub fn is_unrecorded(script: &[Statement<'_>], statement: &Statement<'_>) -> bool {
    const BLOCKS: [&str; 7] = [
        "data_showvariable",
        "data_hidevariable",
        "data_showlist",
        "data_hidelist",
        "sound_seteffectto",
        "sound_changeeffectby",
        "sound_cleareffects",
    ];
    const EXTENSIONS: [&str; 4] = ["pen_", "music_", "text2speech_", "videoSensing_"];
    let unrecorded =
        |opcode: &str| BLOCKS.contains(&opcode) || EXTENSIONS.iter().any(|extension| opcode.starts_with(extension));
    let inside = |other: &Statement<'_>| {
        let below =
            other.path.strip_prefix(&statement.path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        below || is_hat(statement.block.opcode)
    };
    script.iter().any(|other| inside(other) && unrecorded(other.block.opcode))
}

/// Whether a slot is a mouth, which holds a stack.
pub fn is_mouth(input: &str) -> bool {
    input.starts_with("SUBSTACK")
}

/// Whether a block in a slot is a reporter that a person put there.
pub fn is_reporter(block: &Block<'_>) -> bool {
    !block.shadow && block.opcode != "procedures_prototype"
}

struct Walk<'a, 'f> {
    target: TargetView<'a>,
    seen: BTreeSet<&'a str>,
    found: &'f mut Vec<Statement<'a>>,
}

impl<'a> Walk<'a, '_> {
    fn stack(&mut self, first: &'a str, path: &str, depth: usize) {
        let mut next = Some(first);
        let mut number = 0_usize;
        while let Some(block) =
            next.filter(|id| depth < MAX_DEPTH && self.seen.insert(id)).and_then(|id| self.target.block(id))
        {
            let path = format!("{path}.{number}");
            self.found.push(Statement { block: block.clone(), path: path.clone(), depth });
            for input in block.inputs().filter(|input| is_mouth(input.name)) {
                if let Some(Slot::Block(id)) = input.value {
                    self.stack(id, &format!("{path}.{}", input.name), depth + 1);
                }
            }
            next = block.next;
            number += 1;
        }
    }
}

/// All filled slots of a statement, mouths apart, with those of the reporters inside.
pub fn places<'a>(target: TargetView<'a>, statement: &Statement<'a>) -> Vec<Place<'a>> {
    let mut found = Vec::new();
    inner(target, &statement.block, &statement.path, 0, &mut found);
    found
}

fn inner<'a>(target: TargetView<'a>, holder: &Block<'a>, path: &str, depth: usize, found: &mut Vec<Place<'a>>) {
    for input in holder.inputs().filter(|input| !is_mouth(input.name)) {
        let Some(value) = input.value else { continue };
        let path = format!("{path}.{}", input.name);
        found.push(Place { holder: holder.clone(), input: input.name, path: path.clone(), value: value.clone() });
        if let Slot::Block(id) = value
            && let Some(block) = target.block(id).filter(is_reporter)
            && depth < MAX_DEPTH
        {
            inner(target, &block, &path, depth + 1, found);
        }
    }
}
