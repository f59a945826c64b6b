//! The reference record of a project: what it is for, and what can be seen of it (ScratchEval, section 2.8). It says nothing of a fault
//! or a fix. How one is drafted is not known here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a project is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceRecord {
    /// Version of the format, 1.
    pub format: u32,
    /// The project's name in its pool.
    pub project: String,
    pub status: RecordStatus,
    /// Who confirmed it.
    #[serde(default)]
    pub by: Vec<String>,
    /// `game`, `animation`, `story` or `simulation`; people say which.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub genre: Option<String>,
    pub tags: Vec<String>,
    pub goal: Goal,
    pub sprites: Vec<Role>,
    /// The dominant loop of interaction: events and signals, such as `green_flag`, `key:space`, `touch:owl:moth`, `variable:score`.
    #[serde(rename = "loop")]
    pub cycle: Vec<String>,
    /// What a person can set off.
    pub hooks: Vec<Hook>,
    /// Signals that the state of the program is in, at most 24.
    pub state_signals: Vec<String>,
}

/// Whether a person has looked at a record. Only confirmed ones are scored with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RecordStatus {
    Draft,
    Confirmed,
}

/// What somebody who uses the program is after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    pub text: String,
    /// Groups of words; of each a description has one.
    pub terms: Vec<Vec<String>>,
}

/// What a sprite is there for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Role {
    pub name: String,
    /// `player`, `control`, `target` or `actor`.
    pub role: String,
    pub primary: bool,
}

/// An event that a person can set off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hook {
    /// Such as `key:right_arrow`.
    pub event: String,
    /// The targets that it sets off something in.
    pub sprites: Vec<String>,
    /// What was seen of it under all seeds.
    pub outcomes: Vec<SeenChange>,
}

/// A change of a signal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenChange {
    /// Such as `Lantern/x` or `events/broadcast:game over`.
    pub signal: String,
    pub change: Change,
}

/// How a signal changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    Increases,
    Decreases,
    /// It has another value, or takes several.
    Changes,
    /// It happens.
    Happens,
}
