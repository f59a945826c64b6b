//! Why a task cannot be checked at all. What speaks against a task is in its certificate.

use std::path::PathBuf;

use crate::project::ProjectError;
use crate::taskset::TasksetError;

/// Errors of a check.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// One of the task's projects is none.
    #[error("the {which} project of task `{task}` can't be used")]
    Project {
        /// The task.
        task: String,
        /// `golden` or `initial`.
        which: &'static str,
        /// Why.
        source: ProjectError,
    },
    /// The evaluation script can't be read.
    #[error(transparent)]
    Script(#[from] TasksetError),
    /// The list of reasons for equivalent mutants can't be read.
    #[error("{} is no object of mutant names and reasons: {reason}", .path.display())]
    Reasons {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl CheckError {
    /// The stable name of the situation.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Project { .. } => "project_invalid",
            Self::Script(error) => error.code(),
            Self::Reasons { .. } => "bad_equivalence_reasons",
        }
    }
}
