//! What the handlers share.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::access::Access;
use super::experiments::{Host, Watched};
use super::extract::bodies::Bodies;
use super::live::states::LiveStates;
use super::metrics::Metrics;
use super::routes::editor::EditorFiles;
use crate::benchmarks::repair::Desk;
use crate::benchmarks::tasks::LocalJudge;
use crate::benchmarks::trajectories::RepairHost;
use crate::compile::{ProjectSource, Stages};
use crate::judge::Judges;
use crate::ledger::Ledger;
use crate::recording::playback::SessionAttempts;
use crate::session::{Fleet, Sessions};
use crate::store::Runs;
use crate::taskset::TaskSet;

/// How long calls in flight may go on once the server is asked to stop; then their browsers are closed.
pub const GRACE: Duration = Duration::from_secs(10);

/// Projects judged at the same time; more wait their turn.
const JUDGES: usize = 2;

#[derive(Debug)]
pub struct Api {
    pub sessions: Sessions,
    /// The tasks that a session can be created for.
    pub tasks: TaskSet,
    /// Builds their initial projects.
    pub projects: ProjectSource,
    /// The editor for a person.
    pub editor: EditorFiles,
    pub access: Access,
    /// The pages in which projects are judged, of the same fleet as the sessions'.
    pub judges: Judges,
    /// Judges in them what agents made.
    pub judge: Arc<LocalJudge>,
    pub(super) metrics: Metrics,
    /// Room for the bodies of requests.
    pub(super) bodies: Bodies,
    /// The last looks at watched sessions.
    pub(super) live_states: LiveStates,
    /// The finished runs to show, if any.
    pub(super) runs: Option<Runs>,
    /// The ledger whose experiments are shown, if any.
    pub(super) ledger: Option<Ledger>,
    /// Who watches its experiments, and what they are shown.
    pub(super) watched: Watched,
    /// What runs experiments that are created here, if anything does.
    pub(super) host: Option<Arc<dyn Host>>,
    /// What makes the repairs that are asked for here, if anything does.
    pub(super) repairs: Option<Arc<dyn RepairHost>>,
    /// What agents from outside did in sessions.
    pub(super) attempts: SessionAttempts,
    /// Files of attempts that are made at the same time.
    pub(super) files: Semaphore,
    /// Pictures of the stages that tasks begin with, if they are drawn.
    pub(super) stages: Option<Stages>,
    /// The faults that agents of their own may mend, if there are any.
    pub desk: Option<Arc<Desk>>,
    /// The browsers for judging and building, if they are not those of the sessions.
    pub(super) workshop: Option<Fleet>,
    /// The port of the editor for a person, if there is one.
    pub(super) editor_port: Option<u16>,
    /// Routes of adapters that are not this room's.
    pub(super) mounted: Router,
    pub(super) calls: TaskTracker,
    /// Cancelled once the server is asked to stop.
    pub(super) closing: CancellationToken,
}

/// The shared state, as axum hands it to handlers.
pub type AppState = Arc<Api>;

impl Api {
    /// The state of a server with no optional parts; an [`AppState`] is made from it.
    pub fn new(
        sessions: Sessions,
        tasks: TaskSet,
        projects: ProjectSource,
        editor: EditorFiles,
        access: Access,
    ) -> Self {
        let judges = Judges::new(sessions.fleet().clone(), JUDGES);
        Self {
            tasks,
            projects,
            editor,
            access,
            judge: LocalJudge::with(judges.clone()),
            judges,
            metrics: Metrics::of(&sessions),
            bodies: Bodies::default(),
            live_states: LiveStates::default(),
            runs: None,
            ledger: None,
            watched: Watched::default(),
            host: None,
            repairs: None,
            attempts: SessionAttempts::new(sessions.clone()),
            files: Semaphore::new(1),
            stages: None,
            desk: None,
            workshop: None,
            editor_port: None,
            mounted: Router::new(),
            calls: TaskTracker::new(),
            closing: CancellationToken::new(),
            sessions,
        }
    }

    /// Judges in browsers of this fleet, which show the current editor where those of the sessions show another one.
    pub fn judging_in(mut self, fleet: Fleet) -> Self {
        self.judges = Judges::new(fleet.clone(), JUDGES);
        self.judge = LocalJudge::with(self.judges.clone());
        self.workshop = Some(fleet);
        self
    }

    /// Shows the finished runs of a folder.
    pub fn showing_runs(mut self, runs: impl Into<Option<Runs>>) -> Self {
        self.runs = runs.into();
        self
    }

    /// Shows the experiments of a ledger.
    pub fn showing_experiments(mut self, ledger: impl Into<Option<Ledger>>) -> Self {
        self.ledger = ledger.into();
        self
    }

    /// Lets researchers create experiments, which `host` runs.
    pub fn hosting_experiments(mut self, host: impl Into<Option<Arc<dyn Host>>>) -> Self {
        self.host = host.into();
        self
    }

    /// Lets researchers ask for repairs, which `host` makes.
    pub fn making_repairs(mut self, host: impl Into<Option<Arc<dyn RepairHost>>>) -> Self {
        self.repairs = host.into();
        self
    }

    /// Draws the stages that tasks begin with.
    pub fn drawing_stages(mut self, stages: Stages) -> Self {
        self.stages = Some(stages);
        self
    }

    /// Offers the faults of a benchmark.
    pub fn offering_bugs(mut self, desk: Option<Arc<Desk>>) -> Self {
        self.desk = desk;
        self
    }

    /// Sets the port of [`super::editor_app`], for links to it.
    pub fn with_editor_at(mut self, port: u16) -> Self {
        self.editor_port = Some(port);
        self
    }

    /// Adds the routes of another adapter, behind the same checks as all others. Their errors keep their own format.
    pub fn mounting(mut self, routes: Router) -> Self {
        self.mounted = self.mounted.merge(routes);
        self
    }

    /// Refuses new calls, ends repairs, lets calls in flight and hosted experiments finish within [`GRACE`], then ends sessions and
    /// browsers.
    pub async fn drain(&self) {
        self.closing.cancel();
        self.calls.close();
        let hosted = async {
            if let Some(host) = &self.host {
                host.close().await;
            }
        };
        let repaired = async {
            if let Some(host) = &self.repairs {
                host.close().await;
            }
        };
        tokio::join!(self.finish_calls(), hosted, repaired);
        self.judges.close().await;
        self.sessions.shutdown().await;
        if let Some(workshop) = &self.workshop {
            workshop.shutdown().await;
        }
    }

    async fn finish_calls(&self) {
        if tokio::time::timeout(GRACE, self.calls.wait()).await.is_err() {
            tracing::warn!(calls = self.calls.len(), "calls in flight are cancelled");
        }
    }
}
