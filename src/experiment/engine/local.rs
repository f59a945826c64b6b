//! This process works on an experiment: it is the steward of it, and its only worker.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::journal::{Caps, Journal, Lanes};
use super::{Arm, CellRef, EngineError, Made};
use crate::agent::model::metered;
use crate::experiment::RunError;
use crate::grade::Pricing;
use crate::ledger::{
    Beat, Begun, Bound, CellRow, Counts, Ended, Gate, Lease, Ledger, LedgerError, Orders, Pulse, Share, Status, Ticket,
};

/// How often the ledger hears of the attempts that run: three times within a lease.
const BEAT: Duration = Duration::from_secs(15);
/// How often it is looked whether orders or freed room allow more.
const LOOK: Duration = Duration::from_secs(1);
/// How long the ledger may be away before its experiment is left.
const PATIENCE: Duration = Duration::from_secs(600);

/// An arm as this process works on it.
pub struct Local {
    pub label: String,
    pub lane: String,
    pub arm: Arc<dyn Arm>,
    pub pricing: Pricing,
    pub caps: Caps,
}

/// What happens, for progress output.
#[derive(Debug)]
pub enum Noted<'a> {
    /// How far it was when this process began.
    Began(&'a Counts),
    Started(&'a CellRow),
    Ended {
        cell: &'a CellRow,
        made: &'a Made,
        ended: Ended,
    },
    /// An attempt that had ended before this process began was handed in.
    HandedIn {
        cell: &'a str,
    },
    /// Nothing runs, and nothing may begin: why.
    Waiting {
        gate: Gate,
        bounds: &'a [Bound],
    },
}

/// Why the work ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// Each cell is decided or dead.
    Over,
    /// The budget allows no more.
    Budget(String),
    /// It was asked to drain, by an order or a signal.
    Drained,
}

/// A running attempt.
struct Running {
    lease: Lease,
    journal: Arc<Journal>,
    tell: watch::Sender<(Orders, Instant)>,
    cell: CellRow,
}

/// What an attempt's task returns: the attempt's id, with its result.
type Outcome = (String, Result<Made, RunError>);

/// Asks the ledger, again and again while it is away.
macro_rules! patiently {
    ($work:expr, |$ledger:ident| $asked:expr) => {{
        let (began, $ledger) = (Instant::now(), $work.ledger);
        loop {
            match $asked.await {
                Err(error) if LedgerError::is_passing(&error) && began.elapsed() < PATIENCE => {
                    tracing::warn!(%error, "the ledger does not answer");
                    tokio::time::sleep(LOOK).await;
                }
                result => break result,
            }
        }
    }};
}

struct Work<'a> {
    ledger: &'a Ledger,
    experiment: &'a str,
    worker: String,
    arms: BTreeMap<String, Local>,
    jobs: usize,
    cells: BTreeMap<String, CellRow>,
    running: BTreeMap<String, Running>,
    tasks: JoinSet<Outcome>,
    lanes: Lanes,
    beaten: Instant,
    drains: bool,
    /// Why nothing more may be asked, if an attempt was told so by a budget of the process.
    exhausted: Option<String>,
    waits: Option<(Gate, Vec<Bound>)>,
    on_note: &'a (dyn Fn(Noted<'_>) + Send + Sync),
}

/// Works on an experiment until it is over, its budget is spent, or it is drained; `jobs` attempts at a time. Only one process may
/// do so at a time: who calls holds the lock of its files.
///
/// # Errors
/// When the ledger is away for ten minutes, or an attempt can't be kept: it is given back, and what runs ends first.
pub async fn work(
    ledger: &Ledger,
    experiment: &str,
    arms: Vec<Local>,
    jobs: usize,
    drain: &CancellationToken,
    on_note: &(dyn Fn(Noted<'_>) + Send + Sync),
) -> Result<(Stop, Status), EngineError> {
    let status = ledger.status(experiment).await?;
    let mut by_label: BTreeMap<String, Local> = arms.into_iter().map(|arm| (arm.label.clone(), arm)).collect();
    let mut prepared = BTreeMap::new();
    for arm in &status.arms {
        let Some(local) = by_label.remove(&arm.label) else { return Err(EngineError::UnknownArm(arm.label.clone())) };
        prepared.insert(arm.id.clone(), local);
    }
    let cells = ledger.cells(experiment).await?.into_iter().map(|cell| (cell.id.clone(), cell)).collect();
    let mut work = Work {
        ledger,
        experiment,
        worker: format!("local-{}", uuid::Uuid::new_v4().simple()),
        arms: prepared,
        jobs: jobs.max(1),
        cells,
        running: BTreeMap::new(),
        tasks: JoinSet::new(),
        lanes: Lanes::default(),
        beaten: Instant::now(),
        drains: false,
        exhausted: None,
        waits: None,
        on_note,
    };
    // Until the first beat tells this worker's share, it is all that there is.
    for lane in ledger.lanes(experiment).await? {
        work.lanes.paces.set(&lane.name, Share { rpm: lane.rpm, tpm: lane.tpm });
    }
    on_note(Noted::Began(&status.cells));
    work.take_over().await?;
    let stop = work.until_the_end(drain).await?;
    closed(ledger, experiment, stop).await
}

/// Closes an experiment that is over, and says how it stands.
pub(super) async fn closed(ledger: &Ledger, experiment: &str, stop: Stop) -> Result<(Stop, Status), EngineError> {
    if stop == Stop::Over {
        ledger.set_gate(experiment, &crate::ledger::Scope::Experiment, Gate::Closed, "engine", None).await?;
    }
    Ok((stop, ledger.status(experiment).await?))
}

impl Work<'_> {
    /// Hands in what a process that died had finished; the rest is owed again.
    async fn take_over(&self) -> Result<(), EngineError> {
        let by_label: BTreeMap<&str, &Local> = self.arms.values().map(|arm| (arm.label.as_str(), arm)).collect();
        for unended in self.ledger.unended(self.experiment).await? {
            let Some(local) = by_label.get(unended.arm.as_str()) else { continue };
            let Some(cell) = self.cells.get(&unended.lease.cell) else { continue };
            let made = local.arm.finished(&cell_ref(cell, unended.lease.number));
            let made = made.map_err(|source| EngineError::Arm { arm: local.label.clone(), source })?;
            if let Some(made) = made {
                self.ledger.end(&unended.lease, &made.finish).await?;
                (self.on_note)(Noted::HandedIn { cell: &unended.lease.cell });
            }
        }
        self.ledger.interrupted(self.experiment).await?;
        Ok(())
    }

    async fn until_the_end(&mut self, drain: &CancellationToken) -> Result<Stop, EngineError> {
        let mut failed = None;
        loop {
            self.drains |= drain.is_cancelled();
            if let Some(stop) = self.pass().await? {
                return failed.map_or(Ok(stop), Err);
            }
            tokio::select! {
                ended = self.tasks.join_next(), if !self.tasks.is_empty() => {
                    if let Some(Ok(ended)) = ended
                        && let Err(error) = self.ended(ended).await
                    {
                        tracing::error!(%error, "no attempt is begun any more");
                        self.drains = true;
                        failed.get_or_insert(error);
                    }
                }
                () = drain.cancelled(), if !self.drains => {}
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    /// Beats if it is time, and begins what there is room for. Why the work is at its end, if it is.
    async fn pass(&mut self) -> Result<Option<Stop>, EngineError> {
        let term = if self.lanes.notes.are_urgent() { LOOK } else { BEAT };
        if self.beaten.elapsed() >= term {
            self.beat().await?;
        }
        let free = self.jobs.saturating_sub(self.running.len());
        let mut bounds = Vec::new();
        if free > 0 && !self.drains {
            patiently!(self, |ledger| ledger.reap())?;
            let experiment = self.experiment;
            let released = patiently!(self, |ledger| ledger.release(Some(experiment), free as u64))?;
            bounds = released.bounds;
            for ticket in released.tickets {
                self.begin(&ticket).await?;
            }
        }
        if self.running.is_empty() { self.at_rest(&bounds).await } else { Ok(None) }
    }

    /// Nothing runs: whether that is the end.
    async fn at_rest(&mut self, bounds: &[Bound]) -> Result<Option<Stop>, EngineError> {
        let experiment = self.experiment;
        let status = patiently!(self, |ledger| ledger.status(experiment))?;
        if let Some(reason) = self.exhausted.clone() {
            return Ok(Some(Stop::Budget(reason)));
        }
        if self.drains || status.state == Gate::Draining {
            return Ok(Some(Stop::Drained));
        }
        let Counts { wanted, .. } = status.cells;
        if status.cells.is_over() {
            return Ok(Some(Stop::Over));
        }
        // Arms that are closed release nothing any more.
        let open: u64 = status.arms.iter().filter(|arm| arm.state != Gate::Closed).map(|arm| arm.cells.wanted).sum();
        if wanted > 0 && open == 0 {
            return Ok(Some(Stop::Over));
        }
        if let Some(Bound::Budget(_)) = bounds.iter().find(|bound| matches!(bound, Bound::Budget(_))) {
            let reason = format!("{} of {} cells are decided", status.cells.decided, status.cells.all());
            return Ok(Some(Stop::Budget(reason)));
        }
        let waits = (status.state, bounds.to_vec());
        if self.waits.as_ref() != Some(&waits) {
            (self.on_note)(Noted::Waiting { gate: waits.0, bounds: &waits.1 });
            self.waits = Some(waits);
        }
        Ok(None)
    }

    async fn begin(&mut self, ticket: &Ticket) -> Result<(), EngineError> {
        let Some(cell) = self.cells.get(&ticket.cell).cloned() else { return Ok(()) };
        // An attempt that was lost while this process slept must be gone before the next one takes its place.
        if self.running.values().any(|running| running.cell.id == cell.id) {
            return Ok(());
        }
        let Some(local) = self.arms.get(&cell.arm) else { return Err(EngineError::UnknownArm(cell.arm)) };
        let (cell_id, worker) = (ticket.cell.as_str(), self.worker.as_str());
        let begun = patiently!(self, |ledger| ledger.begin(cell_id, worker))?;
        let Begun::Yes(lease) = begun else { return Ok(()) };
        let told = patiently!(self, |ledger| ledger.earlier_records(&lease))?;
        let (tell, orders) = watch::channel((Orders::GoOn, Instant::now()));
        let names = (lease.attempt.clone(), local.lane.clone());
        let journal = Arc::new(Journal::new(names, local.pricing.clone(), local.caps, self.lanes.clone(), orders));
        let (arm, at, name) = (Arc::clone(&local.arm), cell_ref(&cell, lease.number), lease.attempt.clone());
        let meter = journal.clone();
        self.tasks.spawn(async move { (name, metered(meter, arm.attempt(&at, &told)).await) });
        (self.on_note)(Noted::Started(&cell));
        self.waits = None;
        self.running.insert(lease.attempt.clone(), Running { lease, journal, tell, cell });
        Ok(())
    }

    async fn ended(&mut self, (name, result): Outcome) -> Result<(), EngineError> {
        let Some(running) = self.running.remove(&name) else { return Ok(()) };
        let lease = &running.lease;
        match result {
            Ok(made) => {
                let ended = patiently!(self, |ledger| ledger.end(lease, &made.finish))?;
                (self.on_note)(Noted::Ended { cell: &running.cell, made: &made, ended });
                Ok(())
            }
            Err(error) => {
                let (used, why) = (running.journal.used(), error.to_string());
                patiently!(self, |ledger| ledger.give_back(lease, &used, &why))?;
                match error.budget() {
                    // Somebody else has taken it up, or the process stops.
                    Some(_) if running.tell.borrow().0 == Orders::Cancel => Ok(()),
                    Some(reason) => {
                        self.exhausted = Some(reason.to_owned());
                        self.drains = true;
                        Ok(())
                    }
                    None => Err(EngineError::Arm { arm: running.cell.arm.clone(), source: error }),
                }
            }
        }
    }

    /// Says what runs, and passes on what is ordered. A ledger that does not answer is asked again with the next pass; attempts
    /// send no requests meanwhile.
    async fn beat(&mut self) -> Result<(), EngineError> {
        let beats = self
            .running
            .values()
            .map(|running| Beat { lease: running.lease.clone(), usage: running.journal.used() })
            .collect();
        let pulse = Pulse { beats, lanes: self.lanes.notes.take() };
        let beaten = match self.ledger.beat(&self.worker, &pulse).await {
            Ok(beaten) => beaten,
            Err(error) if error.is_passing() && self.beaten.elapsed() < PATIENCE => {
                tracing::warn!(%error, "the ledger does not answer");
                self.lanes.notes.put_back(pulse.lanes);
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        self.beaten = Instant::now();
        for (lane, share) in &beaten.shares {
            self.lanes.paces.set(lane, *share);
        }
        for (attempt, orders) in beaten.orders {
            if let Some(running) = self.running.get(&attempt) {
                running.tell.send_replace((orders, Instant::now()));
            }
        }
        Ok(())
    }
}

fn cell_ref(cell: &CellRow, number: u64) -> CellRef {
    CellRef::of(&cell.item, cell.epoch, number)
}
