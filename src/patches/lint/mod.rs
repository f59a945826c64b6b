//! Semantic validators (ScratchEval, section 10.1): what a repair looks like that can't work, found without running it. They flag and
//! never decide: whether a project does what it should, only a run can tell.
//!
//! `barrier` looks at repairs of what should wait, `binding` at names and ids of variables, lists and messages; `smells`, `cloning`, `loops`
//! and `messages` are features of a whole project after LitterBox, of which a patch is told only what it adds. `change` is what a patch
//! made of a project.

mod barrier;
mod binding;
mod change;
mod cloning;
#[cfg(test)]
pub(crate) mod fixture;
mod loops;
mod messages;
mod smells;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::change::{Change, Mark};
use crate::patches::effects::Program;
use crate::project::edit::{Edit, apply};

/// What a validator found.
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
pub enum Code {
    /// A wait or a poll was added after a send whose receivers must be done first, and the send does not wait for them.
    BarrierSubstituted,
    /// A broadcast that waited does no more.
    BarrierRemoved,
    /// A wait of so many seconds stands between such a send and what depends on its receivers.
    DelayGuess,
    /// A name and an id that do not belong together: the editor restores one from the other.
    LabelOnly,
    /// What is named belongs to another sprite, or the target has something of this name itself.
    WrongScope,
    /// Another variable is written now, and what was written before is still what is read.
    SplitBinding,
    /// A new message is sent and not heard, or heard and not sent.
    OrphanMessage,
    MessageNeverReceived,
    MessageNeverSent,
    /// A variable or list is used that no script sets at its beginning.
    MissingInitialization,
    /// A sprite is cloned that has no script for its clones.
    MissingCloneInitialization,
    /// A clone clones itself, always.
    RecursiveCloning,
    /// What is sensed is asked for once, at the beginning.
    MissingLoopSensing,
    /// A `repeat until` without a condition.
    MissingTermination,
    ComparingLiterals,
    /// A key moves a sprite by its own repetition.
    StutteringMovement,
    /// A loop that only asks whether to end.
    BusyWaiting,
    /// A stack that nothing starts.
    DeadCode,
}

/// What codes are about.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    JsonSchema,
    strum::Display,
    strum::EnumIter,
    strum::EnumString,
    strum::EnumMessage,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Group {
    /// Repairs of what should wait.
    Barrier,
    /// Names and ids.
    Binding,
    /// What may be odd about a program.
    Feature,
}

impl Code {
    /// What it is about.
    pub const fn group(self) -> Group {
        match self {
            Self::BarrierSubstituted | Self::BarrierRemoved | Self::DelayGuess => Group::Barrier,
            Self::LabelOnly | Self::WrongScope | Self::SplitBinding | Self::OrphanMessage => Group::Binding,
            _ => Group::Feature,
        }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    pub code: Code,
    /// Which edit of the patch it belongs to, if one.
    pub edit: Option<usize>,
    /// In words.
    pub message: String,
}

/// What is odd about a project: its features, and names that do not fit their ids.
pub fn lint(project: &Value) -> Vec<Finding> {
    let mut marks = binding::references(project);
    marks.extend(features(&Program::of(project)));
    marks.into_iter().map(|mark| mark.of(None)).collect()
}

/// What a patch does that looks wrong. Of one that can't be applied only what its edits name is looked at.
pub fn review(before: &Value, patch: &[Edit]) -> Vec<Finding> {
    let Ok(after) = apply(before, patch) else { return binding::named(before, patch) };
    let edit = |mark: &Mark| patch.iter().position(|edit| mark.is_at(edit.sprite_id(), edit.block_id()));
    marks(before, &after).into_iter().map(|mark| mark.of(edit(&mark))).collect()
}

/// The same of a project that was made in another way.
pub fn compare(before: &Value, after: &Value) -> Vec<Finding> {
    marks(before, after).into_iter().map(|mark| mark.of(None)).collect()
}

/// What is wrong of a change, and what is odd of the project since.
fn marks(before: &Value, after: &Value) -> Vec<Mark> {
    let change = Change::between(before, after);
    let mut marks = barrier::marks(&change);
    marks.extend(binding::marks(&change));
    let known: BTreeSet<Mark> = features(&change.before).into_iter().collect();
    marks.extend(features(&change.after).into_iter().filter(|mark| !known.contains(mark)));
    marks
}

fn features(program: &Program<'_>) -> Vec<Mark> {
    let parts = [messages::marks, cloning::marks, loops::marks, smells::marks];
    parts.into_iter().flat_map(|part| part(program)).collect()
}
