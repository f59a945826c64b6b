//! Why there is no verdict at all.

use crate::project::ProjectError;
use crate::taskset::TasksetError;

/// Errors of the judge room. What goes wrong while a script runs is a verdict, not an error.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The file is no project that could be judged.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The VM could not load the project.
    #[error("the project can't be loaded: {message}")]
    Unloadable {
        /// What the VM said.
        message: String,
    },
    /// The evaluation script can't be read.
    #[error(transparent)]
    Script(#[from] TasksetError),
}

impl JudgeError {
    /// Stable, machine-readable name of the situation, where the cause has none of its own.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Project(_) => "project_invalid",
            Self::Unloadable { .. } => "project_unloadable",
            Self::Script(error) => error.code(),
        }
    }
}
