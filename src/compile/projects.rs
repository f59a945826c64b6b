//! The project file that a task starts from, whoever builds it.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::model::{Blame, Coded};
use crate::taskset::TaskEntry;

/// Why a task has no project file.
#[derive(Debug, thiserror::Error)]
pub enum ProjectSourceError {
    /// The project text has a fault.
    #[error("the project of task `{task}` can't be built: {reason}")]
    Unbuildable { task: String, reason: String },
    /// The editor that builds projects is in trouble.
    #[error("no editor could build the project of task `{task}`: {reason}")]
    Infrastructure { task: String, reason: String },
}

impl Coded for ProjectSourceError {
    fn code(&self) -> &str {
        match self {
            Self::Unbuildable { .. } => "task_unbuildable",
            Self::Infrastructure { .. } => "task_not_built",
        }
    }

    fn blame(&self) -> Blame {
        if matches!(self, Self::Unbuildable { .. }) { Blame::Input } else { Blame::Testbed }
    }
}

/// Makes the project file that an agent starts a task with. It knows nothing of goldens, so that a server
/// that has one can't give them away.
#[async_trait]
pub trait InitialProjects: Debug + Send + Sync {
    /// The .sb3 file of a task's initial project.
    ///
    /// # Errors
    /// When the text has a fault or the editor is in trouble.
    async fn initial(&self, task: &TaskEntry) -> Result<Vec<u8>, ProjectSourceError>;
}

/// Shared ownership of such a maker.
pub type ProjectSource = std::sync::Arc<dyn InitialProjects>;
