//! The handle of a living session: takes calls, returns replies, and counts waiting and served ones.
//!
//! [`super::actor`] carries the calls out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::SessionError;
use super::actor::Actor;
use super::attempt::{Attempt, AttemptEnd, AttemptInfo, AttemptLimits, Over, Step};
use super::claims::{Claim, Claims};
use super::events::SessionLog;
use super::fleet::Fleet;
use super::live::Live;
use super::liveness::{InFlight, Liveness};
use super::turns::{Place, TurnKind, Turns};
use crate::model::{AttemptState, Mode, ReplyEvent, ReportedUsage, RequestEvent};

/// Jobs that may wait for one session; more are a client's runaway loop.
const QUEUE: usize = 32;
/// How long a call may wait: for those before it, for its turn, for a page. Calls that would wait longer are refused, to be retried.
const WAIT_LIMIT: Duration = Duration::from_secs(60);
/// How long noting a refusal may take, which touches no page.
const NOTE_LIMIT: Duration = Duration::from_secs(5);

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
    waiting: Arc<Claims>,
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
            waiting: Arc::default(),
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

    /// Refuses the calls that wait, and returns when their places are free. What the caller of an attempt has sent and not
    /// waited for must not keep its project from being looked at; the call that is carried out goes on.
    pub async fn refuse_waiting(&self) {
        self.waiting.give_up();
        // Places are free once the actor has come past the refused calls. An ended session has none to wait for.
        let _ = tokio::time::timeout(WAIT_LIMIT, self.orders.reserve_many(QUEUE)).await;
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

    /// Refuses a call before its turn. The log says so in the call's place among the others; its caller does not wait for that.
    pub(super) async fn refuse(&self, call: RequestEvent, error: SessionError) -> SessionError {
        let (handle, reply) = (self.clone(), ReplyEvent::failed(&error));
        let mut noted = Box::pin(async move {
            handle.run_as(call, NOTE_LIMIT, move |live| Box::pin(async move { live.recorder.answer(reply) })).await
        });
        // Polled once, it has its place in the queue; where that is full, the log goes without.
        if futures::poll!(noted.as_mut()).is_pending() {
            tokio::spawn(noted);
        }
        error
    }

    /// Carries out a job when those before it are done and the session's turn has come, and returns how long that
    /// took. The job runs to its end even if the caller stops waiting.
    ///
    /// # Errors
    /// [`SessionError::Ended`] when the session is gone, [`SessionError::Busy`] when too many calls wait,
    /// [`SessionError::SessionBusy`] when earlier calls of the session, or a new page for one that it had lost, took 60 s,
    /// [`SessionError::NotInTime`] when its turn, or a page in another browser, was not available within that time,
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
        if let Some(objection) = self.log.objection().filter(|_| acts) {
            return Err(objection);
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
        let claim = Arc::<Claim>::default();
        // One who watches keeps no caller waiting for long.
        let earlier = if call.is_some() { self.waiting.add(&claim) } else { 0 };
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
        let order = Order { call, queued, limit, kind, work, claim: Arc::clone(&claim), late, place, in_flight };
        self.orders.try_send(order).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => busy(QUEUE),
            mpsc::error::TrySendError::Closed(_) => ended(),
        })?;
        let mut answer = std::pin::pin!(answer);
        let mut answered = tokio::time::timeout(WAIT_LIMIT, answer.as_mut()).await;
        if answered.is_err() {
            if claim.give_up() {
                return Err(waited_too_long(earlier, self.liveness.mends_own_page(), &self.turns));
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

/// Why a call was given up that had waited for as long as it may, behind so many earlier ones of its session or for a page in
/// place of one that was lost alone. What the session's own caller or project brought about is not the testbed's trouble.
fn waited_too_long(earlier: usize, mends_own_page: bool, turns: &Turns) -> SessionError {
    if earlier == 0 && !mends_own_page {
        return SessionError::NotInTime { limit: WAIT_LIMIT };
    }
    SessionError::SessionBusy { limit: WAIT_LIMIT, retry_after_s: turns.retry_after_s(earlier) }
}

#[cfg(test)]
#[path = "handle_tests.rs"]
mod tests;
