//! Why a patch can't be applied.

use std::fmt;

use serde::Serialize;

/// How far a patch came (spec: the stages of a repair that is not applied).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// An edit names a target, block, variable or message that is not there, or that an earlier edit took away.
    Unresolved,
    /// Two edits set one thing to different values, or add blocks of one id.
    Conflict,
    /// An edit is out of reach, or its block has other slots or fields.
    Unsupported,
}

/// An edit that can't be made; nothing is changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[error("edit {}: {message}", .edit + 1)]
pub struct EditError {
    /// Which edit of the patch, from 0.
    pub edit: usize,
    pub stage: Stage,
    pub message: String,
}

/// Why one edit can't be made.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) Stage, pub(super) String);

impl Refusal {
    pub(super) fn unresolved(what: &str, name: &str) -> Self {
        Self(Stage::Unresolved, format!("there is no {what} `{}`", name.escape_debug()))
    }

    pub(super) fn conflict(message: impl Into<String>) -> Self {
        Self(Stage::Conflict, message.into())
    }

    pub(super) fn unsupported(message: impl Into<String>) -> Self {
        Self(Stage::Unsupported, message.into())
    }

    pub(super) fn at(self, edit: usize) -> EditError {
        EditError { edit, stage: self.0, message: self.1 }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Unresolved => "unresolved",
            Self::Conflict => "conflict",
            Self::Unsupported => "unsupported",
        })
    }
}
