//! The actor of a session: jobs in, replies out, one at a time, each in the session's turn.
//!
//! After each job the actor cleans up: it releases held buttons and keys, moves to a new page when the
//! old one is lost, and brings the project's snapshot up to date.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::SessionError;
use super::attempt::Attempt;
use super::figures::Figures;
use super::fleet::Fleet;
use super::handle::{Activity, Order};
use super::live::Live;
use super::liveness::Liveness;
use super::recorder::hundredths;
use super::turns::{TurnKind, Turns};
use crate::model::{ReplyEvent, RequestEvent};
use crate::page::{Loss, PageError, scripts};

/// How long a page may take to answer a simple question before it is given up.
const PING_LIMIT: Duration = Duration::from_secs(5);
/// How long a running call may continue after its session is ended.
const GRACE: Duration = Duration::from_secs(2);

/// Whether a call reports the loss of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LossReport {
    /// The call that failed because of it has reported it.
    Made,
    /// No call is waiting, so the next one reports it.
    Due,
}

/// A caller that has not called again for so long is taken to be thinking. One without a model calls again within a few
/// milliseconds.
const THINKING: Duration = Duration::from_millis(30);

/// How a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    /// It took longer than its limit.
    Overran,
    /// The session was ended meanwhile.
    Cut,
}

/// Carries out the jobs of one session.
pub(super) struct Actor {
    live: Live,
    turns: Turns,
    figures: Figures,
    liveness: Arc<Liveness>,
    ending: CancellationToken,
    /// Dropping it signals the session's end to those who wait for it.
    activity: watch::Sender<Activity>,
    attempt: Arc<Attempt>,
}

impl Actor {
    pub(super) fn new(
        live: Live,
        fleet: &Fleet,
        liveness: Arc<Liveness>,
        activity: watch::Sender<Activity>,
        ending: CancellationToken,
        attempt: Arc<Attempt>,
    ) -> Self {
        let (turns, figures) = (fleet.turns().clone(), fleet.figures().clone());
        Self { live, turns, figures, liveness, ending, activity, attempt }
    }

    /// Ends when the session is ended or the last handle is dropped: waiting calls get an error, and the page is returned.
    pub(super) async fn serve(mut self, fleet: Fleet, mut inbox: mpsc::Receiver<Order>) {
        let ending = self.ending.clone();
        // The creator of the session does not wait for this.
        tokio::select! {
            () = self.live.bring_ahead() => {}
            () = ending.cancelled() => {}
        }
        while !ending.is_cancelled() {
            // A page can also be lost between jobs; it is replaced at once, so that the next job finds a new one. Where
            // no new page could be had, the next job tries again.
            let is_fit = self.live.is_fit();
            let owes_frame = is_fit && self.live.recorder.owes_frame();
            let order = tokio::select! {
                biased;
                () = ending.cancelled() => None,
                order = inbox.recv() => order,
                // The caller thinks, so the picture of its last action costs it nothing.
                () = tokio::time::sleep(THINKING), if owes_frame => {
                    tokio::select! {
                        () = self.catch_up() => {}
                        () = ending.cancelled() => {}
                    }
                    self.live.give_up_turn();
                    continue;
                }
                loss = wait_lost(&mut self.live), if is_fit => {
                    tracing::warn!(cause = loss.describe(), "a session's page was lost while idle");
                    tokio::select! {
                        () = self.recover(LossReport::Due) => {}
                        () = ending.cancelled() => {}
                    }
                    self.live.give_up_turn();
                    continue;
                }
            };
            let Some(order) = order else { break };
            self.carry_out(order).await;
        }
        // Waiting calls learn that the session has ended.
        drop(inbox);
        self.live.give_up_turn();
        if self.live.is_fit() && self.live.recorder.owes_frame() {
            let _ = timeout(GRACE, self.live.take_frame()).await;
        }
        let project = self.live.snapshot().map(|snapshot| snapshot.project.clone());
        self.live.recorder.frames_noted().await;
        self.live.recorder.log().close(self.live.recorder.program(), project, self.attempt.standing());
        fleet.release(self.live.into_lease()).await;
    }

    async fn carry_out(&mut self, order: Order) {
        let Order { call, queued, limit, kind, work, claim, late, place, in_flight } = order;
        if claim.is_taken() {
            return;
        }
        let ending = self.ending.clone();
        tokio::select! {
            () = self.take_turn(kind) => {}
            () = ending.cancelled() => return,
        }
        drop(place);
        if !claim.take() {
            // The caller has been refused. A new page that was opened meanwhile is for the next call.
            return self.live.give_up_turn();
        }
        if call.as_ref().is_some_and(|call| self.live.recorder.wants_frame_before(call)) {
            tokio::select! {
                () = self.live.take_frame() => {}
                () = ending.cancelled() => {}
            }
        }
        let started = Instant::now();
        let is_unlogged = call.is_none();
        let mut called = None;
        if let Some(mut call) = call {
            call.waited_ms = hundredths(started - queued);
            let last = Arc::new(call.clone());
            called = Some(Arc::clone(&last));
            let last = Some(last);
            self.activity.send_modify(|activity| *activity = Activity { calls: activity.calls, busy: true, last });
            self.live.recorder.begin(call);
        }
        let outcome = tokio::select! {
            done = timeout(limit, work(&mut self.live)) => if done.is_ok() { Outcome::Done } else { Outcome::Overran },
            () = after_grace(&ending) => Outcome::Cut,
        };
        let overran = outcome == Outcome::Overran;
        self.turns.served(started.elapsed());
        if overran {
            let _ = late.send(());
        }
        let answered = Instant::now();
        // Before the turn is given up: the next job of this session would only wait for it. Only an unlogged job that
        // overran its limit can have left anything to clean up.
        let doubtful = overran | self.live.page().take_doubt();
        if outcome != Outcome::Cut && (!is_unlogged || doubtful) {
            let is_reported = !is_unlogged && (doubtful || (!self.live.is_fit() && !self.live.recorder.succeeds()));
            let report = if is_reported { LossReport::Made } else { LossReport::Due };
            tokio::select! {
                () = self.tidy(doubtful, report) => {}
                () = after_grace(&ending) => {}
            }
        }
        if outcome == Outcome::Cut {
            let ended = SessionError::Ended(self.live.recorder.log().session().to_owned());
            self.live.recorder.answer_result::<()>(&Err(ended));
        }
        if let Some(call) = called {
            let reply = self.live.recorder.end(overran, answered).unwrap_or_default();
            self.count(&call, &reply);
            self.activity.send_modify(|activity| {
                activity.calls += 1;
                activity.busy = false;
            });
        }
        self.live.give_up_turn();
        // Only now: what is tidied up after a call is that call's, and the next one waits for it.
        claim.end();
        drop(in_flight);
    }

    /// Takes the picture that is owed, in the session's turn.
    async fn catch_up(&mut self) {
        self.live.take_turn(TurnKind::Page).await;
        self.live.take_frame().await;
    }

    /// One line in the log and one in the figures for each call, over any transport.
    fn count(&self, call: &RequestEvent, reply: &ReplyEvent) {
        self.figures.called(call, &reply.code, reply.duration_ms);
        tracing::info!(
            session.id = self.live.recorder.log().session(),
            caller = call.caller,
            mode = call.mode.map(<&str>::from),
            api = call.api,
            code = reply.code,
            wait_ms = call.waited_ms,
            service_ms = reply.duration_ms,
            settle_ms = reply.settle_ms,
            "call answered"
        );
    }

    /// Waits for the session's turn, with a living page if possible.
    async fn take_turn(&mut self, kind: TurnKind) {
        if !self.live.is_fit() {
            self.recover(LossReport::Due).await;
        }
        self.live.take_turn(kind).await;
        if !self.live.is_fit() {
            self.recover(LossReport::Due).await;
            self.live.take_turn(kind).await;
        }
    }

    /// Leaves the session fit for the next job. A job that overran its limit, or a command that was not answered in time,
    /// puts the page in doubt.
    async fn tidy(&mut self, doubtful: bool, report: LossReport) {
        if doubtful && self.live.page().loss().is_none() && !answers(&mut self.live).await {
            // An endless loop in the page: stop it first, and give the page up only if that does not help.
            let _ = timeout(PING_LIMIT, self.live.page().terminate_execution()).await;
            if !answers(&mut self.live).await {
                tracing::warn!("a session's page does not answer and is given up");
                self.live.give_up_page().await;
                return self.recover(report).await;
            }
        }
        if !self.live.is_fit() {
            return self.recover(report).await;
        }
        if self.live.page().holds_anything()
            && let Err(error) = self.live.page().release_all().await
        {
            tracing::warn!(%error, "could not release buttons and keys");
        }
        if let Err(error) = self.live.take_snapshot().await {
            tracing::warn!(%error, "could not take a snapshot");
        }
        if self.live.recorder.wants_frame() {
            self.live.take_frame().await;
        } else {
            self.live.recorder.still_shows().await;
        }
    }

    async fn recover(&mut self, report: LossReport) {
        if self.live.page().loss().is_none() {
            // Loading was interrupted, so its state is unknown.
            self.live.give_up_page().await;
        }
        let loss = self.live.page().loss();
        self.liveness.page_lost(loss != Some(Loss::Browser));
        self.figures.page_lost();
        self.live.recorder.page_changed("lost", loss.map(|loss| loss.describe().to_owned()));
        let recovered = self.live.recover().await;
        self.liveness.mended();
        match recovered {
            Ok(()) => {
                if let (LossReport::Due, Some(loss)) = (report, loss) {
                    self.live.note_unreported_loss(loss);
                }
                self.liveness.recovered();
                self.figures.recovered();
                self.live.recorder.page_changed("recovered", None);
                tracing::info!("the session continues in a new page");
            }
            Err(error) => {
                self.live.recorder.page_changed("not_recovered", Some(error.to_string()));
                tracing::error!(%error, "the session could not be moved to a new page");
            }
        }
    }
}

/// Resolves when the session has been ended and a call has had its grace.
async fn after_grace(ending: &CancellationToken) {
    ending.cancelled().await;
    tokio::time::sleep(GRACE).await;
}

async fn wait_lost(live: &mut Live) -> Loss {
    live.page().wait_lost().await
}

async fn answers(live: &mut Live) -> bool {
    matches!(
        timeout(PING_LIMIT, live.page().call(&scripts::READY, &())).await,
        Ok(Ok(_) | Err(PageError::Refused { .. }))
    )
}
