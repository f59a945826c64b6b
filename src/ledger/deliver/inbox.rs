//! A worker's end of the delivery: tickets of the queue, or, where there is none, released cells that it looks for itself.

use apalis_core::worker::context::WorkerContext;
use rand::seq::IndexedRandom as _;
use sqlx::Row as _;

use super::queue::Held;
use crate::LedgerError;
use crate::database::{Ledger, count};
use crate::release::Ticket;

/// Of so many of the oldest released cells one is taken by chance, so that workers who look at once seldom take the same.
const CHOICE: i64 = 8;

/// How one worker hears of cells.
pub struct Inbox {
    ledger: Ledger,
    worker: WorkerContext,
}

/// A ticket that has arrived.
#[derive(Debug, Clone)]
pub struct Delivered {
    pub ticket: Ticket,
    held: Option<Held>,
}

impl Ledger {
    /// The inbox of a worker whose id was never used before.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn inbox(&self, worker: &str) -> Result<Inbox, LedgerError> {
        let worker = WorkerContext::new(worker);
        if let Some(queue) = &self.queue {
            queue.register(&worker).await?;
        }
        Ok(Inbox { ledger: self.clone(), worker })
    }

    async fn released(&self) -> Result<Option<Ticket>, LedgerError> {
        let rows = sqlx::query("SELECT id, tries FROM cell WHERE state = 'released' ORDER BY since, ord LIMIT $1")
            .bind(CHOICE)
            .fetch_all(&self.pool)
            .await?;
        let row = rows.choose(&mut rand::rng());
        row.map(|row| Ok(Ticket { cell: row.try_get("id")?, number: count(row, "tries")? + 1 })).transpose()
    }
}

impl Inbox {
    /// The next ticket. It is this worker's until [`Self::done`], or until the worker falls silent.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next(&self) -> Result<Option<Delivered>, LedgerError> {
        let Some(queue) = &self.ledger.queue else {
            return Ok(self.ledger.released().await?.map(|ticket| Delivered { ticket, held: None }));
        };
        let held = queue.fetch(&self.worker).await?;
        Ok(held.map(|held| Delivered { ticket: held.ticket.clone(), held: Some(held) }))
    }

    /// The ledger has answered whether the ticket's cell may be begun: from here on the lease says who works on it, and the
    /// ticket has done its part.
    ///
    /// # Errors
    /// When the database fails; the ticket comes again then, and the ledger says that nobody is needed.
    pub async fn done(&self, delivered: &Delivered) -> Result<(), LedgerError> {
        match (&self.ledger.queue, &delivered.held) {
            (Some(queue), Some(held)) => queue.ack(&self.worker, held).await,
            _ => Ok(()),
        }
    }

    /// The worker lives, and keeps what it holds.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn alive(&self) -> Result<(), LedgerError> {
        match &self.ledger.queue {
            Some(queue) => queue.keep_alive(&self.worker).await,
            None => Ok(()),
        }
    }
}
