//! Records of runs, as run directories hold them. The format is versioned: results outlive code.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ActionCall, ActionReply, Category, Mode, Outcome, TaskId};

/// Version of the records in a run directory. Raise it with any change that an older reader would misread.
pub const RUN_FORMAT: u32 = 1;

/// What a run set out to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// Version of this format; [`RUN_FORMAT`].
    pub format: u32,
    /// Name of the run; equals its folder's.
    pub id: String,
    /// When it began, in seconds since 1970.
    pub started_at: f64,
    /// Version of scratchbed.
    pub version: String,
    /// Who acted.
    pub agent: String,
    /// How it acted.
    pub mode: Mode,
    /// The tasks, in order.
    pub tasks: Vec<TaskId>,
    /// Version of the task set that they were taken from; it changes whenever a score could. Absent in older records.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub task_set: Option<String>,
    /// The split that was run; absent when tasks were named one by one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub split: Option<String>,
    /// Address of the server that held the sessions; absent when they were in-process.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub server: Option<String>,
    /// Limits other than the tasks' own; absent when there are none.
    #[serde(skip_serializing_if = "LimitOverrides::is_empty", default)]
    pub limits: LimitOverrides,
    /// What sets this run apart from a plain one, such as a step left out of the oracle's list.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
}

/// Limits that a run has in place of its tasks' own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitOverrides {
    /// How often an agent may decide.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_steps: Option<u32>,
    /// Wall-clock seconds an attempt may last.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wall_s: Option<u32>,
}

impl LimitOverrides {
    /// Whether all limits are the tasks' own.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Why an agent stopped acting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It said that it is done.
    Done,
    /// It said that it can't do it.
    GaveUp,
    /// It decided as often as it may.
    StepLimit,
    /// It took as long as the task allows.
    WallLimit,
    /// It could not go on.
    AgentError,
    /// The testbed broke.
    InfraError,
    /// The program that it built broke the editor: the judge finds that no test can be run on it, or it did so in an
    /// earlier attempt too.
    Crashed,
}

/// What became of one attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttemptRecord {
    /// Version of this format; [`RUN_FORMAT`].
    pub format: u32,
    /// The task.
    pub task: TaskId,
    /// Its category.
    pub category: Category,
    /// How the agent acted.
    pub mode: Mode,
    /// Which try this is, from 1; later ones follow trouble of the testbed or the judge.
    pub attempt: u32,
    /// What counts.
    pub outcome: Outcome,
    /// Why the agent stopped.
    pub ending: Ending,
    /// Actions taken, the closing one not counted.
    pub steps: u32,
    /// Actions that did not do what the agent meant them to do, for one that notices; absent for others.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub misses: Option<u32>,
    /// How often the agent tried something anew, in another way, for one that tells; absent for others.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replans: Option<u32>,
    /// Unit tests that held.
    pub passed_tests: u32,
    /// Unit tests in all; 0 when nothing was judged.
    pub total_tests: u32,
    /// Seconds from opening the session to its last action.
    pub acting_s: f64,
    /// Seconds that judging took.
    pub judging_s: f64,
    /// Digest of the program with which the session broke, for the endings `infra_error` and `crashed`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lost_program: Option<String>,
    /// What went wrong, for an error outcome, and for a project that no test could be run on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
}

/// One call of an agent with its reply: a line of `calls.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallRecord {
    /// Number of the action within its attempt, from 1; observations carry that of the action they precede.
    pub step: u32,
    /// Seconds since the attempt began.
    pub at_s: f64,
    /// What was asked.
    pub call: ActionCall,
    /// What was answered.
    pub reply: ActionReply,
}
