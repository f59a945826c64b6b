//! Why there is no verdict at all.

use crate::model::{Blame, Coded};
use crate::project::ProjectError;
use crate::taskset::TasksetError;

/// Errors of the judge room. What goes wrong while a script runs is a verdict, not an error.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The file is not a project that can be judged.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The VM could not load the project.
    #[error("the project can't be loaded: {message}")]
    Unloadable { message: String },
    /// The evaluation script can't be read.
    #[error(transparent)]
    Script(#[from] TasksetError),
}

impl Coded for JudgeError {
    fn code(&self) -> &str {
        match self {
            Self::Project(_) => "project_invalid",
            Self::Unloadable { .. } => "project_unloadable",
            Self::Script(error) => error.code(),
        }
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}
