//! What is told of a case, and of the candidate for it, beside a trajectory: sizes, and distances from gold.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How large a case is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseSize {
    /// Of the buggy project.
    pub targets: u32,
    pub scripts: u32,
    pub blocks: u32,
    /// Operations that lead from it to gold.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub gold_ops: Option<u32>,
}

/// How far the candidate that counts is from gold, as repairs are measured (ScratchEval, sections 5.4 and 5.5).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Distance {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub d_edit: Option<u32>,
    /// Semantic drift, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub drift: Option<f64>,
}

/// A patch that passed, without the operations that it does not need (EcoScratch, section 12.3): found by delta debugging, without a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MinimalPatch {
    /// The file with its operations.
    pub file: String,
    /// Operations, of which none can be left out alone where `is_complete`.
    pub ops: u32,
    /// Projects that were verified on the way.
    pub trials: u32,
    /// Whether the search ended by itself; else it had made all the trials that it may.
    pub is_complete: bool,
    /// How far the shorter one is from gold.
    pub distance: Distance,
}
