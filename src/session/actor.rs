//! One task a session: jobs in, replies out, one after another.
//!
//! After each job the actor cleans up: it lets go of held buttons and keys, moves to a new page when the
//! old one is lost, and brings the project's snapshot up to date.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;

use super::SessionError;
use super::fleet::Fleet;
use super::live::Live;
use super::recorder::hundredths;
use crate::model::RequestEvent;
use crate::page::{Loss, PageError, scripts};

/// Jobs that may wait for one session; more are a client's runaway loop.
const QUEUE: usize = 64;
/// How long a page may take to answer a simple question before it is given up.
const PING_LIMIT: Duration = Duration::from_secs(3);

/// A piece of work on a session's page.
pub type Job<T> = Box<dyn for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, T> + Send>;

/// A job with its limit, ready for the actor. `late` is told when the limit ended it.
struct Order {
    /// What the log says of it; absent for a mere look, after which nothing is to be cleaned up.
    call: Option<RequestEvent>,
    sent: Instant,
    limit: Duration,
    work: Job<()>,
    late: oneshot::Sender<()>,
}

/// What a session has been doing, for who watches it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Activity {
    /// Jobs carried out so far; looks are not counted.
    pub calls: u64,
    /// Whether one is being carried out.
    pub busy: bool,
    /// The last one that came to its turn.
    pub last: Option<Arc<RequestEvent>>,
}

/// The way to a living session; cheap to clone.
#[derive(Debug, Clone)]
pub struct SessionHandle {
    id: Arc<str>,
    caller: Arc<str>,
    orders: mpsc::Sender<Order>,
    activity: watch::Receiver<Activity>,
}

impl SessionHandle {
    /// Starts the actor of a session.
    pub(super) fn start(id: &str, live: Live, fleet: Fleet) -> Self {
        let (orders, inbox) = mpsc::channel(QUEUE);
        let (tell, activity) = watch::channel(Activity::default());
        tokio::spawn(serve(live, fleet, inbox, tell));
        Self { id: id.into(), caller: "in_process".into(), orders, activity }
    }

    /// The session's name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What the session does, as it changes.
    #[must_use]
    pub fn activity(&self) -> watch::Receiver<Activity> {
        self.activity.clone()
    }

    /// The same way, with a name for those who use it: `http`, `mcp`, … The session's log has it.
    #[must_use]
    pub fn by(mut self, caller: &str) -> Self {
        self.caller = caller.into();
        self
    }

    /// Carries out a job that has no name in the session's log; otherwise as [`Self::run_as`].
    ///
    /// # Errors
    /// As [`Self::run_as`].
    pub async fn run<T, F>(&self, limit: Duration, job: F) -> Result<T, SessionError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, T> + Send + 'static,
    {
        self.run_as(RequestEvent { api: "job".into(), ..RequestEvent::default() }, limit, job).await
    }

    /// Carries out a job when those before it are done. The job goes on to its end even if the caller
    /// stops waiting.
    ///
    /// # Errors
    /// [`SessionError::Ended`] when the session is gone, [`SessionError::Deadline`] when the job took longer
    /// than `limit`; what the job itself reports is in `T`.
    pub async fn run_as<T, F>(&self, mut call: RequestEvent, limit: Duration, job: F) -> Result<T, SessionError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, T> + Send + 'static,
    {
        self.caller.as_ref().clone_into(&mut call.caller);
        self.order(Some(call), limit, job).await
    }

    /// Carries out a job that alters nothing, for who watches the session: no activity, not in the log.
    ///
    /// # Errors
    /// As [`Self::run_as`].
    pub async fn look<T, F>(&self, limit: Duration, job: F) -> Result<T, SessionError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, T> + Send + 'static,
    {
        self.order(None, limit, job).await
    }

    async fn order<T, F>(&self, call: Option<RequestEvent>, limit: Duration, job: F) -> Result<T, SessionError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Live) -> BoxFuture<'a, T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let (late, was_late) = oneshot::channel();
        let work: Job<()> = Box::new(move |live| {
            let done = job(live);
            Box::pin(async move {
                let _ = reply.send(done.await);
            })
        });
        let ended = || SessionError::Ended(self.id.to_string());
        let order = Order { call, sent: Instant::now(), limit, work, late };
        self.orders.send(order).await.map_err(|_| ended())?;
        match answer.await {
            Ok(value) => Ok(value),
            Err(_) if was_late.await.is_ok() => Err(SessionError::Deadline { limit }),
            Err(_) => Err(ended()),
        }
    }
}

/// The actor: ends when the last handle is gone, and gives its page back.
async fn serve(mut live: Live, fleet: Fleet, mut inbox: mpsc::Receiver<Order>, tell: watch::Sender<Activity>) {
    loop {
        let order = if live.page().loss().is_some() {
            // No new page could be had; the next job is the occasion to try again.
            let order = inbox.recv().await;
            if order.is_some() {
                recover(&mut live).await;
            }
            order
        } else {
            // A page can also be lost between jobs; it is replaced at once, so that the next job finds a new one.
            tokio::select! {
                order = inbox.recv() => order,
                loss = wait_lost(&mut live) => {
                    tracing::warn!(cause = loss.describe(), "a session's page was lost while idle");
                    recover(&mut live).await;
                    continue;
                }
            }
        };
        let Some(Order { call, sent, limit, work, late }) = order else { break };
        let Some(mut call) = call else {
            look(&mut live, limit, work, late).await;
            continue;
        };
        call.waited_ms = hundredths(sent.elapsed());
        let last = Some(Arc::new(call.clone()));
        tell.send_modify(|activity| *activity = Activity { calls: activity.calls, busy: true, last });
        live.recorder.begin(call);
        let overran = timeout(limit, work(&mut live)).await.is_err();
        if overran {
            let _ = late.send(());
        }
        let answered = Instant::now();
        tidy(&mut live, overran).await;
        live.recorder.end(overran, answered);
        tell.send_modify(|activity| {
            activity.calls += 1;
            activity.busy = false;
        });
    }
    live.recorder.log().close(live.recorder.program());
    fleet.release(live.into_lease()).await;
}

/// Carries out a mere look. Only one that overran its limit can have left anything to clean up.
async fn look(live: &mut Live, limit: Duration, work: Job<()>, late: oneshot::Sender<()>) {
    if timeout(limit, work(live)).await.is_err() {
        let _ = late.send(());
        tidy(live, true).await;
    }
}

async fn wait_lost(live: &mut Live) -> Loss {
    live.page().wait_lost().await
}

/// Leaves the session fit for the next job. Only a job that overran its limit puts the page in doubt.
async fn tidy(live: &mut Live, overran: bool) {
    if overran && live.page().loss().is_none() && !answers(live).await {
        // An endless loop in the page: stop it first, and give the page up only if that does not help.
        let _ = timeout(PING_LIMIT, live.page().terminate_execution()).await;
        if !answers(live).await {
            tracing::warn!("a session's page does not answer and is given up");
            return recover(live).await;
        }
    }
    if live.page().loss().is_some() {
        return recover(live).await;
    }
    if live.page().holds_anything()
        && let Err(error) = live.page().release_all().await
    {
        tracing::warn!(%error, "could not release buttons and keys");
    }
    if let Err(error) = live.take_snapshot().await {
        tracing::warn!(%error, "could not take a snapshot");
    }
}

async fn answers(live: &mut Live) -> bool {
    matches!(
        timeout(PING_LIMIT, live.page().call(&scripts::READY, &())).await,
        Ok(Ok(_) | Err(PageError::Refused { .. }))
    )
}

async fn recover(live: &mut Live) {
    let loss = live.page().loss();
    live.recorder.page_changed("lost", loss.map(|loss| loss.describe().to_owned()));
    match live.recover().await {
        Ok(()) => {
            live.recorder.page_changed("recovered", None);
            tracing::info!("the session goes on in a new page");
        }
        Err(error) => {
            live.recorder.page_changed("not_recovered", Some(error.to_string()));
            tracing::error!(%error, "the session could not be moved to a new page");
        }
    }
}
