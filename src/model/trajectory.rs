//! Trajectories of budgeted repair (EcoScratch, sections 1 to 8): all work on one case under one model and one controller mode. How one
//! comes about is not known here.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EnergyRecord;
use super::case_facts::{CaseSize, Distance, MinimalPatch};
use super::signals::ProbeRecord;

/// Version of the format of trajectories.
pub const TRAJECTORY_FORMAT: u32 = 1;

/// How a controller chooses plans (EcoScratch, Table 1; `value` is section 12.5 of our specification).
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::EnumIter,
    strum::EnumMessage,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ControllerMode {
    /// Never pictures, the smallest plan.
    TextOnly,
    /// Pictures whenever there are some, the largest plan.
    AlwaysOn,
    /// One plan with pictures for all cases.
    Fixed,
    /// As much as the probe's signals ask for.
    Heuristic,
    /// The heuristic, which goes on only while another attempt is worth its price.
    Value,
}

/// What an attempt may use (EcoScratch, section 3; figures are in `assets/repair/plans.toml`).
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
pub enum PlanId {
    /// The smallest text plan.
    T0,
    /// Text.
    T1,
    /// Broad text.
    T2,
    /// Pictures.
    M1,
    /// Broad, with pictures.
    M2,
}

/// Where an attempt, or a trajectory, ended. In the order in which they are passed: a trajectory's is the furthest of its attempts'.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
pub enum Layer {
    /// There is no answer.
    #[serde(rename = "request")]
    #[strum(serialize = "request")]
    Request,
    /// There is no patch in the answer.
    #[serde(rename = "extraction")]
    #[strum(serialize = "extraction")]
    Extraction,
    /// The patch has another form than was asked for, or too many operations.
    #[serde(rename = "schema")]
    #[strum(serialize = "schema")]
    Schema,
    /// The patch can't be applied, or what it makes can't be loaded.
    #[serde(rename = "application")]
    #[strum(serialize = "application")]
    Application,
    /// The first part of the strict run fails.
    #[serde(rename = "verification.precheck")]
    #[strum(serialize = "verification.precheck")]
    Precheck,
    /// The rest of it fails.
    #[serde(rename = "verification.full")]
    #[strum(serialize = "verification.full")]
    Full,
    /// Every assertion holds under every seed.
    #[serde(rename = "strict_success")]
    #[strum(serialize = "strict_success")]
    StrictSuccess,
}

impl Layer {
    /// Whether a candidate was built and loaded: generation success, which says nothing of correctness.
    pub const fn is_generated(self) -> bool {
        matches!(self, Self::Precheck | Self::Full | Self::StrictSuccess)
    }

    /// Whether the strict verifier passed it.
    pub const fn is_strict(self) -> bool {
        matches!(self, Self::StrictSuccess)
    }
}

/// Why a trajectory ended: `strict_success`, `exhausted`, `budget:<name>`, `no_new_candidate`, `not_retried`, `not_worth_it`.
pub type Stop = String;

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestRecord {
    pub file: String,
    /// By which its answer is kept.
    pub digest: String,
    /// Characters of both prompts.
    pub chars: u64,
}

/// Pictures of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImageAudit {
    pub available: u32,
    pub inserted: u32,
    /// Bytes of those inserted, as PNG.
    pub bytes: u64,
    pub files: Vec<String>,
    /// `frames` or `assets`; empty without any.
    pub source: String,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResponseRecord {
    pub file: String,
    /// It ended at its token limit.
    pub cut: bool,
    pub tries: u32,
    /// It was paid for before, and taken from the store.
    pub replayed: bool,
    pub seconds: f64,
}

/// Tokens and money.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UsageRecord {
    pub input: u64,
    pub cached_input: u64,
    pub output: u64,
    pub reasoning: u64,
    /// US dollars; absent where the price is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub usd: Option<f64>,
    /// Whether the provider told what was used; else the worst case is booked.
    pub settled: bool,
}

/// The patch as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchRecord {
    pub file: String,
    pub raw_ops: u32,
    pub ops: u32,
    /// Values that were no JSON and count as texts; deviations from the form that were mended; pointers without escapes.
    pub coerced: u32,
    pub normalised: u32,
    pub unescaped: u32,
}

/// What was built of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CandidateRecord {
    pub file: String,
    pub sha256: String,
}

/// A stage of verification.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageRecord {
    /// `pass`, `assertion_failed`, `console_error` (all assertions hold, and the console has an error that gold does not have), `guard_failed` (all assertions hold, and other golden behaviour is lost) or `hung`.
    pub outcome: String,
    pub checked: u32,
    pub failed: u32,
    /// Runs that were made for it.
    pub runs: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace_hashes: Vec<String>,
    /// What failed, in words: what is seen, and what should be. Leak level 3.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
}

/// Both stages.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerificationRecord {
    /// Absent where the plan has none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub precheck: Option<StageRecord>,
    /// Absent where the precheck failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub full: Option<StageRecord>,
}

/// One pass: plan, prompt, call, parse, apply, verify.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepairAttempt {
    /// From 0.
    pub a: u32,
    pub plan: PlanId,
    pub ops_cap: u32,
    /// The highest leak level of the evidence (section 3): 0 report and project, 1 figures compared with gold, 2 behaviour of the buggy
    /// project, 3 expected values of gold.
    pub leak: u8,
    pub layer: Layer,
    /// Why it ended there; absent of a strict success.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub detail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request: Option<RequestRecord>,
    pub images: ImageAudit,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub response: Option<ResponseRecord>,
    pub usage: UsageRecord,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub patch: Option<PatchRecord>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub candidate: Option<CandidateRecord>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verification: Option<VerificationRecord>,
    /// Seconds by stage: `prompt`, `call`, `apply`, `precheck`, `full`.
    pub seconds: BTreeMap<String, f64>,
}

/// Sums over attempts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    pub attempts: u32,
    pub tries: u32,
    pub input: u64,
    pub cached_input: u64,
    pub output: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub usd: Option<f64>,
    pub images_inserted: u32,
    pub image_bytes: u64,
    pub wall_s: f64,
}

/// All work on one case under one model and one mode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trajectory {
    /// Version of this format; [`TRAJECTORY_FORMAT`].
    pub format: u32,
    pub case: String,
    /// The pattern of the fault, or the kind of case.
    pub mechanism: String,
    pub mode: ControllerMode,
    pub profile: String,
    pub replicate: u32,
    pub probe: ProbeRecord,
    pub attempts: Vec<RepairAttempt>,
    pub stop: Stop,
    pub generation_success: bool,
    pub strict_verify_success: bool,
    pub layer: Layer,
    /// The attempt whose candidate counts: the strict pass, else the last that was applied.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub best_attempt: Option<u32>,
    /// Absent where it was not measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub size: Option<CaseSize>,
    /// Absent without a candidate, or where it was not measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub distance: Option<Distance>,
    /// What is left of the patch that passed without the operations that it does not need; absent where it was not looked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub minimal: Option<MinimalPatch>,
    pub totals: Totals,
    /// Energy of the host; absent where none is recorded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub energy: Option<EnergyRecord>,
    /// Digests of all that decides the record: `buggy`, `gold`, `suite`, `plans`, `prompts`, `engine`.
    pub hashes: BTreeMap<String, String>,
}

impl Trajectory {
    /// The furthest layer of attempts, the later of equals.
    pub fn furthest(attempts: &[RepairAttempt]) -> Layer {
        attempts.iter().map(|attempt| attempt.layer).max().unwrap_or(Layer::Request)
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn every_strict_success_is_a_generation_success_and_layers_have_one_name() {
        for layer in Layer::iter() {
            assert!(layer.is_generated() || !layer.is_strict());
            assert_eq!(serde_json::to_value(layer).unwrap(), layer.to_string());
        }
        assert!(Layer::Application < Layer::Precheck && Layer::Precheck < Layer::Full);
    }
}
