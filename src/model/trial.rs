//! Records of benchmark runs that ask one thing at a time: single drags and questions about pictures.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a run of a benchmark set out to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialRun {
    /// Version of the records; [`RUN_FORMAT`](super::RUN_FORMAT).
    pub format: u32,
    /// Name of the run; equals its folder's.
    pub id: String,
    /// When it began, in seconds since 1970.
    pub started_at: f64,
    /// Version of scratchbed.
    pub version: String,
    /// Which benchmark: `drag` or `perception`.
    pub benchmark: String,
    /// Who answers: a built-in agent, a model's name, or a command.
    pub agent: String,
    /// What the items were shown with, such as `baseline`.
    pub setting: String,
    /// Everything else that decides the answers: arguments of the model, options, seed. A resumed run must have
    /// the same.
    pub options: Value,
    /// Digest of the items: a score compares only with scores over the same.
    pub set: String,
    /// Attempts an item.
    pub attempts: u32,
    /// The items, in order.
    pub items: Vec<String>,
}

/// How a trial ended. Each ends in exactly one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialOutcome {
    /// As it should be.
    Passed,
    /// Answered, and wrong.
    Failed,
    /// Answered in a form that can't be read.
    Unreadable,
    /// The model or program gave no answer, for all tries.
    CallFailed,
    /// The testbed broke, for all tries: says nothing of the agent, and is in no denominator.
    InfraError,
}

impl TrialOutcome {
    /// All, in the order of reports.
    pub const ALL: [Self; 5] = [Self::Passed, Self::Failed, Self::Unreadable, Self::CallFailed, Self::InfraError];

    /// Its name in records and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Unreadable => "unreadable",
            Self::CallFailed => "call_failed",
            Self::InfraError => "infra_error",
        }
    }

    /// Whether it says something of the agent.
    #[must_use]
    pub const fn counts(self) -> bool {
        !matches!(self, Self::InfraError)
    }
}

/// What asking cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialCost {
    /// Seconds until the answer was there.
    pub seconds: f64,
    /// Requests that it took.
    pub calls: u32,
    /// Tokens of the question.
    pub input_tokens: u64,
    /// Tokens of the answer.
    pub output_tokens: u64,
}

/// What became of one attempt at one item. `D` is what a benchmark measures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialRecord<D> {
    /// Version of the records; [`RUN_FORMAT`](super::RUN_FORMAT).
    pub format: u32,
    /// The item.
    pub item: String,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// How it ended.
    pub outcome: TrialOutcome,
    /// What went wrong, in words, where that is no plain wrong answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// What the answer cost.
    pub cost: TrialCost,
    /// What was measured; none if it came to nothing.
    pub detail: Option<D>,
}
