//! A task as agents may see it: never its golden, evaluation script or oracle lists.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Category, Limits, Mode, ModeLimits, StageSize, Task, TaskId};

/// What an agent may know of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TaskView")]
pub struct TaskView<L = Limits> {
    /// Unique name.
    pub id: TaskId,
    /// Which of the four kinds it is.
    pub category: Category,
    /// A few words for lists.
    pub title: String,
    /// What is to be done.
    pub instruction: String,
    /// How long it may take.
    pub limits: L,
    /// Size of the stage.
    pub stage: StageSize,
}

/// What an agent may know of a task that it attempts in one mode.
pub type ModeTaskView = TaskView<ModeLimits>;

impl TaskView {
    /// A task for agents of either mode.
    pub fn of(task: &Task) -> Self {
        Self::limited(task, task.limits)
    }
}

impl ModeTaskView {
    /// A task for an agent that acts in this mode.
    pub fn in_mode(task: &Task, mode: Mode) -> Self {
        Self::limited(task, task.limits.of(mode))
    }
}

impl<L> TaskView<L> {
    fn limited(task: &Task, limits: L) -> Self {
        Self {
            id: task.id.clone(),
            category: task.category,
            title: task.title.clone(),
            instruction: task.instruction.clone(),
            limits,
            stage: task.stage,
        }
    }
}
