//! Attempts that count in more than one experiment: a cell may be decided by the attempt at a cell of equal key in another
//! experiment. The attempt keeps its place, and its cost is spent there alone.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use sqlx::Row as _;

use super::LedgerError;
use super::database::{Ledger, count, now, transaction};

/// Who made attempts that came with the folder of an experiment which is entered anew: nobody knows. They decide cells of that
/// experiment, and of no other.
pub const ELSEWHERE: &str = "made elsewhere";

/// A cell that an attempt of another experiment decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reused {
    /// Label of its arm.
    pub arm: String,
    pub item: String,
    /// From 1.
    pub epoch: u64,
    /// The attempt's id.
    pub attempt: String,
    /// Which try it was at its own cell, from 1.
    pub number: u64,
    /// The experiment that it was made for.
    pub from: String,
    /// Label of the arm that it was made for.
    pub from_arm: String,
    /// The folder of the attempts that it is among, absolute, if it was made for a run.
    pub run: Option<String>,
}

impl Ledger {
    /// Keys of cells that are decided in other experiments than this one, by attempts that were made for this ledger.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn decided_elsewhere(&self, experiment: &str) -> Result<BTreeSet<String>, LedgerError> {
        let keys = sqlx::query_scalar(
            "SELECT DISTINCT cell.key FROM cell JOIN attempt ON attempt.id = cell.won \
             WHERE cell.state = 'decided' AND cell.experiment <> $1 AND attempt.worker <> $2",
        );
        let keys: Vec<String> = keys.bind(experiment).bind(ELSEWHERE).fetch_all(&self.pool).await?;
        Ok(keys.into_iter().collect())
    }

    /// Decides the cells of an experiment that nobody has tried by attempts at cells of equal key in other experiments, by the
    /// oldest where there are several. Cells of streams are left alone, since an attempt there builds on those before it, and attempts
    /// that were made elsewhere decide nothing here. How many cells there were.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reuse(&self, experiment: &str) -> Result<u64, LedgerError> {
        transaction!(self, |tx| {
            let at = now(tx).await?;
            let found: Vec<(String, String, i64)> = sqlx::query_as(
                "SELECT cell.id, attempt.id, attempt.number FROM cell JOIN arm ON arm.id = cell.arm \
                 JOIN cell AS other ON other.key = cell.key AND other.experiment <> cell.experiment AND other.state = 'decided' \
                 JOIN attempt ON attempt.id = other.won \
                 WHERE cell.experiment = $1 AND cell.state = 'wanted' AND cell.tries = 0 AND arm.is_stream = 0 \
                 AND attempt.worker <> $2 \
                 ORDER BY cell.id, attempt.ended DESC, attempt.id DESC",
            )
            .bind(experiment)
            .bind(ELSEWHERE)
            .fetch_all(&mut **tx)
            .await?;
            // The last one of a cell stays: the oldest.
            let oldest: BTreeMap<String, (String, i64)> =
                found.into_iter().map(|(cell, attempt, number)| (cell, (attempt, number))).collect();
            let mut reused = 0;
            for (cell, (attempt, number)) in oldest {
                // Should the cell be tried after all, its tries go on counting, so that names of folders stay apart.
                let decided = sqlx::query(
                    "UPDATE cell SET state = 'decided', won = $2, tries = $3, since = $4, why = NULL \
                     WHERE id = $1 AND state = 'wanted' AND tries = 0 AND won IS NULL",
                )
                .bind(&cell)
                .bind(&attempt)
                .bind(number)
                .bind(at)
                .execute(&mut **tx)
                .await?;
                reused += decided.rows_affected();
            }
            Ok(reused)
        })
    }

    /// The cells of an experiment that attempts of other ones decide, in the order of its plan. Where the other one was archived,
    /// nobody knows any more where the attempt was made, and the cell is not among them.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reused(&self, experiment: &str) -> Result<Vec<Reused>, LedgerError> {
        let rows = sqlx::query(
            "SELECT arm.label AS label, cell.item AS item, cell.epoch AS epoch, attempt.id AS attempt, \
             attempt.number AS number, attempt.experiment AS source, made.label AS source_arm, origin.run AS run FROM cell \
             JOIN arm ON arm.id = cell.arm JOIN attempt ON attempt.id = cell.won JOIN arm AS made ON made.id = attempt.arm \
             JOIN experiment AS origin ON origin.id = attempt.experiment \
             WHERE cell.experiment = $1 AND attempt.experiment <> $1 ORDER BY cell.ord, cell.id",
        )
        .bind(experiment)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Reused {
                    arm: row.try_get("label")?,
                    item: row.try_get("item")?,
                    epoch: count(row, "epoch")?,
                    attempt: row.try_get("attempt")?,
                    number: count(row, "number")?,
                    from: row.try_get("source")?,
                    from_arm: row.try_get("source_arm")?,
                    run: row.try_get("run")?,
                })
            })
            .collect()
    }
}
