//! What a model says of a fault, read tolerantly: what is missing or misspelt counts as wrong, and only an answer without its JSON is
//! unreadable (ScratchEval, section 6.1).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::mend::json_values;

/// Triggers of an answer that count.
pub const MOST_TRIGGERS: usize = 5;

/// A global summary and an explanation of the fault.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Explanation {
    pub summary: Summary,
    pub bug: Bug,
    pub narrative: String,
}

/// What the project is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Summary {
    pub goal: String,
    /// The sprites that matter.
    pub sprites: Vec<Named>,
    /// The main loop of interaction, as events.
    #[serde(rename = "loop")]
    pub cycle: Vec<String>,
}

/// A sprite with what it is there for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Named {
    pub name: String,
    pub role: String,
}

/// Trigger, mechanism, outcome.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Bug {
    pub trigger: String,
    /// All triggers, the first five count.
    pub triggers: Vec<String>,
    /// One of the eight tags.
    pub mechanism: String,
    pub outcome: Seen,
}

/// What is seen of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Seen {
    /// Such as `variable:score`.
    pub signal: String,
    /// Such as `not_reset`.
    pub deviation: String,
}

/// Why there is no explanation in an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unexplained {
    #[error("there is no explanation in the answer")]
    Nothing,
    #[error("the answer has {0} different explanations")]
    Several(usize),
    #[error("the explanation has another shape: {0}")]
    Shape(String),
}

/// Reads an answer.
///
/// # Errors
/// When there is no object with `bug` in it, or two that differ.
pub fn read_explanation(text: &str) -> Result<Explanation, Unexplained> {
    let (values, _) = json_values(text);
    let mut found: Vec<Explanation> = Vec::new();
    for value in values.iter().filter(|value| value.get("bug").is_some_and(Value::is_object)) {
        let read = Explanation::deserialize(value).map_err(|error| Unexplained::Shape(error.to_string()))?;
        if !found.contains(&read) {
            found.push(read);
        }
    }
    match found.len() {
        0 => Err(Unexplained::Nothing),
        1 => Ok(found.remove(0)),
        several => Err(Unexplained::Several(several)),
    }
}
