//! What all connections share.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::attempt::Attempt;
use super::error::ToolError;
use crate::model::ErrorBody;
use crate::runner::{Judging, ProjectSource};
use crate::session::{Reach, Sessions, Start, Viewer};
use crate::taskset::TaskSet;

/// Says whether a caller with this `Authorization` header gets verdicts.
pub type MayJudge = Arc<dyn Fn(Option<&str>) -> Result<(), ErrorBody> + Send + Sync>;

/// What all connections share: sessions, tasks, and who judges.
pub struct Bench {
    /// The living sessions; those of other adapters too.
    pub sessions: Sessions,
    /// The tasks that can be attempted.
    pub tasks: TaskSet,
    /// Who builds their initial projects.
    pub projects: ProjectSource,
    /// Who judges what is handed in.
    pub judge: Arc<dyn Judging>,
    /// Who gets to know the verdict.
    pub may_judge: MayJudge,
    /// The task of a session that begins without one being asked for.
    pub task: Option<String>,
    /// Whether answers carry structured content, and tools their output schemas.
    pub structured: bool,
    attempts: Mutex<HashMap<String, Attempt>>,
}

impl fmt::Debug for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bench").field("sessions", &self.sessions).field("task", &self.task).finish_non_exhaustive()
    }
}

impl Bench {
    /// A bench without a task of its own.
    #[must_use]
    pub fn new(
        sessions: Sessions,
        tasks: TaskSet,
        projects: ProjectSource,
        judge: Arc<dyn Judging>,
        may_judge: MayJudge,
    ) -> Self {
        Self { sessions, tasks, projects, judge, may_judge, task: None, structured: false, attempts: Mutex::default() }
    }

    /// Sessions that begin without a task being asked for begin this one.
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
    #[must_use]
    pub const fn sending_structure(mut self, structured: bool) -> Self {
        self.structured = structured;
        self
    }

    /// Begins an attempt in a session of its own: at a task, or with the editor's default project.
    pub(super) async fn begin(&self, task: Option<&str>) -> Result<Attempt, ToolError> {
        let start = match task {
            Some(task) => {
                let entry = self.tasks.find(task)?;
                let project = Some(self.projects.initial(entry).await?);
                Start { project, task: Some(task.to_owned()), stage: entry.task.stage, ..Start::default() }
            }
            None => Start::default(),
        };
        let info = self.sessions.create(start).await?;
        let all = Viewer { owner: None, reach: Reach::End };
        let living: Vec<String> = all.scope(self.sessions.list()).await.into_iter().map(|info| info.id).collect();
        let attempt = Attempt { session: info.id, task: info.task, load: info.load, steps: 0, ended: None };
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        // Sessions that expired left theirs behind.
        attempts.retain(|session, _| living.contains(session));
        attempts.insert(attempt.session.clone(), attempt.clone());
        Ok(attempt)
    }

    /// The attempt of a session; one that another adapter created begins here.
    pub(super) async fn attempt(&self, session: &str) -> Result<Attempt, ToolError> {
        let info = self.sessions.inspect(session).await?;
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        let attempt = attempts.entry(info.id.clone()).or_insert_with(|| Attempt {
            session: info.id,
            task: info.task,
            load: info.load,
            steps: 0,
            ended: None,
        });
        Ok(attempt.clone())
    }

    /// Changes what is kept of an attempt.
    pub(super) fn note(&self, session: &str, change: impl FnOnce(&mut Attempt)) {
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(attempt) = attempts.get_mut(session) {
            change(attempt);
        }
    }

    /// Forgets an attempt, whose session has ended.
    pub(super) fn forget(&self, session: &str) {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }
}
