//! What the handlers share.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::access::Access;
use super::bodies::Bodies;
use super::editor::EditorFiles;
use super::live::looks::Looks;
use super::metrics::Metrics;
use crate::benchmarks::tasks::LocalJudge;
use crate::compile::{ProjectSource, Stages};
use crate::judge::Judges;
use crate::recording::playback::SessionAttempts;
use crate::session::Sessions;
use crate::store::Runs;
use crate::taskset::TaskSet;

/// How long calls in flight may go on once the server is told to stop; after that their browsers go.
pub const GRACE: Duration = Duration::from_secs(10);

/// Projects judged at the same time; more wait their turn.
const JUDGES: usize = 2;

/// What the API serves.
#[derive(Debug)]
pub struct Api {
    /// The living sessions.
    pub sessions: Sessions,
    /// The tasks that a session can be created for.
    pub tasks: TaskSet,
    /// Who builds their initial projects.
    pub projects: ProjectSource,
    /// The editor for a person.
    pub editor: EditorFiles,
    /// Who may call.
    pub access: Access,
    /// The pages in which projects are judged, of the same fleet as the sessions'.
    pub judges: Judges,
    /// Who judges in them what agents made.
    pub judge: Arc<LocalJudge>,
    /// What is counted.
    pub(super) metrics: Metrics,
    /// Room for the bodies of requests.
    pub(super) bodies: Bodies,
    /// The last looks at watched sessions.
    pub(super) looks: Looks,
    /// The finished runs to show, if any.
    pub(super) runs: OnceLock<Runs>,
    /// What agents from outside did in sessions.
    pub(super) attempts: SessionAttempts,
    /// Files of attempts that are made at the same time.
    pub(super) files: Semaphore,
    /// Pictures of the stages that tasks begin with, if they are drawn.
    pub(super) stages: OnceLock<Stages>,
    /// The port of the editor for a person, if there is one.
    pub(super) editor_port: OnceLock<u16>,
    /// Routes of adapters that are not this room's.
    pub(super) mounted: OnceLock<Router>,
    /// Calls in flight.
    pub(super) calls: TaskTracker,
    /// Set once the server is told to stop.
    pub(super) closing: CancellationToken,
}

/// The shared state, as axum hands it to handlers.
pub type AppState = Arc<Api>;

impl Api {
    /// The state of a server that has just started.
    #[must_use]
    pub fn new(
        sessions: Sessions,
        tasks: TaskSet,
        projects: ProjectSource,
        editor: EditorFiles,
        access: Access,
    ) -> AppState {
        let (calls, closing) = (TaskTracker::new(), CancellationToken::new());
        let metrics = Metrics::of(&sessions);
        let judges = Judges::new(sessions.fleet().clone(), JUDGES);
        let judge = LocalJudge::with(judges.clone());
        let attempts = SessionAttempts::new(sessions.clone());
        let (looks, runs, mounted) = (Looks::default(), OnceLock::new(), OnceLock::new());
        Arc::new(Self {
            sessions,
            tasks,
            projects,
            editor,
            access,
            judges,
            judge,
            metrics,
            bodies: Bodies::default(),
            looks,
            runs,
            attempts,
            files: Semaphore::new(1),
            stages: OnceLock::new(),
            editor_port: OnceLock::new(),
            mounted,
            calls,
            closing,
        })
    }

    /// Shows the finished runs of a folder; to be said once, before serving.
    pub fn show_runs(&self, runs: Runs) {
        // A second folder is no case that occurs: the first one stays.
        let _ = self.runs.set(runs);
    }

    /// Draws the stages that tasks begin with; to be said once, before serving.
    pub fn draw_stages(&self, stages: Stages) {
        let _ = self.stages.set(stages);
    }

    /// Says where [`super::editor_app`] is served, for links to it; to be said once, before serving.
    pub fn editor_at(&self, port: u16) {
        let _ = self.editor_port.set(port);
    }

    /// Adds the routes of another adapter, behind the same checks as all others. Their errors stay in their own
    /// words. Once only, before serving; further calls change nothing.
    pub fn mount(&self, routes: Router) {
        let _ = self.mounted.set(routes);
    }

    /// Refuses new calls, lets those in flight finish within [`GRACE`], then ends sessions and browsers.
    pub async fn drain(&self) {
        self.closing.cancel();
        self.calls.close();
        if tokio::time::timeout(GRACE, self.calls.wait()).await.is_err() {
            tracing::warn!(calls = self.calls.len(), "calls in flight are broken off");
        }
        self.judges.close().await;
        self.sessions.shutdown().await;
    }
}
