//! The foreign task files, as they are.

use serde::Deserialize;
use serde_json::Value;

/// `tasks/<type>/<name>.json`. Fields that nobody knows are passed over: the format is not ours.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct SourceTask {
    pub name: String,
    #[serde(default)]
    pub description: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub instruction: String,
    pub initial_project: String,
    #[serde(default)]
    pub evaluation: Evaluation,
}

/// How the reference judges it.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Evaluation {
    /// Equals the task's name; the reference looks the script up by the latter.
    #[serde(default)]
    pub function: Option<String>,
    /// Seconds; ignored by the reference.
    #[serde(default)]
    pub timeout: Option<u64>,
    /// Never read by the reference: the scripts carry their own.
    #[serde(default)]
    pub test_cases: Vec<Value>,
}

impl SourceTask {
    /// A few words for lists: the first sentence of the description, or the name.
    pub fn title(&self) -> String {
        let first = self.description.split(". ").next().unwrap_or_default().trim().trim_end_matches('.');
        if first.is_empty() { self.name.replace('_', " ") } else { first.to_owned() }
    }
}
