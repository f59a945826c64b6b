//! A patch applied to a buggy project, all or nothing (ScratchEval, section 5.2), and how far a repair came.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::project::edit::{self, Edit, EditError, apply};
use crate::project::{Project, Severity, validate};

/// Warnings that no patch may add: the editor would take the reference away.
const BROKEN: [&str; 2] = ["dangling_reference", "wrong_parent"];

/// How far a repair came.
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
pub enum Stage {
    /// There is no patch in the answer.
    Unreadable,
    /// An edit names what is not there.
    Unresolved,
    /// Two edits contradict each other.
    Conflict,
    /// An edit is out of reach, or its block has another shape.
    Unsupported,
    /// The patched project is broken.
    Invalid,
    /// The editor's machine does not load it.
    Unloadable,
    /// It keeps the machine busy for good, or breaks it.
    Hung,
    /// It writes an error to the console that gold does not.
    ConsoleError,
    /// An assertion of the suite fails. Records of before there were guards call it `failed`.
    #[serde(alias = "failed")]
    AssertionFailed,
    /// All assertions hold, and a guard does not: behaviour of gold is lost.
    GuardFailed,
    /// All assertions hold, under every seed, and all guards.
    Passed,
}

impl Stage {
    /// Whether there is a patched project.
    pub const fn is_applied(self) -> bool {
        matches!(self, Self::Unloadable | Self::Hung | Self::ConsoleError) || self.is_played()
    }

    /// Whether the suite has spoken of it.
    pub const fn is_played(self) -> bool {
        matches!(self, Self::AssertionFailed | Self::GuardFailed | Self::Passed)
    }
}

/// Why a patch was not applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    pub stage: Stage,
    pub message: String,
}

impl From<EditError> for Refused {
    fn from(error: EditError) -> Self {
        let stage = match error.stage {
            edit::Stage::Unresolved => Stage::Unresolved,
            edit::Stage::Conflict => Stage::Conflict,
            edit::Stage::Unsupported => Stage::Unsupported,
        };
        Self { stage, message: error.to_string() }
    }
}

/// The buggy project with all edits of a patch.
///
/// # Errors
/// When an edit can't be made, or the result would not be what the editor runs.
pub fn patched(buggy: &Project, patch: &[Edit]) -> Result<Project, Refused> {
    let project = Project { json: apply(&buggy.json, patch)?, assets: buggy.assets.clone() };
    let known: BTreeSet<String> = broken(buggy).collect();
    match broken(&project).find(|problem| !known.contains(problem)) {
        Some(message) => Err(Refused { stage: Stage::Invalid, message }),
        None => Ok(project),
    }
}

/// What is wrong with a project, in words: errors, and references that the editor would take away.
pub fn broken(project: &Project) -> impl Iterator<Item = String> + use<> {
    let problems = validate(project).into_iter();
    let counts = problems.filter(|one| one.severity == Severity::Error || BROKEN.contains(&one.code));
    counts.map(|problem| problem.to_string())
}
