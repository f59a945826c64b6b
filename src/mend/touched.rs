//! Which scripts a repair touches, and in what ways it goes wrong (ScratchEval, section 5.6).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bugs::Truth;
use crate::inject::Pattern;
use crate::project::edit::{At, EditSet, NormalEdit};
use crate::project::view::target;

/// Edits beyond gold's from which on a repair edits too much.
const TOO_MANY: usize = 2;
/// Blocks that stand in for what should be mended: delays, polls, loops and settings.
const SUBSTITUTES: [&str; 6] = [
    "control_wait",
    "control_wait_until",
    "control_repeat",
    "control_repeat_until",
    "control_forever",
    "data_setvariableto",
];
/// Categories of blocks that carry a program's logic.
const LOGIC: [&str; 3] = ["control_", "data_", "operator_"];

/// How a repair went wrong; several may hold.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::EnumIter,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Mode {
    /// At least two edits more than gold, with new blocks of control, data or operators.
    OverEditing,
    /// It touches the right script, and part of what failed holds.
    Incomplete,
    /// Of a fault of concurrency: delays, loops or settings are added, and what is broken stays.
    MisgroundedConcurrency,
    /// None of these.
    Other,
}

/// A script: its target, and its first block; none for one that is new.
pub type Script = (String, Option<String>);

/// The scripts of the buggy project that edits touch.
pub fn touched(buggy: &Value, edits: &EditSet) -> BTreeSet<Script> {
    let of = |edit: &NormalEdit| match edit {
        NormalEdit::Remove { sprite_id, block_id } | NormalEdit::Modify { sprite_id, block_id, .. } => {
            (sprite_id.clone(), Some(root(buggy, sprite_id, block_id)))
        }
        NormalEdit::Add { sprite_id, anchor, .. } => {
            let beside = match &anchor.at {
                At::After(id) | At::In(id, _) => Some(id),
                At::Start(below) => below.as_ref(),
            };
            (sprite_id.clone(), beside.map(|id| root(buggy, sprite_id, id)))
        }
    };
    edits.iter().map(of).collect()
}

fn root(project: &Value, sprite_id: &str, block: &str) -> String {
    target(project, sprite_id).map_or(block, |target| target.root(block)).to_owned()
}

/// What a comparison with gold's edits tells.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    pub truth: &'a Truth,
    pub buggy: &'a Value,
    pub aim: &'a EditSet,
    pub edits: &'a EditSet,
}

impl Compared<'_> {
    /// Where gold differs from the buggy project.
    fn region(&self) -> BTreeSet<Script> {
        touched(self.buggy, self.aim)
    }

    /// Whether all edits are in scripts that gold's are in.
    pub fn is_within_region(&self) -> bool {
        let touched = touched(self.buggy, self.edits);
        !touched.is_empty() && touched.is_subset(&self.region())
    }

    /// Whether an edit is in such a script.
    pub fn is_located(&self) -> bool {
        !touched(self.buggy, self.edits).is_disjoint(&self.region())
    }

    /// In what ways a repair that fails goes wrong; `mends_part` of one after which some assertions hold that failed.
    pub fn modes(&self, mends_part: bool) -> BTreeSet<Mode> {
        let mut modes = BTreeSet::new();
        let is_logic = |opcode: &str| LOGIC.iter().any(|category| opcode.starts_with(category));
        if self.edits.len() >= self.aim.len() + TOO_MANY && self.adds(is_logic) {
            modes.insert(Mode::OverEditing);
        }
        if self.is_located() && mends_part {
            modes.insert(Mode::Incomplete);
        }
        if self.is_misgrounded() {
            modes.insert(Mode::MisgroundedConcurrency);
        }
        if modes.is_empty() {
            modes.insert(Mode::Other);
        }
        modes
    }

    fn adds(&self, is: impl Fn(&str) -> bool) -> bool {
        self.edits.iter().any(|edit| matches!(edit, NormalEdit::Add { block, .. } if is(&block.opcode)))
    }

    fn is_misgrounded(&self) -> bool {
        let is_concurrency = matches!(
            self.truth.pattern.parse(),
            Ok(Pattern::Desynchronization | Pattern::UntriggeredEvent | Pattern::EventHandlerConflict)
        );
        let leaves_it = !self.edits.iter().any(|edit| self.aim.iter().any(|wanted| is_of_same_block(edit, wanted)));
        is_concurrency && leaves_it && self.adds(|opcode| SUBSTITUTES.contains(&opcode))
    }
}

/// Whether two edits are of one block, or add the same kind of block at the same place.
fn is_of_same_block(one: &NormalEdit, other: &NormalEdit) -> bool {
    let block = |edit: &NormalEdit| match edit {
        NormalEdit::Remove { sprite_id, block_id } | NormalEdit::Modify { sprite_id, block_id, .. } => {
            Some((sprite_id.clone(), block_id.clone()))
        }
        NormalEdit::Add { .. } => None,
    };
    match (one, other) {
        (
            NormalEdit::Add { sprite_id, anchor, block },
            NormalEdit::Add { sprite_id: target, anchor: place, block: wanted },
        ) => sprite_id == target && anchor.at == place.at && block.opcode == wanted.opcode,
        _ => block(one).is_some() && block(one) == block(other),
    }
}
