//! A task as `tasks/<category>/<id>/task.json` holds it.
//!
//! Reading and checking files is the `taskset` room's work.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{AsRefStr, Display, EnumIter, EnumMessage, EnumString, IntoStaticStr, VariantNames};

use super::Mode;

/// The four task categories (paper, section 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(AsRefStr, Display, EnumIter, EnumMessage, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Category {
    /// Build a program from one sprite and no code.
    Create,
    /// Find and fix an injected fault.
    Debug,
    /// Add behaviour to a working program and keep the old.
    Extend,
    /// Compute a result from answers or lists.
    Compute,
}

/// A task's name: lower-case letters, digits and underscores, at most 64 of them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct TaskId(String);

/// A text that can't be a task's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no task id: use 1 to 64 lower-case letters, digits and underscores")]
pub struct TaskIdError(String);

impl TaskId {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TaskId {
    type Err = TaskIdError;

    fn from_str(text: &str) -> Result<Self, TaskIdError> {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if (1..=64).contains(&text.len()) && text.chars().all(allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err(TaskIdError(text.to_owned()))
        }
    }
}

impl TryFrom<String> for TaskId {
    type Error = TaskIdError;

    fn try_from(text: String) -> Result<Self, TaskIdError> {
        text.parse()
    }
}

impl From<TaskId> for String {
    fn from(id: TaskId) -> Self {
        id.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProjectVersion {
    /// What agents start from.
    Initial,
    Golden,
}

/// Size of the stage while a task is worked on and judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StageSize {
    /// 480 x 360 CSS pixels.
    #[default]
    Large,
    /// 240 x 180 CSS pixels.
    Small,
}

/// Actions an agent may take, by how it acts: a block costs one or two calls, and three or more moves of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepLimits {
    /// Operations on blocks.
    pub composite: u32,
    /// Inputs with mouse and keyboard.
    pub primitive: u32,
}

impl StepLimits {
    /// The same number in both modes.
    pub const fn same(steps: u32) -> Self {
        Self { composite: steps, primitive: steps }
    }

    /// The number for one mode.
    pub const fn of(self, mode: Mode) -> u32 {
        match mode {
            Mode::Composite => self.composite,
            Mode::Primitive => self.primitive,
        }
    }
}

impl StageSize {
    /// Whether it is the usual size.
    pub const fn is_large(&self) -> bool {
        matches!(self, Self::Large)
    }
}

/// How long a task may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// How often an agent may decide: actions, with `done` or `failed` among them.
    pub steps: StepLimits,
    /// Wall-clock seconds an attempt may last.
    pub wall_s: u32,
    /// Project time of one judged case, in milliseconds.
    pub case_ms: u32,
    /// Project time of the whole evaluation, in milliseconds.
    pub task_ms: u32,
}

impl Limits {
    /// What holds for an agent that acts in this mode.
    pub const fn of(self, mode: Mode) -> ModeLimits {
        ModeLimits { steps: self.steps.of(mode), wall_s: self.wall_s, case_ms: self.case_ms, task_ms: self.task_ms }
    }
}

/// The limits of a task for an agent that acts in one mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModeLimits {
    /// How often it may decide: actions, with `done` or `failed` among them.
    pub steps: u32,
    /// Wall-clock seconds an attempt may last.
    pub wall_s: u32,
    /// Project time of one judged case, in milliseconds.
    pub case_ms: u32,
    /// Project time of the whole evaluation, in milliseconds.
    pub task_ms: u32,
}

/// Where the oracle's action lists are, relative to the task's folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OracleFiles {
    /// A JSON array of composite calls that solves the task.
    pub composite: String,
    /// A JSON array of primitive calls that solves the task.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub primitive: Option<String>,
}

impl OracleFiles {
    /// The list for one mode.
    pub const fn of(&self, mode: Mode) -> Option<&String> {
        match mode {
            Mode::Composite => Some(&self.composite),
            Mode::Primitive => self.primitive.as_ref(),
        }
    }
}

/// One benchmark task. Paths are relative to the folder of its `task.json`, or else to its base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Version of this format; 1.
    pub format: u32,
    /// Unique name; equals the folder's.
    pub id: TaskId,
    /// Which of the four kinds it is; equals the parent folder's name.
    pub category: Category,
    /// A few words for lists.
    pub title: String,
    /// The instruction that the agent gets.
    pub instruction: String,
    /// A project in `tasks/bases` whose texts and assets the task uses where it has none of its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub base: Option<TaskId>,
    /// The project the agent starts from, as project text or as an .sb3 file.
    pub initial: String,
    /// A project that solves the task, as project text or as an .sb3 file.
    pub golden: String,
    /// Name of the judge: `eval-scripts/<evaluation>.js`.
    pub evaluation: String,
    /// Action lists that solve the task; only imported tasks may have none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub oracle: Option<OracleFiles>,
    /// How long it may take.
    pub limits: Limits,
    /// Size of the stage.
    #[serde(default)]
    pub stage: StageSize,
    /// Seeds for the judge's random streams.
    pub seeds: Vec<u64>,
    /// 1 (easy) to 5 (hard); only imported tasks may leave it open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub difficulty: Option<u8>,
    /// Programming ideas that the task exercises; only imported tasks may name none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub concepts: Vec<String>,
    /// Blocks a good solution adds, changes or removes; only imported tasks may leave it open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected_changed_blocks: Option<u32>,
    /// Other correct solutions, as project text or as .sb3 files.
    #[serde(default)]
    pub second_solutions: Vec<String>,
    /// Correct solutions that are as slow as the instruction allows, as project text or as .sb3 files.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub slow_solutions: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_ids_cannot_leave_their_folder() {
        assert!("count_to_ten".parse::<TaskId>().is_ok());
        for bad in ["", "../x", "A", "a/b", "a b", &"x".repeat(65)] {
            assert!(bad.parse::<TaskId>().is_err(), "{bad}");
        }
    }
}
