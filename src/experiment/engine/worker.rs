//! A worker of a fleet: attempts of cells that it hears of one by one, of any experiment of its ledger.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tokio::sync::watch;

use super::journal::{Caps, Journal, Lanes};
use super::{Arm, CellRef};
use crate::agent::model::{Meter, NotAdmitted, Refusal, Usage as Tokens, metered};
use crate::grade::Pricing;
use crate::ledger::{Beaten, Ended, Files, Given, LaneReport, Lease, Ledger, LedgerError, Made, Place, Usage, Work};
use crate::model::{Outcome, with_causes};

/// An arm as a worker makes attempts of it.
#[derive(Clone)]
pub struct Prepared {
    pub arm: Arc<dyn Arm>,
    pub pricing: Pricing,
}

/// What a worker needs of the machine that it is on.
#[async_trait]
pub trait Machine: Send + Sync + 'static {
    /// Prepares an arm, once; why it can't be attempted here.
    async fn arm(&self, place: &Place) -> Result<Prepared, String>;

    /// Brings the files of a finished attempt where all workers' files come together, and says where that is.
    async fn deliver(&self, place: &Place, cell: &CellRef) -> Result<Files, String>;

    /// The files of an attempt were delivered, and the ledger needs no more attempts at its cell: what lies here of this one and of
    /// tries before it is needed no more.
    fn accepted(&self, place: &Place, cell: &CellRef);

    /// An attempt has ended.
    fn note(&self, place: &Place, outcome: Outcome, reason: Option<&str>);
}

/// Attempts on a machine, for the ledger's workers.
pub struct FleetWork<M> {
    ledger: Ledger,
    machine: M,
    lanes: Lanes,
    /// Attempts whose files were delivered and whose results are on their way to the ledger, by their ids.
    delivered: Mutex<BTreeMap<String, (Place, CellRef)>>,
    /// Attempts that are being made, and when that changed last.
    activity: Mutex<(usize, Instant)>,
}

impl<M: Machine> FleetWork<M> {
    pub fn new(ledger: Ledger, machine: M) -> Self {
        Self {
            ledger,
            machine,
            lanes: Lanes::default(),
            delivered: Mutex::default(),
            activity: Mutex::new((0, Instant::now())),
        }
    }

    /// For how long nothing was attempted; zero while something is.
    pub fn idle(&self) -> Duration {
        let (running, since) = *self.activity.lock().unwrap_or_else(PoisonError::into_inner);
        if running == 0 { since.elapsed() } else { Duration::ZERO }
    }

    fn count(&self, change: isize) {
        let mut activity = self.activity.lock().unwrap_or_else(PoisonError::into_inner);
        *activity = (activity.0.saturating_add_signed(change), Instant::now());
    }

    /// Hands in what an earlier process on this machine had finished, where the ledger still waits for it. `is_here` says
    /// whether files of an arm lie on this machine. How many there were.
    ///
    /// # Errors
    /// When the ledger fails.
    pub async fn hand_in(&self, is_here: impl Fn(&Place) -> bool) -> Result<u64, LedgerError> {
        let mut handed_in = 0;
        for experiment in self.ledger.experiments().await? {
            for unended in self.ledger.unended(&experiment).await? {
                let place = self.ledger.place(&unended.lease.cell).await?;
                if !is_here(&place) {
                    continue;
                }
                let Ok(prepared) = self.machine.arm(&place).await else { continue };
                let cell = cell_ref(&place, unended.lease.number);
                let Ok(Some(made)) = prepared.arm.finished(&cell) else { continue };
                if let Made::Finished(finish) = self.delivered(&unended.lease, &place, &cell, made).await {
                    let ended = self.ledger.end(&unended.lease, &finish).await?;
                    self.ended(&unended.lease, ended);
                    handed_in += 1;
                }
            }
        }
        Ok(handed_in)
    }

    async fn delivered(&self, lease: &Lease, place: &Place, cell: &CellRef, made: super::Made) -> Made {
        let mut finish = made.finish;
        match self.machine.deliver(place, cell).await {
            Ok(files) => {
                finish.files = Some(files);
                let mut delivered = self.delivered.lock().unwrap_or_else(PoisonError::into_inner);
                delivered.insert(lease.attempt.clone(), (place.clone(), cell.clone()));
            }
            // Without its files the verdict could not be checked, and more attempts would be paid for in vain.
            Err(why) => return Made::Refused { why: format!("what it makes can't be delivered: {why}") },
        }
        Made::Finished(Box::new(finish))
    }

    async fn make(&self, given: Given) -> Result<Made, String> {
        let place = self.ledger.place(&given.lease.cell).await.map_err(|error| error.to_string())?;
        let prepared = match self.machine.arm(&place).await {
            Ok(prepared) => prepared,
            // What can't be prepared here once can't be prepared again: others take it.
            Err(why) => return Ok(Made::Refused { why: format!("{}: {why}", place.arm) }),
        };
        let told = self.ledger.earlier_records(&given.lease).await.map_err(|error| error.to_string())?;
        let caps = Caps { micro_usd: place.cap_micro_usd, tokens: place.cap_tokens };
        let names = (given.lease.attempt.clone(), place.lane.clone());
        let journal = Journal::new(names, prepared.pricing.clone(), caps, self.lanes.clone(), given.told);
        let meter = Arc::new(Reported { journal, used: given.used });
        let cell = cell_ref(&place, given.lease.number);
        let made = match metered(meter, prepared.arm.attempt(&cell, &told)).await {
            Ok(made) => made,
            Err(error) if error.budget().is_some() => return Err(error.to_string()),
            // The disk is full or refuses, or the agent can't be asked: it would be the same with the next cell.
            Err(error) => return Ok(Made::Refused { why: with_causes(&error) }),
        };
        self.machine.note(&place, made.outcome, made.reason.as_deref());
        Ok(self.delivered(&given.lease, &place, &cell, made).await)
    }
}

impl<M: Machine> Work for FleetWork<M> {
    async fn attempt(&self, given: Given) -> Made {
        /// Counts the attempt out again, however it ends.
        struct Active<'a, M: Machine>(&'a FleetWork<M>);
        impl<M: Machine> Drop for Active<'_, M> {
            fn drop(&mut self) {
                self.0.count(-1);
            }
        }
        self.count(1);
        let _active = Active(self);
        self.make(given).await.unwrap_or_else(|why| Made::GivenBack { why })
    }

    fn ended(&self, lease: &Lease, ended: Ended) {
        let delivered = self.delivered.lock().unwrap_or_else(PoisonError::into_inner).remove(&lease.attempt);
        if ended == Ended::Void {
            tracing::warn!(attempt = lease.attempt, "the result came too late: it does not count");
        }
        // Tries that are made again are read by the next one.
        if let (Ended::Counted | Ended::Dead, Some((place, cell))) = (ended, delivered) {
            self.machine.accepted(&place, &cell);
        }
    }

    fn lanes(&self) -> BTreeMap<String, LaneReport> {
        self.lanes.notes.take()
    }

    fn put_back(&self, reports: BTreeMap<String, LaneReport>) {
        self.lanes.notes.put_back(reports);
    }

    fn heard(&self, beaten: &Beaten) {
        for (lane, share) in &beaten.shares {
            self.lanes.paces.set(lane, *share);
        }
    }
}

/// A journal whose entries the beats report.
struct Reported {
    journal: Journal,
    used: watch::Sender<Usage>,
}

#[async_trait]
impl Meter for Reported {
    async fn admit(&self) -> Result<(), NotAdmitted> {
        self.journal.admit().await
    }

    fn held(&self) -> Duration {
        self.journal.held()
    }

    fn answered(&self, usage: Tokens) {
        self.journal.answered(usage);
        self.used.send_replace(self.journal.used());
    }

    fn refused(&self, refusal: Refusal) {
        self.journal.refused(refusal);
        self.used.send_replace(self.journal.used());
    }
}

fn cell_ref(place: &Place, number: u64) -> CellRef {
    CellRef::of(&place.item, place.epoch, number)
}
