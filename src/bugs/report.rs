//! What is told of a fault: the report in words, and the stage in pictures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a model or an agent is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BugReport {
    /// What is seen.
    pub symptom: String,
    /// What should be seen.
    pub expected: String,
    /// The inputs that lead there, in their order.
    pub reproduce: Vec<String>,
}

/// The stage where a player first notices a fault, of both projects: PNGs in base64.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BugPictures {
    /// What is seen.
    pub seen: String,
    /// What should be seen.
    pub expected: String,
}
