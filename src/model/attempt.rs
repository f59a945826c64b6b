//! What became of an attempt, as `attempt.json` holds it: one shape for all benchmarks, with a detail of each.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ActionCall, ActionReply, Category, ItemId, Mode, Outcome};

/// One try at one attempt at an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttemptRecord<D> {
    /// Version of this format; [`RUN_FORMAT`](super::RUN_FORMAT).
    pub format: u32,
    /// A task, scene or question.
    pub item: ItemId,
    /// Which of the run's attempts at the item, from 1.
    pub attempt: u32,
    /// 0, or which retry after an infrastructure or judge error. Only the last one counts.
    pub retry: u32,
    pub outcome: Outcome,
    /// What went wrong, unless it is a plain wrong answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// What the agent needed.
    pub cost: Cost,
    /// What the benchmark measured.
    pub detail: D,
}

/// What an answer, or all of an attempt's actions, cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Seconds until the answer was there, or from opening the session to the last action.
    pub seconds: f64,
    /// Requests to a model or program.
    pub calls: u32,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Of the input: tokens that the provider had in its cache.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub cached_tokens: u64,
    /// Of the input: tokens that were written to the provider's cache.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub cache_written_tokens: u64,
    /// Of the output: tokens that the model thought.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub reasoning_tokens: u64,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, more: Self) {
        self.seconds += more.seconds;
        self.calls += more.calls;
        self.input_tokens += more.input_tokens;
        self.output_tokens += more.output_tokens;
        self.cached_tokens += more.cached_tokens;
        self.cache_written_tokens += more.cache_written_tokens;
        self.reasoning_tokens += more.reasoning_tokens;
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

pub type TaskRecord = AttemptRecord<TaskDetail>;

/// What is measured of an attempt at a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskDetail {
    pub category: Category,
    /// How the agent acted.
    pub mode: Mode,
    /// Why the agent stopped.
    pub ending: Ending,
    /// Actions taken, the closing one not counted.
    pub steps: u32,
    /// Actions that did not do what the agent meant them to do, for one that notices; absent for others.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub misses: Option<u32>,
    /// How often the agent tried something again in another way, for one that counts; absent for others.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replans: Option<u32>,
    /// Unit tests that held.
    pub passed_tests: u32,
    /// Unit tests in all; 0 when nothing was judged.
    pub total_tests: u32,
    /// Seconds that judging took.
    pub judging_s: f64,
    /// Digest of the program with which the session broke, for the endings `infra_error` and `crashed`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lost_program: Option<String>,
    /// What the attempt's models cost by their roles, which are parts of its cost; empty where there is only one model. Their
    /// seconds are not told apart.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub roles: BTreeMap<String, Cost>,
    /// Calls that were refused because they were no part of the attempt, or came after its end or limit; absent for agents
    /// that make no calls by themselves.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refusals: Option<u32>,
    /// Why the attempt is void, for the outcome `infra_error`; absent in older records.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub voided: Option<Voiding>,
}

/// An error of the testbed that voids an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Voiding {
    /// Its stable code (docs/CODES.md).
    pub code: String,
    /// Whether the agent was acting when it came. No second attempt of an agent at a task is voided so.
    pub acting: bool,
}

/// Why an agent stopped acting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It declared itself done.
    Done,
    /// It declared that it can't do it.
    GaveUp,
    /// It decided as often as it may.
    StepLimit,
    /// It took as long as the task allows.
    WallLimit,
    /// It used as many tokens, or as much money, as one attempt may.
    CostLimit,
    /// It could not continue.
    AgentError,
    /// The provider of its model gave no answer.
    ProviderError,
    /// The testbed broke.
    InfraError,
    /// The testbed broke, and the agent answers for it: the judge finds that no test can be run on the program that it
    /// built, or an earlier try was voided, too.
    Crashed,
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
