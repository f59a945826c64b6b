//! One attempt: a session with what was done in it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::session::LoadReport;

/// How the agent ended an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum End {
    /// It said that the task is done.
    Done,
    /// It gave up.
    Failed,
    /// It handed the project in.
    Submitted,
}

impl End {
    /// The name in messages, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Submitted => "submitted",
        }
    }
}

/// An attempt. Its session may outlive it, so that the project can still be looked at.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Attempt {
    /// Its session.
    pub session: String,
    /// Its task, if it has one.
    pub task: Option<String>,
    /// What loading its project showed.
    pub load: LoadReport,
    /// Actions carried out or refused so far; looking does not count.
    pub steps: u32,
    /// How it ended, once it has.
    pub ended: Option<End>,
}
