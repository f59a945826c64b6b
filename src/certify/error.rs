//! Why a task cannot be checked at all. What speaks against a task is in its certificate.

use std::path::PathBuf;

use crate::model::{Blame, Coded};
use crate::project::ProjectError;
use crate::taskset::TasksetError;

#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// One of the task's project files is not a project.
    #[error("the {which} project of task `{task}` can't be used")]
    Project {
        task: String,
        /// `golden` or `initial`.
        which: &'static str,
        source: ProjectError,
    },
    /// The evaluation script can't be read.
    #[error(transparent)]
    Script(#[from] TasksetError),
    /// The list of reasons for equivalent mutants can't be read.
    #[error("{} is not an object of mutant names and reasons: {reason}", .path.display())]
    Reasons { path: PathBuf, reason: String },
}

impl Coded for CheckError {
    fn code(&self) -> &str {
        match self {
            Self::Project { .. } => "project_invalid",
            Self::Script(error) => error.code(),
            Self::Reasons { .. } => "bad_equivalence_reasons",
        }
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}
