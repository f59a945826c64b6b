//! The handle of a living session: takes calls, returns replies, and counts waiting and served ones.
//!
//! [`super::actor`] carries the calls out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::SessionError;
use super::actor::Actor;
use super::attempt::{Attempt, AttemptEnd, AttemptInfo, AttemptLimits, Over, Step};
use super::events::SessionLog;
use super::fleet::Fleet;
use super::live::Live;
use super::liveness::{InFlight, Liveness};
use super::turns::{Place, TurnKind, Turns};
use crate::model::{AttemptState, Mode, ReportedUsage, RequestEvent};

/// Jobs that may wait for one session; more are a client's runaway loop.
const QUEUE: usize = 32;
/// How long a call may wait: for those before it, for its turn, for a page. Calls that would wait longer are refused, to be retried.
const WAIT_LIMIT: Duration = Duration::from_secs(60);

/// A piece of work on a session's page.
pub type Job<T> = Box<dyn for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, T> + Send>;

/// A job with its limit, ready for the actor.
pub(super) struct Order {
    /// What the log says of it; absent for an unlogged job, after which nothing is cleaned up.
    pub call: Option<RequestEvent>,
    pub queued: Instant,
    pub limit: Duration,
    pub kind: TurnKind,
    pub work: Job<()>,
    /// Decides whether the actor begins it or its caller gives it up.
    pub claim: Arc<Claim>,
    /// Signalled when the limit ended the job.
    pub late: oneshot::Sender<()>,
    /// Given up when the service starts.
    pub place: Place,
    /// Kept until the work is done; an unlogged job does not keep a session alive.
    pub in_flight: Option<InFlight>,
}

/// Which came first: the actor that begins a job, or its caller that stops waiting.
#[derive(Debug, Default)]
pub(super) struct Claim(AtomicBool);

impl Claim {
    /// True for the first: the job is the actor's to carry out, or its caller's to give up.
    pub(super) fn take(&self) -> bool {
        !self.0.swap(true, Ordering::SeqCst)
    }
}

/// A job's result with where the time went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served<T> {
    /// What the job returned.
    pub value: T,
    /// Waiting: for earlier calls of the session, for its turn, for a new page when the old one was lost.
    pub wait: Duration,
    /// From the start of the job to its end.
    pub service: Duration,
}

/// What a session has been doing, for its watchers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Activity {
    /// Jobs carried out so far; unlogged ones are not counted.
    pub calls: u64,
    /// Whether one is being carried out.
    pub busy: bool,
    /// The last one that began.
    pub last: Option<Arc<RequestEvent>>,
}

/// A handle to a living session; cheap to clone.
#[derive(Debug, Clone)]
pub struct SessionHandle {
    id: Arc<str>,
    caller: Arc<str>,
    orders: mpsc::Sender<Order>,
    activity: watch::Receiver<Activity>,
    turns: Turns,
    liveness: Arc<Liveness>,
    attempt: Arc<Attempt>,
    owner: Option<Arc<str>>,
    log: SessionLog,
}

impl SessionHandle {
    /// Starts the actor of a session, which ends on request.
    pub(super) fn start(
        id: &str,
        live: Live,
        fleet: Fleet,
        liveness: Arc<Liveness>,
        ending: CancellationToken,
        attempt: Option<AttemptLimits>,
        owner: Option<String>,
    ) -> Self {
        let (orders, inbox) = mpsc::channel(QUEUE);
        let (sender, activity) = watch::channel(Activity::default());
        let turns = fleet.turns().clone();
        let log = live.recorder.log().clone();
        let attempt = Attempt::new(attempt);
        let own = Arc::clone(&attempt);
        tokio::spawn(Actor::new(live, &fleet, Arc::clone(&liveness), sender, ending, own).serve(fleet, inbox));
        Self {
            id: id.into(),
            caller: "in_process".into(),
            orders,
            activity,
            turns,
            liveness,
            attempt,
            owner: owner.map(Into::into),
            log,
        }
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    /// How its attempt stands; absent for a session that is not an attempt.
    pub fn standing(&self) -> Option<AttemptState> {
        self.attempt.standing()
    }

    /// What the session does, as it changes.
    pub fn activity(&self) -> watch::Receiver<Activity> {
        self.activity.clone()
    }

    /// Waits until the session has ended and its page and its place are given back.
    pub(super) async fn gone(&self) {
        let mut activity = self.activity.clone();
        while activity.changed().await.is_ok() {}
    }

    /// Begins a step of the attempt; it is taken back if dropped before it counts.
    ///
    /// # Errors
    /// [`SessionError::AttemptOver`] when the attempt has ended, or has taken all that it may.
    pub fn step(&self, mode: Mode) -> Result<Step, SessionError> {
        self.attempt.step(mode).map_err(|over| self.over(over))
    }

    /// # Errors
    /// [`SessionError::AttemptOver`] once the agent has ended its attempt.
    pub fn must_go_on(&self) -> Result<(), SessionError> {
        self.attempt.must_go_on().map_err(|over| self.over(over))
    }

    /// The agent ends its attempt: its project can no longer change, but can still be looked at.
    pub fn end_attempt(&self, end: AttemptEnd) {
        self.attempt.end(end);
    }

    /// Adds what the agent says that its models needed; the sum of all reports.
    pub fn report_usage(&self, more: ReportedUsage) -> ReportedUsage {
        self.attempt.report_usage(more)
    }

    /// What the agent said that its models needed; `None` if it said nothing.
    pub fn usage(&self) -> Option<ReportedUsage> {
        self.attempt.usage()
    }

    /// How far the attempt is; `None` for a session that is not an attempt.
    pub fn attempt(&self) -> Option<AttemptInfo> {
        self.attempt.info()
    }

    /// Whether the attempt may be restarted.
    ///
    /// # Errors
    /// [`SessionError::AttemptOver`] once its project was handed in.
    pub(super) fn check_may_restart(&self) -> Result<(), SessionError> {
        if self.attempt.is_submitted() { self.must_go_on() } else { Ok(()) }
    }

    /// Restarts the attempt: the project is as it was at first.
    pub(super) fn restart(&self) {
        self.attempt.restart();
    }

    fn over(&self, over: Over) -> SessionError {
        SessionError::AttemptOver { session: self.id.to_string(), over }
    }

    /// The same handle with the caller's name for the session's log: `http`, `mcp`, …
    pub fn by(mut self, caller: &str) -> Self {
        self.caller = caller.into();
        self
    }

    /// Carries out a job that has no name in the session's log; otherwise as [`Self::run_as`].
    ///
    /// # Errors
    /// As [`Self::serve`].
    pub async fn run<T, F>(&self, limit: Duration, job: F) -> Result<T, SessionError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, T> + Send + 'static,
    {
        self.run_as(RequestEvent { api: "job".into(), ..RequestEvent::default() }, limit, job).await
    }

    /// Carries out a job that works on the page; otherwise as [`Self::serve`].
    ///
    /// # Errors
    /// As [`Self::serve`].
    pub async fn run_as<T, F>(&self, call: RequestEvent, limit: Duration, job: F) -> Result<T, SessionError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, T> + Send + 'static,
    {
        self.serve(call, TurnKind::Page, limit, job).await.map(|served| served.value)
    }

    /// Carries out a job when those before it are done and the session's turn has come, and returns how long that
    /// took. The job runs to its end even if the caller stops waiting.
    ///
    /// # Errors
    /// [`SessionError::Ended`] when the session is gone, [`SessionError::Busy`] when too many calls wait,
    /// [`SessionError::NotInTime`] when its turn, or a new page, was not available within 60 s,
    /// [`SessionError::Deadline`] when the job took longer than `limit`, time in the queue not counted; what the job
    /// itself reports is in `T`.
    pub async fn serve<T, F>(
        &self,
        mut call: RequestEvent,
        kind: TurnKind,
        limit: Duration,
        job: F,
    ) -> Result<Served<T>, SessionError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, T> + Send + 'static,
    {
        let acts =
            (call.mode.is_some() && call.api != "observe") || matches!(call.api.as_str(), "load_project" | "reset");
        if acts && self.log.is_broken() {
            return Err(SessionError::LogBroken);
        }
        self.caller.as_ref().clone_into(&mut call.caller);
        self.order(Some(call), kind, limit, job).await
    }

    /// Carries out a job that alters nothing, for watching the session: it is not in the log, and counts
    /// neither as activity nor as a use of the session.
    ///
    /// # Errors
    /// As [`Self::serve`].
    pub async fn run_unlogged<T, F>(&self, limit: Duration, job: F) -> Result<T, SessionError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, T> + Send + 'static,
    {
        self.order(None, TurnKind::Page, limit, job).await.map(|served| served.value)
    }

    async fn order<T, F>(
        &self,
        call: Option<RequestEvent>,
        kind: TurnKind,
        limit: Duration,
        job: F,
    ) -> Result<Served<T>, SessionError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, T> + Send + 'static,
    {
        let busy = |calls| SessionError::Busy { retry_after_s: self.turns.retry_after_s(calls) };
        let place = self.turns.queue(self.owner.as_deref()).ok_or_else(|| busy(self.turns.status().waiting))?;
        let (reply, answer) = oneshot::channel();
        let (late, was_late) = oneshot::channel();
        let queued = Instant::now();
        let work: Job<()> = Box::new(move |live| {
            let started = Instant::now();
            let done = job(live);
            Box::pin(async move {
                let value = done.await;
                let _ = reply.send(Served { value, wait: started - queued, service: started.elapsed() });
            })
        });
        let ended = || SessionError::Ended(self.id.to_string());
        let in_flight = call.is_some().then(|| self.liveness.begin());
        let claim = Arc::<Claim>::default();
        let order = Order { call, queued, limit, kind, work, claim: Arc::clone(&claim), late, place, in_flight };
        self.orders.try_send(order).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => busy(QUEUE),
            mpsc::error::TrySendError::Closed(_) => ended(),
        })?;
        let mut answer = std::pin::pin!(answer);
        let mut answered = tokio::time::timeout(WAIT_LIMIT, answer.as_mut()).await;
        if answered.is_err() {
            if claim.take() {
                return Err(SessionError::NotInTime { limit: WAIT_LIMIT });
            }
            answered = Ok(answer.await);
        }
        match answered {
            Ok(Ok(served)) => Ok(served),
            _ if was_late.await.is_ok() => Err(SessionError::Deadline { limit }),
            _ => Err(ended()),
        }
    }
}
