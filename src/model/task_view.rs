//! A task as agents may see it: never its golden, evaluation script or oracle lists.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Category, Limits, StageSize, Task, TaskId};

/// What an agent may know of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TaskView {
    /// Unique name.
    pub id: TaskId,
    /// Which of the four kinds it is.
    pub category: Category,
    /// A few words for lists.
    pub title: String,
    /// What is to be done.
    pub instruction: String,
    /// How long it may take.
    pub limits: Limits,
    /// Size of the stage.
    pub stage: StageSize,
}

impl From<&Task> for TaskView {
    fn from(task: &Task) -> Self {
        Self {
            id: task.id.clone(),
            category: task.category,
            title: task.title.clone(),
            instruction: task.instruction.clone(),
            limits: task.limits,
            stage: task.stage,
        }
    }
}
