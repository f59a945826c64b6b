//! Later grades of attempts: what another judge made of the same project, beside the first verdict, which stays in the attempt.

use serde::Serialize;
use sqlx::Row as _;

use super::LedgerError;
use super::database::{Ledger, count, now, transaction};
use super::spent::whole;

/// The attempt at a cell whose project is judged: the one that counts, else the newest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// Label of its arm.
    pub arm: String,
    pub item: String,
    /// From 1.
    pub epoch: u64,
    /// Its id.
    pub attempt: String,
    /// Who made it, and gave the first verdict.
    pub worker: String,
}

/// A grade that a later judge gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Grade {
    /// The attempt's id.
    pub attempt: String,
    /// Digest of the judge: an attempt has one grade by each.
    pub grading: String,
    /// The outcome's word.
    pub outcome: String,
    /// Tests that passed.
    pub passed: u64,
    /// Tests that there are.
    pub total: u64,
}

impl Ledger {
    /// The attempts of an experiment whose projects may be judged again, one a cell, in the order of its plan.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn judged(&self, experiment: &str) -> Result<Vec<Judged>, LedgerError> {
        let rows = sqlx::query(
            "SELECT label, item, epoch, attempt.id AS id, worker FROM cell JOIN arm ON arm.id = cell.arm \
             JOIN attempt ON attempt.id = COALESCE(cell.won, cell.id || '#' || CAST(cell.tries AS TEXT)) \
             WHERE cell.experiment = $1 ORDER BY cell.ord",
        )
        .bind(experiment)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Judged {
                    arm: row.try_get("label")?,
                    item: row.try_get("item")?,
                    epoch: count(row, "epoch")?,
                    attempt: row.try_get("id")?,
                    worker: row.try_get("worker")?,
                })
            })
            .collect()
    }

    /// Keeps grades, all of them or none. A judge that is asked again replaces what it said before, and nothing else.
    ///
    /// # Errors
    /// When there is no such attempt, or the database fails.
    pub async fn add_grades(&self, grades: &[Grade]) -> Result<(), LedgerError> {
        transaction!(self, |tx| {
            let at = now(tx).await?;
            for grade in grades {
                sqlx::query(
                    "INSERT INTO grade (attempt, grading, outcome, passed, total, made) VALUES ($1, $2, $3, $4, $5, $6) \
                     ON CONFLICT (attempt, grading) DO UPDATE SET outcome = $3, passed = $4, total = $5, made = $6",
                )
                .bind(&grade.attempt)
                .bind(&grade.grading)
                .bind(&grade.outcome)
                .bind(whole(grade.passed))
                .bind(whole(grade.total))
                .bind(at)
                .execute(&mut **tx)
                .await?;
            }
            Ok(())
        })
    }

    /// The later grades of an experiment's attempts, by attempt, the oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn grades(&self, experiment: &str) -> Result<Vec<Grade>, LedgerError> {
        let rows = sqlx::query(
            "SELECT attempt, grading, outcome, passed, total FROM grade WHERE attempt IN \
             (SELECT id FROM attempt WHERE experiment = $1) ORDER BY attempt, made, grading",
        )
        .bind(experiment)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Grade {
                    attempt: row.try_get("attempt")?,
                    grading: row.try_get("grading")?,
                    outcome: row.try_get("outcome")?,
                    passed: count(row, "passed")?,
                    total: count(row, "total")?,
                })
            })
            .collect()
    }
}
