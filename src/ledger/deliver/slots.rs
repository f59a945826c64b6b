//! What the slots of a worker share: the attempts that run, the beats that report them, and the calls of the ledger.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rand::RngExt as _;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep};

use super::{Call, Delivered, Given, Inbox, Made, Pace, Steward, Work};
use crate::leases::{Beat, Begun, Finish, Lease, Orders, Pulse};
use crate::states::Class;
use crate::{Ledger, LedgerError, Usage};

/// So many attempts in a row that the testbed spoiled, and the host is not fit for more.
const UNFIT: u32 = 5;
/// How long after a failed call the ledger is asked again.
pub(super) const AGAIN: Duration = Duration::from_secs(1);

/// An attempt that runs.
struct Running {
    lease: Lease,
    told: watch::Sender<(Orders, Instant)>,
    used: watch::Receiver<Usage>,
    abort: AbortHandle,
}

pub(super) struct Shared<W> {
    ledger: Ledger,
    inbox: Inbox,
    worker: String,
    work: Arc<W>,
    pub(super) pace: Pace,
    running: Mutex<BTreeMap<String, Running>>,
    /// The order to take nothing new.
    pub(super) drains: watch::Sender<bool>,
    spoiled: AtomicU32,
    /// Why the host is not fit for more.
    unfit: Mutex<Option<String>>,
}

/// Asks the ledger again while it is away, for as long as the worker is patient.
macro_rules! patiently {
    ($pace:expr, $ask:expr) => {{
        let began = tokio::time::Instant::now();
        loop {
            match $ask.await {
                Err(error) if error.is_passing() && began.elapsed() < $pace.patience => {
                    tracing::warn!(%error, "the ledger is away");
                    tokio::time::sleep($crate::deliver::slots::AGAIN).await;
                }
                result => break result,
            }
        }
    }};
}

pub(super) use patiently;

/// What became of a look for a ticket.
pub(super) enum Taken {
    Begun(Lease),
    /// Somebody else was quicker, or nobody is needed.
    NotNeeded,
    Nothing,
}

impl<W: Work> Shared<W> {
    pub(super) fn new(ledger: Ledger, inbox: Inbox, worker: String, work: Arc<W>, pace: Pace) -> Self {
        let (running, spoiled) = (Mutex::default(), AtomicU32::new(0));
        let (drains, unfit) = (watch::channel(false).0, Mutex::default());
        Self { ledger, inbox, worker, work, pace, running, drains, spoiled, unfit }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the host is not fit for more, if it is not.
    pub(super) fn unfit(&self) -> Option<String> {
        self.unfit.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Has all attempts given back.
    pub(super) fn abort_all(&self) {
        self.lock().values().for_each(|running| running.abort.abort());
    }

    /// Takes a ticket, and begins its cell.
    pub(super) async fn take(&self) -> Result<Taken, LedgerError> {
        let fetched = Instant::now();
        let Some(delivered) = patiently!(self.pace, self.inbox.next())? else { return Ok(Taken::Nothing) };
        let began = Instant::now();
        let begun = patiently!(self.pace, self.begin(&delivered))?;
        self.work.measured(Call::Fetch, began - fetched);
        self.work.measured(Call::Begin, began.elapsed());
        patiently!(self.pace, self.inbox.done(&delivered))?;
        Ok(match begun {
            Begun::Yes(lease) => Taken::Begun(lease),
            Begun::NotWanted | Begun::Busy => Taken::NotNeeded,
        })
    }

    async fn begin(&self, delivered: &Delivered) -> Result<Begun, LedgerError> {
        match self.ledger.begin(&delivered.ticket.cell, &self.worker).await {
            // A ticket of an experiment that was taken out of the ledger since.
            Err(LedgerError::Unknown { .. }) => Ok(Begun::NotWanted),
            other => other,
        }
    }

    /// Makes an attempt and hands its result in.
    pub(super) async fn attempt(&self, lease: Lease) -> Result<(), LedgerError>
    where
        W: Sized,
    {
        let (tell, told) = watch::channel((Orders::GoOn, Instant::now()));
        let (used, seen) = watch::channel(Usage::default());
        let given = Given { lease: lease.clone(), told, used };
        let work = Arc::clone(&self.work);
        // A task of its own, so that its panic is its own, and it can be stopped where it stands.
        let task = tokio::spawn(async move { work.attempt(given).await });
        let running = Running { lease: lease.clone(), told: tell, used: seen.clone(), abort: task.abort_handle() };
        self.lock().insert(lease.attempt.clone(), running);
        let made = match task.await {
            Ok(made) => made,
            Err(error) if error.is_cancelled() => Made::GivenBack { why: "its worker stopped".to_owned() },
            Err(_) => Made::Finished(Box::new(panicked(*seen.borrow()))),
        };
        let used = *seen.borrow();
        let handed_in = self.hand_in(&lease, &made, &used).await;
        self.lock().remove(&lease.attempt);
        handed_in
    }

    async fn hand_in(&self, lease: &Lease, made: &Made, used: &Usage) -> Result<(), LedgerError> {
        match made {
            Made::GivenBack { why } => patiently!(self.pace, self.ledger.give_back(lease, used, why)),
            Made::Refused { why } => {
                // First, so that what this slot gives back is not released for another one here.
                self.stop_taking(why).await?;
                patiently!(self.pace, self.ledger.give_back(lease, used, why))
            }
            Made::Finished(finish) => {
                let began = Instant::now();
                let ended = patiently!(self.pace, self.ledger.end(lease, finish))?;
                self.work.measured(Call::End, began.elapsed());
                self.work.ended(lease, ended);
                self.judge_host(finish.class).await
            }
        }
    }

    /// A host on which nothing goes well takes nothing more.
    async fn judge_host(&self, class: Class) -> Result<(), LedgerError> {
        if class != Class::Infra {
            self.spoiled.store(0, Ordering::Relaxed);
            return Ok(());
        }
        if self.spoiled.fetch_add(1, Ordering::Relaxed) + 1 < UNFIT {
            return Ok(());
        }
        let why = format!("{UNFIT} attempts in a row were spoiled here");
        self.stop_taking(&why).await
    }

    /// The first reason is the one that is told.
    async fn stop_taking(&self, why: &str) -> Result<(), LedgerError> {
        self.unfit.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| why.to_owned());
        self.drains.send_replace(true);
        patiently!(self.pace, self.ledger.drain_worker(&self.worker, Some(why)))
    }

    /// Tells the ledger that nothing is to be released for this worker, which was told to stop. Should the ledger be away just now,
    /// what is released waits for others.
    pub(super) async fn stops(&self) {
        if let Err(error) = self.ledger.drain_worker(&self.worker, None).await {
            tracing::warn!(%error, "the ledger was not told that this worker stops");
        }
    }

    /// One beat.
    async fn beat(&self) -> Result<bool, LedgerError> {
        let of = |running: &Running| Beat { lease: running.lease.clone(), usage: *running.used.borrow() };
        let beats = self.lock().values().map(of).collect();
        let pulse = Pulse { beats, lanes: self.work.lanes() };
        let began = Instant::now();
        let beaten = match self.ledger.beat(&self.worker, &pulse).await {
            Ok(beaten) => beaten,
            Err(error) => {
                self.work.put_back(pulse.lanes);
                return Err(error);
            }
        };
        self.work.measured(Call::Beat, began.elapsed());
        for (attempt, orders) in &beaten.orders {
            if let Some(running) = self.lock().get(attempt) {
                running.told.send_replace((*orders, Instant::now()));
            }
        }
        self.work.heard(&beaten);
        if beaten.drains {
            self.drains.send_replace(true);
        }
        self.inbox.alive().await?;
        Ok(beaten.is_unattended)
    }
}

/// Beats until it is stopped. A beat that failed is soon tried again: the lease runs on meanwhile.
pub(super) async fn beat_all_the_time<W: Work>(shared: Arc<Shared<W>>) {
    let mut stewards = JoinSet::new();
    // A thousand workers that start at once shall not beat at once.
    let first = shared.pace.beat.mul_f64(rand::rng().random_range(0.0..1.0));
    sleep(first).await;
    loop {
        let began = Instant::now();
        let wait = match shared.beat().await {
            Ok(is_unattended) => {
                while stewards.try_join_next().is_some() {}
                if let Some(pace) = shared.pace.steward.filter(|_| is_unattended && stewards.is_empty()) {
                    let steward = Steward::new(shared.ledger.clone(), shared.worker.clone(), None, shared.pace.beat);
                    stewards.spawn(take_over(steward, pace));
                }
                shared.pace.beat.saturating_sub(began.elapsed())
            }
            Err(error) => {
                tracing::warn!(%error, "a beat was not heard");
                AGAIN.min(shared.pace.beat)
            }
        };
        sleep(wait).await;
    }
}

/// Is the steward until another is.
async fn take_over(mut steward: Steward, pace: Duration) {
    loop {
        match steward.tend().await {
            Ok(Some(_)) => {}
            Ok(None) => return,
            Err(error) => tracing::warn!(%error, "a round of the steward failed"),
        }
        sleep(pace).await;
    }
}

/// The result of an attempt that broke off.
fn panicked(usage: Usage) -> Finish {
    Finish {
        class: Class::Infra,
        outcome: "infra_error".to_owned(),
        code: Some("attempt_panicked".to_owned()),
        usage,
        record: Value::Null,
        files: None,
    }
}
