//! The initial project file of a task, independent of how it is built.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::taskset::TaskEntry;

/// Why a task has no project file.
#[derive(Debug, thiserror::Error)]
pub enum ProjectSourceError {
    /// The project text has a fault.
    #[error("the project of task `{task}` can't be built: {reason}")]
    Unbuildable {
        /// The task.
        task: String,
        /// What is wrong with its text.
        reason: String,
    },
    /// The editor that builds projects is in trouble.
    #[error("no editor could build the project of task `{task}`: {reason}")]
    Infrastructure {
        /// The task.
        task: String,
        /// What went wrong.
        reason: String,
    },
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
