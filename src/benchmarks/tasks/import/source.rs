//! The foreign task files as they are, and their conversion.

use serde::Deserialize;
use serde_json::Value;

use crate::model::{Category, Limits, StageSize, StepLimits, Task, TaskId};

/// What agents and scripts may take. Steps are the paper's (section 4), in either mode. The scripts keep limits of their own, the
/// largest of one case 30 s, the largest sum 150 s; ours only end what does not end by itself. Project time.
const LIMITS: Limits = Limits { steps: StepLimits::same(50), wall_s: 1800, case_ms: 60_000, task_ms: 240_000 };

/// `tasks/<type>/<name>.json`. Unknown fields are skipped: the format is not ours.
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

    /// Our form of the task. The reference makes the stage small before each task, so ours is.
    pub fn to_task(&self, id: &TaskId, category: Category) -> Task {
        Task {
            format: 1,
            id: id.clone(),
            category,
            title: self.title(),
            instruction: self.instruction.clone(),
            base: None,
            initial: "initial.sb3".to_owned(),
            golden: "golden.sb3".to_owned(),
            evaluation: id.to_string(),
            oracle: None,
            limits: LIMITS,
            stage: StageSize::Small,
            seeds: vec![1],
            difficulty: None,
            concepts: Vec::new(),
            expected_changed_blocks: None,
            second_solutions: Vec::new(),
            slow_solutions: Vec::new(),
        }
    }
}
