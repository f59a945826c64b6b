//! The state that all connections share.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::error::ToolError;
use crate::benchmarks::repair::Desk;
use crate::benchmarks::tasks::Judging;
use crate::compile::ProjectSource;
use crate::model::{ErrorBody, Extras};
use crate::session::{AttemptLimits, SessionInfo, Sessions, Start, Viewer};
use crate::taskset::TaskSet;

/// Whether a caller with this `Authorization` header gets verdicts.
pub type MayJudge = Arc<dyn Fn(Option<&str>) -> Result<(), ErrorBody> + Send + Sync>;

/// The state that all connections share: sessions, tasks, and the judge.
pub struct Backend {
    /// The living sessions; those of other adapters too.
    pub sessions: Sessions,
    /// The tasks that can be attempted.
    pub tasks: TaskSet,
    /// Builds their initial projects.
    pub projects: ProjectSource,
    /// Judges what is handed in.
    pub judge: Arc<dyn Judging>,
    /// Decides which callers get verdicts.
    pub may_judge: MayJudge,
    /// The task of sessions that name none.
    pub task: Option<String>,
    /// Whether answers carry structured content, and tools their output schemas.
    pub structured: bool,
    /// Whether its sessions are extended.
    pub extended: bool,
    /// The faults that can be mended by patches, if there are any.
    pub desk: Option<Arc<Desk>>,
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Backend").field("sessions", &self.sessions).field("task", &self.task).finish_non_exhaustive()
    }
}

impl Backend {
    pub fn new(
        sessions: Sessions,
        tasks: TaskSet,
        projects: ProjectSource,
        judge: Arc<dyn Judging>,
        may_judge: MayJudge,
    ) -> Self {
        Self { sessions, tasks, projects, judge, may_judge, task: None, structured: false, extended: false, desk: None }
    }

    /// Sets the task of sessions that name none.
    ///
    /// # Errors
    /// When there is no such task.
    pub fn beginning_with(mut self, task: Option<String>) -> Result<Self, crate::taskset::TasksetError> {
        if let Some(task) = &task {
            self.tasks.find(task)?;
        }
        self.task = task;
        Ok(self)
    }

    /// Sends structured content as well. Some hosts then show their models nothing else, and so no picture.
    pub const fn sending_structure(mut self, structured: bool) -> Self {
        self.structured = structured;
        self
    }

    /// Begins extended sessions, with their additional tools.
    pub const fn extending(mut self, extended: bool) -> Self {
        self.extended = extended;
        self
    }

    /// Offers the faults of a benchmark, with tools of their own.
    pub fn offering_bugs(mut self, desk: Option<Arc<Desk>>) -> Self {
        self.desk = desk;
        self
    }

    /// Begins an attempt in a session of its own: at a task, or with the editor's default project; with reports or
    /// without; with its own lease or the server's.
    pub(super) async fn begin(
        &self,
        task: Option<&str>,
        report: bool,
        lease: Option<Duration>,
    ) -> Result<SessionInfo, ToolError> {
        Viewer::current().check_may_create()?;
        let start = match task {
            Some(task) => {
                let entry = self.tasks.find(task)?;
                self.sessions.check_place().await?;
                Start::attempting(&entry.task, self.projects.initial(entry).await?)
            }
            // Without limits, but `done` ends it too.
            None => Start { attempt: Some(AttemptLimits::default()), ..Start::default() },
        };
        let extras = Extras { extended: self.extended, report };
        Ok(self.sessions.create(Start { lease, extras, ..start }).await?)
    }
}
