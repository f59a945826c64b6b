//! What makes the repairs that are asked for over HTTP: a trait, since who may answer is known above this room, and what is asked for and
//! told of it, in a form to send.

use std::path::PathBuf;

use async_trait::async_trait;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::http::problem::Problem;
use crate::model::ControllerMode;
use crate::trajectory::{Profile, Retry};

/// Makes the repairs of a server.
#[async_trait]
pub trait RepairHost: std::fmt::Debug + Send + Sync {
    /// What may be asked for.
    fn offer(&self) -> RepairOffer;

    /// Begins a repair on behalf of `who`. What it is called, and that it goes on.
    ///
    /// # Errors
    /// When what is asked for is not offered or makes no sense, or no more repairs may go on. Nothing is begun then.
    async fn begin(&self, wanted: NewRepair, who: &str) -> Result<RepairStatus, Problem>;

    /// All repairs that are known, the newest first.
    fn list(&self) -> Vec<RepairStatus>;

    /// One of them.
    fn find(&self, id: &str) -> Option<RepairStatus>;

    /// The folder of its run, which is there once its process has begun it.
    fn run(&self, id: &str) -> PathBuf;

    /// Ends a repair that goes on, at once. How it stands then.
    ///
    /// # Errors
    /// When there is none of this name, or it is over.
    async fn cancel(&self, id: &str) -> Result<RepairStatus, Problem>;

    /// Ends all that go on.
    async fn close(&self);
}

/// A repair to make: one trajectory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRepair {
    /// The name of a benchmark of the server's; may be left out where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<String>,
    /// The name of one of its cases.
    pub case: String,
    pub mode: ControllerMode,
    pub agent: RepairAgent,
    /// The name of a model of the server's, for the agent `model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Decides what chance decides, for the agent `mutate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// As published, or with what goes beyond.
    #[serde(default)]
    pub profile: Profile,
    /// What is tried again.
    #[serde(default)]
    pub retry_on: Retry,
    /// The highest leak level of evidence, 0 to 3; 3 if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 3))]
    pub max_leak: Option<u8>,
    #[serde(default)]
    pub budgets: RepairBudgets,
}

/// What a repair may use. The server's plans have further limits of each trajectory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepairBudgets {
    /// Attempts at most, 1 to 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 20))]
    pub attempts: Option<u32>,
    /// Dollars that its model may cost, above 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// Tokens that its requests and answers may have together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub tokens: Option<u64>,
}

/// Who repairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RepairAgent {
    /// The difference from gold: shows that the case can be repaired.
    Oracle,
    /// Nothing.
    None,
    /// One operator that faults are made with, by chance.
    Mutate,
    /// A model of the server's.
    Model,
}

/// How a repair stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RepairState {
    Running,
    /// Its trajectory is recorded, however it came out.
    Ended,
    /// It was ended by a caller, or with the server.
    Cancelled,
    /// It could not be made: `error` says why.
    Failed,
}

/// Why a repair could not be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepairTrouble {
    pub code: String,
    pub message: String,
}

/// A repair, without what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepairStatus {
    /// Its name in addresses, and that of its run.
    pub id: String,
    pub state: RepairState,
    /// What was asked for.
    pub asked: NewRepair,
    /// Who asked.
    pub who: String,
    /// When, in seconds since 1970.
    pub asked_at: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RepairTrouble>,
}

/// What a server repairs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RepairOffer {
    /// Repairs that may go on at a time.
    pub limit: usize,
    pub benchmarks: Vec<OfferedBenchmark>,
    /// Names of models that may be asked.
    pub models: Vec<String>,
}

/// A benchmark of faults.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OfferedBenchmark {
    pub name: String,
    /// Digest of all that a score depends on.
    pub version: String,
    /// Names of its cases.
    pub cases: Vec<String>,
}

const LISTS: &str = "GET /repairs lists what it offers";

/// There is no such benchmark.
pub fn unknown_benchmark(name: &str) -> Problem {
    let detail = format!("this server offers no benchmark `{}`", name.escape_debug());
    Problem::new(StatusCode::NOT_FOUND, "unknown_benchmark", detail).hinted(LISTS)
}

/// The benchmark has no such case.
pub fn unknown_case(bench: &str, name: &str) -> Problem {
    let detail = format!("`{}` has no case `{}`", bench.escape_debug(), name.escape_debug());
    Problem::new(StatusCode::NOT_FOUND, "unknown_case", detail).hinted(LISTS)
}

/// There is no such model.
pub fn unknown_model(name: &str) -> Problem {
    let detail = format!("this server offers no model `{}`", name.escape_debug());
    Problem::new(StatusCode::NOT_FOUND, "unknown_model", detail).hinted(LISTS)
}

/// A name was left out, and it is not clear which is meant.
pub fn name_required(member: &str, offered: usize) -> Problem {
    let detail = format!("`{member}` is left out, and this server offers {offered} of them");
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "name_required", detail).hinted(LISTS)
}

/// A model is named for an agent that asks none.
pub fn model_not_asked(agent: RepairAgent) -> Problem {
    let detail = format!("the agent `{agent}` asks no model");
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "model_not_asked", detail)
        .hinted("leave `model` out, or ask for the agent `model`")
}

/// Something is out of its range.
pub fn bad_repair(detail: impl Into<String>) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_repair", detail)
}

/// What is asked for makes no sense: its own code, what is wrong, and what to do about it.
pub fn wrong(code: &str, detail: &str, hint: Option<&str>) -> Problem {
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail);
    match hint {
        Some(hint) => problem.hinted(hint),
        None => problem,
    }
}

/// So many repairs go on, and no more may.
pub fn full(limit: usize) -> Problem {
    let detail = format!("{limit} repairs go on, and no more may at a time");
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_repairs", detail)
        .hinted("wait until one is over, or end one with DELETE /repairs/{id}")
        .retry_after(10)
}

/// There is no such repair.
pub fn unknown(id: &str) -> Problem {
    let detail = format!("no repair `{}`", id.escape_debug());
    Problem::new(StatusCode::NOT_FOUND, "unknown_repair", detail).hinted("GET /repairs lists them")
}

/// It is over.
pub fn over(id: &str, state: RepairState) -> Problem {
    Problem::new(StatusCode::CONFLICT, "repair_over", format!("the repair `{id}` is over: {state}"))
}

/// Its process could not be started; the cause is for the server's log.
pub fn not_begun(cause: impl std::fmt::Display) -> Problem {
    tracing::warn!(%cause, "a repair was not begun");
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "repair_not_begun", "the repair could not be begun")
        .hinted("try again; the server's log has the cause")
}
