//! Those who work: joining with pins that must be alike, draining, leaving; and how many slots there are.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::Row as _;

use super::LedgerError;
use super::database::{Ledger, count, ms, now, transaction, word};
use super::states::Gate;

/// How long a worker is shown that stopped by itself.
const UNFIT_SHOWN: Duration = Duration::from_secs(3600);

/// A process that takes cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Worker {
    /// Host and a nonce of this start: an id is never used again.
    pub id: String,
    pub host: String,
    /// Digest of the program.
    pub build: String,
    /// What all must have alike.
    pub pins: Value,
    pub slots: u32,
}

/// A worker as `status` shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct WorkerRow {
    pub id: String,
    pub host: String,
    pub build: String,
    pub slots: u64,
    pub state: Gate,
    /// Milliseconds since its last beat.
    pub silent_ms: u64,
    /// Attempts that it works on.
    pub running: u64,
    pub why: Option<String>,
}

impl Ledger {
    /// Enters a worker.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn join(&self, worker: &Worker) -> Result<(), LedgerError> {
        transaction!(self, |tx| {
            let at = now(tx).await?;
            sqlx::query(
                "INSERT INTO worker (id, host, build, pins, slots, state, failed, joined, seen) \
                 VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $7)",
            )
            .bind(&worker.id)
            .bind(&worker.host)
            .bind(&worker.build)
            .bind(worker.pins.to_string())
            .bind(i64::from(worker.slots))
            .bind(Gate::Open.to_string())
            .bind(at)
            .execute(&mut **tx)
            .await?;
            Ok(())
        })
    }

    /// Has a worker take nothing new: nothing is released for its slots any more, and it is told with its next beat. A reason that
    /// was given before stays where there is none now.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn drain_worker(&self, worker: &str, why: Option<&str>) -> Result<(), LedgerError> {
        sqlx::query("UPDATE worker SET state = $2, why = COALESCE($3, why) WHERE id = $1")
            .bind(worker)
            .bind(Gate::Draining.to_string())
            .bind(why)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// A worker stops.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn leave(&self, worker: &str) -> Result<(), LedgerError> {
        sqlx::query("UPDATE worker SET state = $2 WHERE id = $1")
            .bind(worker)
            .bind(Gate::Closed.to_string())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Workers that were heard of within a lease, and those that found themselves unfit within the last hour.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn workers(&self) -> Result<Vec<WorkerRow>, LedgerError> {
        let rows = sqlx::query(
            "SELECT id, host, build, slots, state, why, (SELECT ms FROM clock) - seen AS silent, \
             (SELECT COUNT(*) FROM attempt WHERE attempt.worker = worker.id AND attempt.state = 'running') AS running \
             FROM worker WHERE (state <> 'closed' AND seen > (SELECT ms FROM clock) - $1) \
             OR (state = 'closed' AND why IS NOT NULL AND seen > (SELECT ms FROM clock) - $2) ORDER BY id",
        )
        .bind(ms(self.terms.lease) * 2)
        .bind(ms(UNFIT_SHOWN))
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(WorkerRow {
                    id: row.try_get("id")?,
                    host: row.try_get("host")?,
                    build: row.try_get("build")?,
                    slots: count(row, "slots")?,
                    state: word(row, "state")?,
                    silent_ms: count(row, "silent")?,
                    running: count(row, "running")?,
                    why: row.try_get("why")?,
                })
            })
            .collect()
    }

    /// Slots of workers that take cells, less those of cells that are on their way.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn free_slots(&self) -> Result<u64, LedgerError> {
        let free: i64 = sqlx::query_scalar(
            "SELECT CAST(COALESCE((SELECT SUM(slots) FROM worker WHERE state = 'open' AND seen > (SELECT ms FROM clock) - $1), 0) \
             AS BIGINT) - (SELECT COUNT(*) FROM cell WHERE state IN ('released', 'running'))",
        )
        .bind(ms(self.terms.lease))
        .fetch_one(&self.pool)
        .await?;
        Ok(u64::try_from(free).unwrap_or_default())
    }
}
