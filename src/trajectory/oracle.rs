//! What probes and verifies a case. A candidate's verdict is a function of project, checks and engine: no clock and no model has a part
//! in it.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::frames::Moment;
use super::plans::{Plans, Precheck};
use crate::model::{Scenario, Signals, StageRecord, TraceRun};

/// The testbed failed; nothing is known of the project.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OracleError {
    /// No page, or one that was lost, three times.
    #[error("{0}")]
    Testbed(String),
    /// Gold does not pass its own checks: the case is no case.
    #[error("gold fails: {0}")]
    InvalidCase(String),
}

/// What a probe has seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    pub signals: Signals,
    /// The buggy project's run that leaves gold's first, under the first seed, if any does; with its inputs in words.
    pub seen: Option<Seen>,
    /// The stage at the moments of that run that are shown; none where nothing is drawn.
    #[serde(default)]
    pub moments: Vec<Moment>,
}

/// A run of the buggy project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// Name of the scenario.
    pub scenario: String,
    /// Its inputs, where they are data; absent where a script makes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play: Option<Scenario>,
    /// Ticks that were played.
    pub length: u64,
    /// The inputs in words.
    pub inputs: Vec<String>,
    pub run: TraceRun,
    /// Digest of its trace.
    pub hash: String,
    /// Ticks after which the first assertion that fails is decided.
    pub failed_after: Option<u64>,
}

/// What became of a candidate.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verified {
    /// Why it could not be loaded: then nothing was checked.
    pub unloadable: Option<String>,
    pub precheck: Option<StageRecord>,
    pub full: Option<StageRecord>,
    /// Seconds of both stages.
    pub seconds: [f64; 2],
}

impl Verified {
    /// Whether the strict verifier passed it.
    pub fn is_strict(&self) -> bool {
        self.full.as_ref().is_some_and(|stage| stage.outcome == PASS)
    }
}

/// Outcomes of a stage.
pub const PASS: &str = "pass";
pub const FAILED: &str = "assertion_failed";
pub const GUARD: &str = "guard_failed";
pub const CONSOLE: &str = "console_error";
pub const HUNG: &str = "hung";

/// Failures that are kept in words.
const TOLD: usize = 3;

/// Keeps a failure in words, unless there are enough or it is there.
pub(super) fn tell(stage: &mut StageRecord, words: String) {
    if stage.failures.len() < TOLD && !stage.failures.contains(&words) {
        stage.failures.push(words);
    }
}

/// A stage in which nothing was found yet.
pub(super) fn fresh() -> StageRecord {
    StageRecord { outcome: PASS.to_owned(), ..StageRecord::default() }
}

/// Checks projects of one case.
#[async_trait]
pub trait CaseOracle: Send + Sync {
    /// Digest of the checks.
    fn digest(&self) -> String;

    /// Runs the buggy project and gold on a short schedule, on the whole one if that misses the fault.
    ///
    /// # Errors
    /// When the testbed fails.
    async fn probe(&self, plans: &Plans) -> Result<Probe, OracleError>;

    /// Verifies a project in stages: the precheck is a prefix of the strict run, and what it has run is not run again. The file may be
    /// anything: one that is refused is unloadable.
    ///
    /// # Errors
    /// When the testbed fails.
    async fn verify(&self, sb3: &[u8], precheck: Option<Precheck>) -> Result<Verified, OracleError>;

    /// The stage of the buggy project at ticks of the run that a probe saw, as PNGs. The trace is the same as without: another one is an
    /// error of the testbed.
    ///
    /// # Errors
    /// When the testbed fails.
    async fn frames(&self, seen: &Seen, ticks: &[u64]) -> Result<Vec<(u64, Vec<u8>)>, OracleError>;

    /// The same failure with as few inputs as show it (EcoScratch, section 12.2); `None` where nothing can be left out.
    ///
    /// # Errors
    /// When the testbed fails.
    async fn shortest(&self, _: &Seen) -> Result<Option<Seen>, OracleError> {
        Ok(None)
    }

    /// How far a project's behaviour is from gold's, 0 to 1 (ScratchEval, section 5.5); `None` where it is not known.
    ///
    /// # Errors
    /// When the testbed fails.
    async fn drift(&self, _: &[u8]) -> Result<Option<f64>, OracleError> {
        Ok(None)
    }
}
