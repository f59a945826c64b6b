//! Tickets over Postgres, delivered by apalis: its tables, its fetch that skips what others hold, its signs of life. Pushing is
//! part of the release's transaction, so its statement is ours.

use std::time::Duration;

use apalis_core::backend::TaskResult;
use apalis_core::task::status::Status;
use apalis_core::worker::context::WorkerContext;
use apalis_postgres::{Config, PgPool, PgTaskId, PostgresStorage, queries};
use serde_json::Value;
use sqlx::postgres::PgPoolOptions;

use crate::LedgerError;
use crate::database::Tx;
use crate::release::Ticket;

/// All tickets are in one queue: the release has chosen already, and more queues are more questions.
const QUEUE: &str = "scratchbed";
/// How long a call waits for a connection.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often the tables are tried to be made: a fleet that starts makes them all at once.
const TRIES: u32 = 5;
/// Workers of which nothing was heard for so long, and that hold no ticket, are forgotten.
const FORGOTTEN_S: f64 = 86_400.0;

/// The queue of one process.
#[derive(Debug, Clone)]
pub struct Queue {
    pool: PgPool,
    config: Config,
}

/// A ticket that a worker holds.
#[derive(Debug, Clone)]
pub struct Held {
    pub ticket: Ticket,
    task: PgTaskId,
}

impl Queue {
    /// Connects, and makes apalis's tables where they are not those of this program.
    pub(crate) async fn open(url: &str, connections: u32) -> Result<Self, LedgerError> {
        let pool = PgPoolOptions::new().max_connections(connections).acquire_timeout(PATIENCE).connect(url).await?;
        let mut tries = 0;
        while !is_current(&pool).await {
            tries += 1;
            match PostgresStorage::setup(&pool).await {
                Ok(()) => break,
                Err(_) if tries < TRIES => tokio::time::sleep(Duration::from_millis(200)).await,
                Err(error) => return Err(failed(error)),
            }
        }
        // One at a time: what a worker holds and does not work on, no other can have.
        let config = Config::default().queue(QUEUE).batch_size(1);
        Ok(Self { pool, config })
    }

    /// Enters a worker. Its name must be new: a second one of the same name would keep the dead one's tickets alive.
    pub(super) async fn register(&self, worker: &WorkerContext) -> Result<(), LedgerError> {
        let mut connection = self.pool.acquire().await?;
        sqlx::query("INSERT INTO apalis.workers (id, worker_type, storage_name, layers, last_seen) VALUES ($1, $2, $3, $4, now())")
            .bind(worker.name())
            .bind(QUEUE)
            .bind("PgStorage")
            .bind(worker.get_service())
            .execute(&mut *connection)
            .await?;
        Ok(())
    }

    /// Takes the next ticket.
    pub(super) async fn fetch(&self, worker: &WorkerContext) -> Result<Option<Held>, LedgerError> {
        let mut connection = self.pool.acquire().await?;
        let tasks = queries::fetch_next(&mut *connection, &self.config, worker).await.map_err(failed)?;
        let Some(task) = tasks.into_iter().next() else { return Ok(None) };
        let unreadable = |reason: String| LedgerError::Unreadable { what: "ticket", reason };
        let ticket = serde_json::from_slice(&task.args).map_err(|error| unreadable(error.to_string()))?;
        let task = task.task_id().cloned().ok_or_else(|| unreadable("it has no id".to_owned()))?;
        Ok(Some(Held { ticket, task }))
    }

    /// A ticket has told what it had to tell.
    pub(super) async fn ack(&self, worker: &WorkerContext, held: &Held) -> Result<(), LedgerError> {
        let mut connection = self.pool.acquire().await?;
        let result =
            TaskResult { task_id: held.task.clone(), attempt: 1, status: Status::Done, result: Ok(Value::Null) };
        queries::handle_results(&mut *connection, &[&result], worker.name()).await.map_err(failed)?;
        Ok(())
    }

    /// A worker lives. One that was forgotten is entered anew.
    pub(super) async fn keep_alive(&self, worker: &WorkerContext) -> Result<(), LedgerError> {
        let mut connection = self.pool.acquire().await?;
        match queries::keep_alive(&mut *connection, QUEUE, worker).await {
            Err(apalis_postgres::Error::WorkerOutOfSync) => drop(connection),
            other => return other.map_err(failed),
        }
        self.register(worker).await
    }

    /// Puts tickets back that silent workers hold. For the steward: if every worker did so, a thousand would look at the same.
    pub(super) async fn requeue_orphans(&self, silent: Duration) -> Result<u64, LedgerError> {
        let mut connection = self.pool.acquire().await?;
        queries::reenqueue_orphaned(&mut *connection, QUEUE, silent.as_secs().max(1)).await.map_err(failed)
    }

    /// Removes tickets that have told what they had to tell, and workers that are long gone.
    pub(super) async fn sweep(&self) -> Result<u64, LedgerError> {
        let tickets = "DELETE FROM apalis.jobs WHERE job_type = $1 AND status IN ('Done', 'Failed', 'Killed')";
        let swept = sqlx::query(tickets).bind(QUEUE).execute(&self.pool).await?.rows_affected();
        sqlx::query(
            "DELETE FROM apalis.workers WHERE worker_type = $1 AND last_seen < now() - make_interval(secs => $2) \
             AND NOT EXISTS (SELECT 1 FROM apalis.jobs WHERE jobs.lock_by = workers.id)",
        )
        .bind(QUEUE)
        .bind(FORGOTTEN_S)
        .execute(&self.pool)
        .await?;
        Ok(swept)
    }
}

/// Puts tickets into the queue, in a transaction on the same database. A ticket's key is the cell and the try: one that is there
/// already is replaced, whoever holds it, so that pushing twice is pushing once, and a renewed one is free to be fetched. Times
/// are the database's, and tickets of one release keep their order.
pub async fn push(tx: &mut Tx, tickets: &[Ticket]) -> Result<(), LedgerError> {
    if tickets.is_empty() {
        return Ok(());
    }
    let json = serde_json::to_string(tickets).unwrap_or_default();
    for sql in [
        "DELETE FROM apalis.jobs WHERE job_type = $1 AND idempotency_key IN ( \
         SELECT (ticket ->> 'cell') || '#' || (ticket ->> 'number') FROM jsonb_array_elements(CAST($2 AS jsonb)) AS ticket)",
        "INSERT INTO apalis.jobs (id, job_type, job, status, attempts, max_attempts, run_at, priority, idempotency_key) \
         SELECT apalis.generate_ulid(), $1, convert_to(CAST(ticket AS text), 'UTF8'), 'Pending', 0, 1, \
         now() + place * interval '1 microsecond', 0, (ticket ->> 'cell') || '#' || (ticket ->> 'number') \
         FROM jsonb_array_elements(CAST($2 AS jsonb)) WITH ORDINALITY AS all_of_them (ticket, place)",
    ] {
        sqlx::query(sql).bind(QUEUE).bind(&json).execute(&mut **tx).await?;
    }
    Ok(())
}

/// Whether apalis's tables are those that this program would make.
async fn is_current(pool: &PgPool) -> bool {
    let newest = PostgresStorage::migrations().iter().map(|migration| migration.version).max();
    let found: Result<Option<i64>, _> =
        sqlx::query_scalar("SELECT MAX(version) FROM apalis._sqlx_migrations").fetch_one(pool).await;
    found.is_ok_and(|found| found == newest)
}

fn failed(error: apalis_postgres::Error) -> LedgerError {
    match error {
        apalis_postgres::Error::Database(error) => LedgerError::Unreachable(error),
        other => LedgerError::Queue { reason: other.to_string() },
    }
}
