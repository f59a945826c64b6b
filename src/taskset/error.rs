//! Errors of a set of tasks.

use std::fmt;
use std::path::PathBuf;

use super::nearest::nearest;
use crate::model::{Blame, Coded, pluralise};

/// One fault in one file, in terms that help a task author to fix it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file at fault, relative to the root where that is possible.
    pub file: PathBuf,
    /// Path of the field in that file, such as `limits.steps`; empty for the file as a whole.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file.display())?;
        if !self.field.is_empty() {
            write!(f, "`{}`: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

/// Why tasks can't be read or selected.
#[derive(Debug, thiserror::Error)]
pub enum TasksetError {
    /// The folder `tasks` is missing or can't be listed.
    #[error("can't list the tasks in {folder}", folder = folder.display())]
    Unlistable { folder: PathBuf, source: std::io::Error },
    /// A folder that should be a task pack has no `pack.json`.
    #[error("{folder} is no task pack: it has no pack.json", folder = folder.display())]
    NoPack { folder: PathBuf },
    /// At least one task is not as the format wants it.
    #[error("{} in the tasks:{}", pluralise(problems.len(), "fault"), lines(problems))]
    Invalid {
        /// All faults found, in the order of the files.
        problems: Vec<Problem>,
    },
    /// No task has this name.
    #[error("there is no task `{id}`")]
    UnknownTask {
        id: String,
        known: Vec<String>,
        /// Whether a draft has the name, which belongs to no set.
        is_draft: bool,
    },
    #[error("there is no split `{name}`")]
    UnknownSplit { name: String, known: Vec<String> },
    /// A file of a task can't be read.
    #[error("can't read {file}", file = file.display())]
    Unreadable { file: PathBuf, source: std::io::Error },
}

impl Coded for TasksetError {
    fn code(&self) -> &str {
        match self {
            Self::Unlistable { .. } => "tasks_unlistable",
            Self::NoPack { .. } => "no_pack",
            Self::Invalid { .. } => "tasks_invalid",
            Self::UnknownTask { .. } => "unknown_task",
            Self::UnknownSplit { .. } => "unknown_split",
            Self::Unreadable { .. } => "task_file_unreadable",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Unlistable { .. } => Some("run it in the project's folder, where `tasks/` is".to_owned()),
            Self::NoPack { .. } => Some("`scratchbed task import` makes a pack".to_owned()),
            Self::UnknownTask { is_draft: true, .. } => Some("there is a draft of this name".to_owned()),
            Self::UnknownTask { id, known, .. } => Some(nearest("tasks", id, known)),
            Self::UnknownSplit { known, .. } => Some(format!("known splits: {}", known.join(", "))),
            Self::Invalid { .. } => Some("tasks/task.schema.json describes task.json".to_owned()),
            Self::Unreadable { .. } => None,
        }
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().fold(String::new(), |text, problem| text + "\n  " + &problem.to_string())
}
