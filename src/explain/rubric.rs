//! The scale of free explanations, 1 to 5 (ScratchEval, section 6.5). Who rates sees the rubric, the truth in words and the explanation, and
//! never who wrote it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::truth::Explained;
use crate::bugs::Instance;
use crate::mend::json_values;

/// A rating with what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rated {
    /// 1 to 5.
    pub score: u8,
    #[serde(default)]
    pub evidence: String,
}

/// Why there is no rating in an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RubricError {
    #[error("there is no rating in the answer")]
    Nothing,
    #[error("a rating is 1 to 5, not {0}")]
    Range(u8),
}

/// Reads a rating: the last object with a score.
///
/// # Errors
/// When there is none, or one off the scale.
pub fn read_rating(text: &str) -> Result<Rated, RubricError> {
    let (values, _) = json_values(text);
    let rated = values.iter().rev().find_map(|value| Rated::deserialize(value).ok()).ok_or(RubricError::Nothing)?;
    if (1..=5).contains(&rated.score) { Ok(rated) } else { Err(RubricError::Range(rated.score)) }
}

/// The truth as whoever rates reads it.
pub fn truth_in_words(instance: &Instance, truth: &Explained) -> String {
    let list = |items: Vec<String>| items.join(", ");
    let triggers = list(truth.triggers.iter().map(ToString::to_string).collect());
    let outcomes = list(truth.outcomes.iter().map(|one| format!("{} {}", one.signal, one.deviation)).collect());
    let site = &instance.truth.site;
    let repair = serde_json::json!(instance.truth.inverse);
    format!(
        "Trigger: {triggers}\nMechanism: {} (in a script of {})\nOutcome: {outcomes}\nSeen: {} Expected: {}\nRepair: {repair}",
        truth.mechanism, site.sprite_id, instance.report.symptom, instance.report.expected
    )
}
