//! Options of a new session, and information about a session.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attempt::{AttemptInfo, AttemptLimits};
use super::live::LoadReport;
use crate::model::{EditorGeneration, Extras, KeptPictures, StageSize, Task};

#[derive(Debug, Clone, Copy)]
pub struct SessionOptions {
    /// How many may live at once.
    pub limit: usize,
    /// A session without calls for this long is ended, unless its creator asked for another lease.
    pub idle: Duration,
}

/// What a new session starts with.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// The project; `None` is the editor's own default project.
    pub project: Option<Vec<u8>>,
    /// Name of the task that the project belongs to.
    pub task: Option<String>,
    /// What the task asks for, for those who work in the session or watch it.
    pub instruction: Option<String>,
    /// The limits of the attempt that the session is for; `None` for one that is not an attempt.
    pub attempt: Option<AttemptLimits>,
    /// How large the stage is shown.
    pub stage: StageSize,
    /// How long the session lives on without a call; the server's setting when absent.
    pub lease: Option<Duration>,
    /// Who creates it, if callers are distinguished.
    pub owner: Option<String>,
    /// Which pictures its log has.
    pub pictures: KeptPictures,
    /// What it has beyond the published benchmark.
    pub extras: Extras,
}

impl Start {
    /// An attempt at a task, bound by the task's limits, with its initial project.
    pub fn attempting(task: &Task, initial: Vec<u8>) -> Self {
        Self {
            project: Some(initial),
            task: Some(task.id.to_string()),
            instruction: Some(task.instruction.clone()),
            attempt: Some(task.limits.into()),
            stage: task.stage,
            ..Self::default()
        }
    }
}

/// Where a session's log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogState {
    /// In memory only, the newest part of it.
    Memory,
    /// On the server's disk, all of it.
    Kept,
    /// It is to be on the disk and can't be written now: acts are refused until it can.
    Broken,
}

/// A session as lists show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionInfo {
    /// The session's name: 32 hexadecimal characters.
    pub id: String,
    /// The task it was created for, if any.
    pub task: Option<String>,
    /// What the task asks for: the agent's instruction.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub instruction: Option<String>,
    /// How far the attempt at the task is, and how much of it is left; absent for a session that is not an attempt.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub attempt: Option<AttemptInfo>,
    /// What it has beyond the published benchmark; each field is absent when it is not so.
    #[serde(flatten)]
    pub extras: Extras,
    /// The editor that it shows; absent for the current one.
    #[serde(skip_serializing_if = "EditorGeneration::is_current", default)]
    pub editor: EditorGeneration,
    /// When it was created, in seconds since 1970.
    pub created_at: f64,
    /// Seconds since the last call.
    pub idle_s: f64,
    /// Seconds without a call after which it ends.
    pub lease_s: f64,
    /// Seconds until it ends without a call; the whole lease while a call is in progress.
    pub expires_in_s: f64,
    /// How often its page was lost.
    pub page_lost: u64,
    /// How often its project was recovered in a new page.
    pub recovered: u64,
    /// Where its log is.
    pub log: LogState,
    /// What loading its project showed.
    pub load: LoadReport,
}
