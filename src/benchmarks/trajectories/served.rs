//! Repairs that a server makes for callers: what may be asked for, how a repair stands, and what became of it. Who may answer, and how a
//! repair is made, a [`RepairHost`] knows; how callers ask, `http` does.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::refused::RepairError;
use crate::model::{AttemptRecord, ControllerMode, Outcome, Trajectory};
use crate::store::{RunDir, StoreError};
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
    async fn begin(&self, wanted: NewRepair, who: &str) -> Result<RepairStatus, RepairError>;

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
    async fn cancel(&self, id: &str) -> Result<RepairStatus, RepairError>;

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
    /// Dollars that a repaired project is worth, for the mode `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_usd: Option<f64>,
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

/// A repair, with what became of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RepairView {
    #[serde(flatten)]
    pub status: RepairStatus,
    /// How it came out; absent while it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Why there is no trajectory, where the testbed or the case is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// All that is recorded of it: what failed may tell what gold expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trajectory: Option<Trajectory>,
}

impl RepairView {
    /// How a repair stands, with what its run has of it.
    ///
    /// # Errors
    /// When there is none of this name, or its run can't be read.
    pub async fn read(host: Arc<dyn RepairHost>, id: String) -> Result<Self, RepairError> {
        let status = host.find(&id).ok_or_else(|| RepairError::Unknown(id.clone()))?;
        let run = host.run(&id);
        let recorded = tokio::task::spawn_blocking(move || recorded(&run)).await;
        let recorded = recorded.map_err(|error| RepairError::Machine(error.to_string()))??;
        Ok(match recorded {
            Some(AttemptRecord { outcome, error, detail, .. }) => {
                Self { status, outcome: Some(outcome), reason: error, trajectory: detail }
            }
            None => Self { status, outcome: None, reason: None, trajectory: None },
        })
    }
}

/// The last try at a repair, if one is complete.
fn recorded(run: &Path) -> Result<Option<AttemptRecord<Option<Trajectory>>>, StoreError> {
    if !run.join("run.json").is_file() {
        return Ok(None);
    }
    Ok(RunDir::open(run)?.last_tries()?.into_iter().next().map(|tried| tried.record))
}
