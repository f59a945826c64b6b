//! The request and reply of one action, the same over every transport.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::coded::{Blame, Coded};

/// An action by name with its arguments: the envelope of paper appendices D and E.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionCall {
    /// The action's name, such as `click` or `add_block`.
    pub api: String,
    /// Its arguments; an absent object is an empty one.
    #[serde(default)]
    pub args: Map<String, Value>,
    /// The id of the observation that the action was decided on. When it is given and no longer the newest, the
    /// action is refused instead of hitting what has taken the place of what was seen.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub observation: Option<String>,
    /// Why the agent does this, in its own words, for people who watch: live and in the record. Nothing depends on it;
    /// what is longer than 4000 characters is cut.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// Whether the reply's data is to have a `report` of what the action met and changed; as in the session when
    /// absent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub report: Option<bool>,
}

impl ActionCall {
    /// A call that names no observation.
    pub fn new(api: impl Into<String>, args: Map<String, Value>) -> Self {
        Self { api: api.into(), args, observation: None, note: None, report: None }
    }
}

/// The answer to every action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ActionReply {
    /// Whether the action was carried out in full.
    pub success: bool,
    /// The call as it came in. Its caller knows it, so it is not sent back.
    #[serde(skip)]
    pub requested_action: ActionCall,
    /// The call as it was carried out: defaults filled in, indexes resolved to coordinates.
    pub executed_action: ActionCall,
    /// What the action returns; an empty object when it returns nothing.
    pub data: Value,
    /// Why it failed; absent on success.
    pub error: Option<ErrorBody>,
    /// Where the time went.
    pub timing: Timing,
    /// How many actions the attempt has left in this mode; absent where they are not bounded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub steps_left: Option<u32>,
}

/// A failure as an agent sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct ErrorBody {
    /// Stable, machine-readable name of the situation.
    pub code: String,
    /// What happened.
    pub message: String,
    /// What to do about it, when that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
    /// Whether this is an infrastructure error, such as a lost page, which no score counts.
    #[serde(default)]
    pub infrastructure: bool,
}

impl ErrorBody {
    /// An error as the agent sees it. An agent answers for its calls alone; everything else is the testbed's
    /// responsibility.
    pub fn of(error: &impl Coded) -> Self {
        Self {
            code: error.code().to_owned(),
            message: error.to_string(),
            hint: error.hint(),
            infrastructure: error.blame() != Blame::Caller,
        }
    }
}

impl Coded for ErrorBody {
    fn code(&self) -> &str {
        &self.code
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }

    fn blame(&self) -> Blame {
        if self.infrastructure { Blame::Testbed } else { Blame::Caller }
    }
}

/// Where an action's time went, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    /// Waiting for a turn before the action began; no part of the other two.
    #[serde(default)]
    pub wait_ms: f64,
    /// Carrying out the action itself.
    pub action_ms: f64,
    /// Waiting for the editor to settle.
    pub settle_ms: f64,
    /// Why the waiting ended.
    pub settle: SettleReason,
}

/// Why the wait after an action ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettleReason {
    /// Nothing was left to happen: no queued render or event, the palette at rest.
    Quiet,
    /// The deadline passed while something still moved.
    Deadline,
    /// The action changes nothing that would need a wait, or failed before it could.
    Skipped,
}
