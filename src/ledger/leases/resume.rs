//! Taking over from a process that is known to be dead: what it had finished is handed in, and the rest is owed again at once,
//! instead of when its leases run out. Whoever calls holds the lock on the experiment's files.

use sqlx::Row as _;

use super::Lease;
use crate::LedgerError;
use crate::database::{Ledger, count, now, transaction};

/// An attempt that no process is known to end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unended {
    pub lease: Lease,
    /// The arm's label.
    pub arm: String,
    pub item: String,
    pub epoch: u64,
}

impl Ledger {
    /// The attempts of an experiment that have begun and not ended, lost ones included that are the newest of their cells.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn unended(&self, experiment: &str) -> Result<Vec<Unended>, LedgerError> {
        let rows = sqlx::query(
            "SELECT attempt.id AS id, attempt.cell AS cell, attempt.number AS number, attempt.token AS token, arm.label AS arm, \
             cell.item AS item, cell.epoch AS epoch FROM attempt JOIN cell ON cell.id = attempt.cell JOIN arm ON arm.id = attempt.arm \
             WHERE attempt.experiment = $1 AND attempt.state IN ('running', 'lost') AND attempt.number = cell.tries \
             AND cell.won IS NULL ORDER BY cell.ord",
        )
        .bind(experiment)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let lease = Lease {
                    cell: row.try_get("cell")?,
                    attempt: row.try_get("id")?,
                    number: count(row, "number")?,
                    token: row.try_get("token")?,
                };
                Ok(Unended { lease, arm: row.try_get("arm")?, item: row.try_get("item")?, epoch: count(row, "epoch")? })
            })
            .collect()
    }

    /// Makes all cells of an experiment that are on their way wanted again: whoever worked on them is dead. No counter moves;
    /// what the attempts cost stays spent. How many attempts there were.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn interrupted(&self, experiment: &str) -> Result<u64, LedgerError> {
        transaction!(self, |tx| {
            let at = now(tx).await?;
            let attempts = sqlx::query(
                "UPDATE attempt SET state = 'void', ended = $2, code = 'interrupted' WHERE experiment = $1 AND state = 'running'",
            )
            .bind(experiment)
            .bind(at)
            .execute(&mut **tx)
            .await?;
            sqlx::query(
                "UPDATE cell SET state = 'wanted', since = $2 WHERE experiment = $1 AND state IN ('released', 'running')",
            )
            .bind(experiment)
            .bind(at)
            .execute(&mut **tx)
            .await?;
            Ok(attempts.rows_affected())
        })
    }
}
