//! Being the steward: one process at a time loses what is lost, releases what there is room for, and keeps the queue clean.
//! It has no state of its own, so that any process goes on where another fell silent.

use std::time::Duration;

use crate::LedgerError;
use crate::database::Ledger;
use crate::release::Released;

/// How many of apalis's beats a worker may miss before its tickets go to others.
const MISSED: u32 = 2;
/// The queue is looked after in every so many rounds.
const QUEUE_ROUNDS: u64 = 5;

/// A process that would be the steward.
pub struct Steward {
    ledger: Ledger,
    holder: String,
    experiment: Option<String>,
    beat: Duration,
    rounds: u64,
}

/// What one round of the steward did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tended {
    pub released: Released,
    /// Attempts of silent workers.
    pub lost: u64,
    /// Tickets that silent workers held.
    pub orphans: u64,
}

impl Steward {
    /// For all experiments of a ledger, or one. `holder` is a name that is never used again; `beat` is how often workers say
    /// that they live.
    pub const fn new(ledger: Ledger, holder: String, experiment: Option<String>, beat: Duration) -> Self {
        Self { ledger, holder, experiment, beat, rounds: 0 }
    }

    /// One round; `None` when another is the steward.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn tend(&mut self) -> Result<Option<Tended>, LedgerError> {
        if !self.ledger.be_steward(&self.holder).await? {
            return Ok(None);
        }
        let lost = self.ledger.reap().await?;
        let orphans = self.look_after_queue().await?;
        let free = self.ledger.free_slots().await?;
        let released = self.ledger.release(self.experiment.as_deref(), free).await?;
        self.rounds += 1;
        Ok(Some(Tended { released, lost, orphans }))
    }

    async fn look_after_queue(&self) -> Result<u64, LedgerError> {
        let Some(queue) = self.ledger.queue.as_ref().filter(|_| self.rounds.is_multiple_of(QUEUE_ROUNDS)) else {
            return Ok(0);
        };
        queue.sweep().await?;
        queue.requeue_orphans(self.beat * MISSED).await
    }
}
