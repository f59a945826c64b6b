//! What judging a project yields.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TaskId;

/// How an attempt ended; each attempt has exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// All unit tests passed.
    Passed,
    /// At least one unit test failed.
    Failed,
    /// The step or wall limit was reached; the project is judged all the same.
    Limit,
    /// The agent could not continue.
    AgentError,
    // No route answers with these two, so schemas leave them out.
    /// A question was answered in a form that can't be read.
    #[schemars(skip)]
    Unreadable,
    /// The model or program gave no answer to a question, for all requests.
    #[schemars(skip)]
    CallFailed,
    /// The provider of the agent's model gave no answer; never counted as the agent's failure, and owed.
    ProviderError,
    /// The testbed broke; never counted as the agent's failure.
    InfraError,
    /// The evaluation script broke; never counted as the agent's failure.
    JudgeError,
}

impl Outcome {
    /// The name in tables, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Limit => "limit",
            Self::AgentError => "agent_error",
            Self::Unreadable => "unreadable",
            Self::CallFailed => "call_failed",
            Self::ProviderError => "provider_error",
            Self::InfraError => "infra_error",
            Self::JudgeError => "judge_error",
        }
    }

    /// Whether it says something about the agent; else it is in no denominator, and the attempt is made again.
    pub const fn counts(self) -> bool {
        !matches!(self, Self::ProviderError | Self::InfraError | Self::JudgeError)
    }
}

/// Which time the project and the evaluation script ran in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::IntoStaticStr, strum::EnumString, strum::EnumIter, strum::EnumMessage)]
#[strum(serialize_all = "lowercase")]
pub enum Clock {
    /// Wall-clock time.
    Real,
    /// The deterministic clock of the judge.
    #[default]
    Virtual,
}

/// What virtual time depends on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClockParameters {
    /// Milliseconds between two ticks of the VM.
    pub tick_ms: f64,
    /// Milliseconds that one reading of the clock takes.
    pub epsilon_ms: f64,
    /// The date at which virtual time starts, in milliseconds since 1970-01-01 UTC.
    pub epoch_ms: f64,
}

/// One unit test of an evaluation script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseResult {
    /// What was checked.
    pub name: String,
    /// Whether it held.
    pub passed: bool,
    /// Whether its time limit ended it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub timeout: Option<bool>,
    /// How long it took, in milliseconds of project time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub duration_ms: Option<f64>,
    /// The script's message.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// Further remarks of the script.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<serde_json::Value>,
}

/// SHA-256 digests, in hexadecimal, of what a verdict depends on, and the versions of the programs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Hashes {
    /// The judged .sb3 file.
    pub project: String,
    /// The evaluation script with its helpers.
    pub script: String,
    /// Version of the Scratch editor package.
    pub editor: String,
    /// Product string of the browser.
    pub browser: String,
}

/// Which of the two seeds of a judgement is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeedKind {
    /// The task's own, which is the same everywhere and can be read by everybody.
    Public,
    /// One that was drawn, whose inputs nobody could prepare for.
    Secret,
}

/// How a project did under one of the two seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeedResult {
    /// Which of the two.
    pub kind: SeedKind,
    /// The seed itself; absent where it serves further judgements: that of a run is in its `run.json`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// `passed`, `failed`, `infra_error` or `judge_error`.
    pub outcome: Outcome,
    /// Unit tests that held under it.
    pub passed_tests: u32,
    /// Unit tests in all.
    pub total_tests: u32,
}

/// The result of judging one project for one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// Which task.
    pub task: TaskId,
    /// `passed`, `failed`, `infra_error` or `judge_error`.
    pub outcome: Outcome,
    /// Unit tests that held: m in the paper's equation 4.
    pub passed_tests: u32,
    /// Unit tests in all: M in the paper's equation 4.
    pub total_tests: u32,
    /// One entry a unit test.
    pub details: Vec<CaseResult>,
    /// Why there is no result, for an error outcome.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// Unknown fields of the report, and other oddities.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
    /// What the script and the project printed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub console: Vec<String>,
    /// Seed of the random streams; the public one where there were two judgements.
    pub seed: u64,
    /// How it did under each seed, where the script draws its inputs and the project was judged under two. A test holds only
    /// if it holds under both.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub seed_results: Vec<SeedResult>,
    /// Which clock.
    pub clock: Clock,
    /// Its parameters, in virtual time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock_parameters: Option<ClockParameters>,
    /// Milliseconds of project time that passed while it was judged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub project_ms: Option<f64>,
    /// Digest of the trace, where one was recorded.
    pub trace_hash: Option<String>,
    /// What the verdict depends on.
    pub hashes: Hashes,
}
