//! Where sessions live during an attempt: in this process or behind an HTTP server. The attempt is the same.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;

use crate::action::composite::perform_with_markdown;
use crate::action::perform;
use crate::action::scratchworld::perform_as_published;
use crate::agent::Observing;
use crate::compile::ProjectSource;
use crate::model::{ActionCall, ActionReply, Coded as _, ErrorBody, Extras, KeptPictures, Mode, StageSize};
use crate::session::{AttemptLimits, SessionError, SessionHandle, Sessions, Start};
use crate::taskset::TaskEntry;

use crate::compile::ProjectSourceError;

/// How long an export may take.
const EXPORT_LIMIT: std::time::Duration = std::time::Duration::from_secs(30);

/// The status with which a server says that a project can't be used.
const UNPROCESSABLE: u16 = 422;

/// Why a testbed did not do its part: its own trouble, unless the project that the agent made can't be exported.
#[derive(Debug, thiserror::Error)]
pub enum TestbedError {
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The task has no project file.
    #[error(transparent)]
    Project(#[from] ProjectSourceError),
    /// Other observations than our own are to be had in this process only.
    #[error("a server shows its sessions in its own way only, not as `{0}`")]
    NotNative(Observing),
    /// The server can't be reached, or answered nonsense.
    #[error("the server did not answer as it should")]
    Transport(#[source] reqwest::Error),
    #[error("the server answered {status} ({code}): {detail}")]
    Refused {
        status: u16,
        /// Stable code of the problem.
        code: String,
        detail: String,
    },
}

impl TestbedError {
    /// Whether the project that the agent made is why there is no export.
    pub fn is_the_projects(&self) -> bool {
        match self {
            Self::Session(SessionError::Project(_)) => true,
            Self::Refused { status, .. } => *status == UNPROCESSABLE,
            Self::Session(_) | Self::Project(_) | Self::NotNative(_) | Self::Transport(_) => false,
        }
    }

    /// The stable name of the situation.
    pub fn code(&self) -> &str {
        match self {
            Self::Session(error) => error.code(),
            Self::Project(error) => error.code(),
            Self::NotNative(_) => "no_published_observation",
            Self::Transport(_) => "server_unreachable",
            Self::Refused { code, .. } => code,
        }
    }

    /// The error as an agent sees it that may go on.
    pub(super) fn body(&self) -> ErrorBody {
        let (code, message) = (self.code().to_owned(), self.to_string());
        match self {
            Self::Session(error) => ErrorBody::of(error),
            Self::Project(_) | Self::NotNative(_) | Self::Transport(_) | Self::Refused { .. } => {
                ErrorBody { code, message, hint: None, infrastructure: true }
            }
        }
    }
}

/// Opens sessions for tasks.
#[async_trait]
pub trait Testbed: Debug + Send + Sync {
    /// A session with the task's initial project, for an agent that observes in this way. Its event log goes to the folder
    /// `log` if the session is in this process.
    ///
    /// # Errors
    /// When no session is available.
    async fn open(
        &self,
        task: &TaskEntry,
        observing: Observing,
        log: &Path,
    ) -> Result<Box<dyn TaskSession>, TestbedError>;
}

/// A session for one attempt.
#[async_trait]
pub trait TaskSession: Send {
    /// Carries out an action or observation.
    ///
    /// # Errors
    /// When the session is gone. A failed action is a reply.
    async fn call(&mut self, mode: Mode, call: &ActionCall) -> Result<ActionReply, TestbedError>;

    /// The project as it is now, as an .sb3 file.
    ///
    /// # Errors
    /// When the session is gone.
    async fn export(&mut self) -> Result<Vec<u8>, TestbedError>;

    /// The same, or the project as it was after the last call that the page has survived: what a new page would get.
    ///
    /// # Errors
    /// As [`Self::export`].
    async fn export_or_last(&mut self) -> Result<Vec<u8>, TestbedError> {
        self.export().await
    }

    async fn close(self: Box<Self>);
}

/// Sessions in this process.
#[derive(Debug)]
pub struct LocalTestbed {
    sessions: Sessions,
    projects: ProjectSource,
    pictures: KeptPictures,
    extras: Extras,
}

impl LocalTestbed {
    /// Over these sessions, whose logs have these pictures.
    pub fn new(sessions: Sessions, projects: ProjectSource, pictures: KeptPictures) -> Arc<Self> {
        Self::with(sessions, projects, pictures, Extras::default())
    }

    /// The same with what its sessions have beyond the published benchmark.
    pub fn with(sessions: Sessions, projects: ProjectSource, pictures: KeptPictures, extras: Extras) -> Arc<Self> {
        Arc::new(Self { sessions, projects, pictures, extras })
    }
}

#[async_trait]
impl Testbed for LocalTestbed {
    async fn open(
        &self,
        task: &TaskEntry,
        observing: Observing,
        log: &Path,
    ) -> Result<Box<dyn TaskSession>, TestbedError> {
        let project = self.projects.initial(task).await?;
        // A run has limits of its own, and keeps to them itself.
        let (pictures, extras) = (self.pictures, self.extras);
        let start = Start { attempt: None, pictures, extras, ..Start::attempting(&task.task, project) };
        let start = match observing {
            Observing::Native | Observing::Markdown => start,
            // The published runner makes the stage small before an agent's first turn.
            Observing::Published => Start { stage: StageSize::Small, ..start },
        };
        Ok(Box::new(self.begin(start, log, observing).await?))
    }
}

impl LocalTestbed {
    /// A session for a caller of another transport, marked with its owner and bound by limits of its own.
    ///
    /// # Errors
    /// As [`Testbed::open`].
    pub(super) async fn open_for(
        &self,
        task: &TaskEntry,
        limits: AttemptLimits,
        owner: &str,
        log: &Path,
    ) -> Result<LocalSession, TestbedError> {
        let project = self.projects.initial(task).await?;
        let start = Start {
            attempt: Some(limits),
            pictures: self.pictures,
            extras: self.extras,
            owner: Some(owner.to_owned()),
            ..Start::attempting(&task.task, project)
        };
        self.begin(start, log, Observing::Native).await
    }

    async fn begin(&self, start: Start, log: &Path, observing: Observing) -> Result<LocalSession, TestbedError> {
        let info = self.sessions.create_logged(start, Some(log.to_owned())).await?;
        let handle = self.sessions.get(&info.id).await?;
        Ok(LocalSession { sessions: self.sessions.clone(), handle, observing })
    }

    /// Its sessions, for a server over them.
    pub const fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// Where its projects come from.
    pub fn projects(&self) -> ProjectSource {
        self.projects.clone()
    }
}

pub(super) struct LocalSession {
    sessions: Sessions,
    handle: SessionHandle,
    observing: Observing,
}

impl LocalSession {
    pub(super) const fn handle(&self) -> &SessionHandle {
        &self.handle
    }
}

#[async_trait]
impl TaskSession for LocalSession {
    async fn call(&mut self, mode: Mode, call: &ActionCall) -> Result<ActionReply, TestbedError> {
        Ok(match self.observing {
            Observing::Native => perform(&self.handle, mode, call.clone()).await?,
            Observing::Published => perform_as_published(&self.handle, mode, call.clone()).await?,
            Observing::Markdown => perform_with_markdown(&self.handle, call.clone()).await?,
        })
    }

    async fn export(&mut self) -> Result<Vec<u8>, TestbedError> {
        let project = self.handle.run(EXPORT_LIMIT, |live| Box::pin(live.export())).await??;
        Ok(project.write().map_err(SessionError::from)?)
    }

    async fn export_or_last(&mut self) -> Result<Vec<u8>, TestbedError> {
        let project = self.handle.run(EXPORT_LIMIT, |live| Box::pin(live.export_or_last())).await??;
        Ok(project.write().map_err(SessionError::from)?)
    }

    async fn close(self: Box<Self>) {
        // An attempt is complete when its log is.
        if let Err(error) = self.sessions.end(self.handle).await {
            tracing::debug!(%error, "the session was gone already");
        }
    }
}
