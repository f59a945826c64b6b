//! The initial project file of a task, independent of how it is built.

use std::fmt::Debug;

use async_trait::async_trait;

use super::error::BuildError;
use crate::model::{Blame, Coded, TaskId};
use crate::taskset::TaskEntry;

/// Why a task has no project file: its text has a fault, or the editor that builds it is in trouble.
#[derive(Debug, thiserror::Error)]
#[error("the project of task `{task}` can't be built")]
pub struct ProjectSourceError {
    pub task: TaskId,
    pub source: BuildError,
}

impl Coded for ProjectSourceError {
    fn code(&self) -> &str {
        if self.source.is_broken() { "task_not_built" } else { "task_unbuildable" }
    }

    fn blame(&self) -> Blame {
        self.source.blame()
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_task_that_was_not_built_in_time_may_be_asked_for_again() {
        let failed = |source| ProjectSourceError { task: "stuck_ferry".parse().unwrap(), source };
        let slow = failed(BuildError::TooSlow { path: None, lines: 9, limit: Duration::from_secs(60) });
        assert_eq!((slow.code(), slow.blame()), ("task_not_built", Blame::Testbed));
        assert_eq!(failed(BuildError::NoPicture).code(), "task_unbuildable");
    }
}
