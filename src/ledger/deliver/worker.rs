//! A worker: slots that take tickets, begin, work and end; beats beside them, from a task of their own, so that a slow call of one
//! slot costs no other its lease.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rand::RngExt as _;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::slots::{Shared, Taken, beat_all_the_time, patiently};
use crate::leases::{Beaten, Ended, Finish, LaneReport, Lease, Orders};
use crate::{Ledger, LedgerError, Usage, Worker};

/// How often a worker does what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Between beats; a third of a lease.
    pub beat: Duration,
    /// Between looks for a ticket, by chance up to a quarter shorter or longer; doubled while there is none, up to `idle_most`.
    pub idle: Duration,
    pub idle_most: Duration,
    /// Between rounds of the steward, where the worker becomes it; `None` for workers that never do.
    pub steward: Option<Duration>,
    /// How long attempts may go on after the order to drain; then they are given back.
    pub grace: Duration,
    /// How long the ledger may be away before the worker gives up.
    pub patience: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            beat: Duration::from_secs(15),
            idle: Duration::from_secs(1),
            idle_most: Duration::from_secs(20),
            steward: Some(Duration::from_secs(1)),
            grace: Duration::from_secs(540),
            patience: Duration::from_secs(600),
        }
    }
}

/// What a worker is told from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    GoOn,
    /// Take nothing new; attempts may end within the grace.
    Drain,
    /// Give all attempts back.
    Now,
}

/// Which call was made, for measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::Display, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Call {
    Fetch,
    Begin,
    Beat,
    End,
}

/// What an attempt has to work with.
pub struct Given {
    pub lease: Lease,
    /// What it is told, with when that was heard. After half a minute without news nothing that costs should be begun.
    pub told: watch::Receiver<(Orders, Instant)>,
    /// What it has used so far; the beats report it.
    pub used: watch::Sender<Usage>,
}

/// What an attempt came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Made {
    Finished(Box<Finish>),
    /// There is no result, and nobody failed.
    GivenBack {
        why: String,
    },
    /// There is none, and there would be none of other cells either: the host takes nothing more.
    Refused {
        why: String,
    },
}

/// Makes attempts. The other calls are for those who want to know.
pub trait Work: Send + Sync + 'static {
    /// Makes one attempt. Its record is on the disk when this returns.
    fn attempt(&self, given: Given) -> impl Future<Output = Made> + Send;

    /// The ledger has taken note of a result.
    fn ended(&self, _lease: &Lease, _ended: Ended) {}

    /// What the lanes answered since this was last asked.
    fn lanes(&self) -> BTreeMap<String, LaneReport> {
        BTreeMap::new()
    }

    /// The report could not be handed in.
    fn put_back(&self, _reports: BTreeMap<String, LaneReport>) {}

    /// What the ledger answered to a beat.
    fn heard(&self, _beaten: &Beaten) {}

    /// How long a call took.
    fn measured(&self, _call: Call, _took: Duration) {}
}

/// What a worker did, when it stops.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Served {
    pub attempts: u64,
    /// Why it stopped by itself: it can make no attempts, or too many in a row were spoiled by the testbed.
    pub unfit: Option<String>,
}

/// Works until it is told to stop, or the ledger is away for too long.
///
/// # Errors
/// When the ledger fails; attempts that run are left to their leases then.
pub async fn serve<W: Work>(
    ledger: &Ledger,
    worker: &Worker,
    work: &Arc<W>,
    pace: Pace,
    stop: watch::Receiver<Stop>,
) -> Result<Served, LedgerError> {
    patiently!(pace, ledger.join(worker))?;
    let inbox = patiently!(pace, ledger.inbox(&worker.id))?;
    let shared = Arc::new(Shared::new(ledger.clone(), inbox, worker.id.clone(), Arc::clone(work), pace));
    let mut beats = JoinSet::new();
    beats.spawn(beat_all_the_time(Arc::clone(&shared)));
    let served = slots(&shared, worker.slots as usize, stop).await;
    beats.shutdown().await;
    // Should the ledger be away just now, the silence tells the same.
    let _ = ledger.leave(&worker.id).await;
    served
}

async fn slots<W: Work>(
    shared: &Arc<Shared<W>>,
    slots: usize,
    mut stop: watch::Receiver<Stop>,
) -> Result<Served, LedgerError> {
    let mut drains = shared.drains.subscribe();
    let mut attempts = JoinSet::new();
    let mut served = Served::default();
    let mut idle = shared.pace.idle;
    let mut look = Instant::now();
    let mut deadline = None;
    loop {
        let order = *stop.borrow_and_update();
        let is_draining = *drains.borrow_and_update() || order != Stop::GoOn;
        if is_draining && attempts.is_empty() {
            return Ok(Served { unfit: shared.unfit(), ..served });
        }
        if is_draining {
            if deadline.is_none() && order != Stop::GoOn {
                shared.stops().await;
            }
            let last = *deadline.get_or_insert_with(|| Instant::now() + shared.pace.grace);
            if order == Stop::Now || Instant::now() >= last {
                shared.abort_all();
            }
        }
        tokio::select! {
            ended = attempts.join_next(), if !attempts.is_empty() => {
                // A panic of an attempt is caught further in; here one would be a fault of this loop.
                if let Some(Ok(ended)) = ended {
                    ended?;
                    served.attempts += 1;
                }
                (idle, look) = (shared.pace.idle, Instant::now());
            }
            () = sleep_until(look), if !is_draining && attempts.len() < slots => match shared.take().await? {
                Taken::Begun(lease) => {
                    let slot = Arc::clone(shared);
                    attempts.spawn(async move { slot.attempt(lease).await });
                    (idle, look) = (shared.pace.idle, Instant::now());
                }
                Taken::NotNeeded => look = Instant::now(),
                Taken::Nothing => {
                    look = Instant::now() + idle.mul_f64(rand::rng().random_range(0.75..1.25));
                    idle = (idle * 2).min(shared.pace.idle_most);
                }
            },
            () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some_and(|last| Instant::now() < last) => {}
            Ok(()) = drains.changed() => {}
            Ok(()) = stop.changed() => {}
        }
    }
}
