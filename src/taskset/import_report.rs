//! What an import found and missed: stored in `pack.json` and shown by the command line.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::{Category, TaskId};

/// The account of one import. Nothing that was missing or ambiguous is left out of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportReport {
    /// The tasks in the pack, by category and name.
    pub tasks: Vec<ImportedTask>,
    /// What is missing, ambiguous or broken; empty after a clean import.
    pub gaps: Vec<Gap>,
    /// What is worth knowing and no fault of the checkout.
    pub notes: Vec<String>,
}

/// Where the parts of a task come from; paths are relative to the checkout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportedTask {
    pub id: TaskId,
    pub category: Category,
    /// The project that agents start from.
    pub initial: String,
    /// The project that solves it.
    pub golden: String,
    /// How that one was found.
    pub golden_rule: Golden,
    pub script: String,
    /// Seconds that the task file declares. The reference ignores them, and so do we: scripts keep their own
    /// limits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub declared_timeout_s: Option<u64>,
}

/// By which rule a golden project was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Golden {
    /// It carries the task's name.
    Own,
    /// It is that of the project which the fault of a debug task was put into.
    Base,
}

/// Something that the checkout lacks or leaves open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    pub kind: GapKind,
    /// The task it concerns; none for the checkout as a whole.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub task: Option<String>,
    /// The faulty part, such as `script` or `golden`.
    pub part: String,
    /// What is wrong, and what was done about it.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GapKind {
    /// Something is not there; its task is not in the pack.
    Missing,
    /// There are several answers; the first was taken, and the message names it.
    Ambiguous,
    /// Something can't be used; its task is not in the pack.
    Invalid,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            GapKind::Missing => "missing",
            GapKind::Ambiguous => "ambiguous",
            GapKind::Invalid => "invalid",
        };
        let task = self.task.as_ref().map(|task| format!("{task}: ")).unwrap_or_default();
        write!(f, "{kind}: {task}{}: {}", self.part, self.message)
    }
}
