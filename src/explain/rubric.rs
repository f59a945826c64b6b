//! The scale of free explanations, 1 to 5 (ScratchEval, section 6.5). Who rates sees the rubric, the truth in words and the explanation, and
//! never who wrote it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{Bug, Explanation};
use super::truth::Explained;
use crate::agent::Prompt;
use crate::bugs::Instance;
use crate::mend::json_values;
use crate::prompt;

/// What a model that rates is told; its scale is the one that people see.
pub(super) const RUBRIC: Prompt = prompt!("rubric-system.md");

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

/// A score and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Level {
    pub score: u8,
    pub means: String,
}

/// The scale, from 1 to 5.
pub fn rubric() -> Vec<Level> {
    let level = |line: &str| {
        let (score, means) = line.split_once(": ")?;
        Some(Level { score: score.parse().ok()?, means: means.to_owned() })
    };
    RUBRIC.text.lines().filter_map(level).collect()
}

/// What whoever rates reads of an explanation: the narrative, or what is said of the fault where there is none.
pub fn explanation_in_words(said: &Explanation) -> String {
    let narrative = said.narrative.trim();
    if !narrative.is_empty() {
        return narrative.to_owned();
    }
    let Bug { trigger, triggers, mechanism, outcome } = &said.bug;
    let known = |text: &str| if text.trim().is_empty() { "(nothing)".to_owned() } else { text.trim().to_owned() };
    let others: Vec<&str> = triggers.iter().map(String::as_str).filter(|other| *other != trigger).collect();
    let others = if others.is_empty() { String::new() } else { format!(" (also {})", others.join(", ")) };
    let outcome = format!("{} {}", outcome.signal, outcome.deviation);
    format!("Trigger: {}{others}\nMechanism: {}\nOutcome: {}", known(trigger), known(mechanism), known(&outcome))
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
