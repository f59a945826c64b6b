//! What a fault is: where it lies, what puts it in and takes it out, and what explains it. Whoever is tested on it never sees that.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::instance::Difficulty;
use crate::project::edit::Edit;

/// Where a fault is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// The target's name; the stage is `Stage`.
    pub sprite_id: String,
    /// Id of the script's first block in the gold project.
    pub script: String,
    /// Id of the block that the fault is at, in the gold project.
    pub block_id: String,
    /// Script, place in its stack, and mouths around it.
    pub path: String,
}

/// What the right explanation of a fault is beside its pattern, as it was found when the fault was forged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CausalChain {
    /// The event of the script in which it acts, such as `broadcast:game over`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub primary: Option<String>,
    /// This event and the inputs that lead there.
    pub triggers: Vec<String>,
    /// What a player notices first, beside what the suite asserts.
    pub outcomes: Vec<ChainOutcome>,
}

/// Something that a player notices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChainOutcome {
    /// The signal of the traces, such as `Moth/visible`.
    pub signal: String,
    /// All deviations that are right for it, such as `missing`, the plainest first.
    pub deviations: Vec<String>,
}

/// Digests by which a suite and its traces can be told to be current.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TruthHashes {
    pub golden: String,
    pub buggy: String,
    /// What judged.
    pub engine: String,
}

/// How far the behaviour of a buggy project is from gold's, over all scenarios under the first seed: from 0, the same, to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FaultDrift {
    /// Of what people see and hear, and of the state of gold.
    pub behaviour: f64,
    /// Of all signals.
    pub all: f64,
    /// Why `behaviour` is 0, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What a fault is: never shown to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    pub format: u32,
    pub id: String,
    pub pattern: String,
    pub operator: String,
    pub difficulty: Difficulty,
    pub site: Site,
    /// From the gold project to the buggy one.
    pub forward: Vec<Edit>,
    /// Back again, to the byte.
    pub inverse: Vec<Edit>,
    /// What brings it about and what is seen of it; benchmarks that were made otherwise have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<CausalChain>,
    /// Signals that the state of gold is in, which drift counts beside what is seen and heard (section 5.5); where there are none, gold's
    /// facts tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub state_signals: Vec<String>,
    /// How far the fault's own behaviour is from gold's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<FaultDrift>,
    pub hashes: TruthHashes,
}
