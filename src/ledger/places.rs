//! Where a cell belongs: what a worker must know of it that has only its ticket, and what it must have alike with others.

use std::collections::BTreeMap;

use serde_json::Value;
use sqlx::Row as _;

use super::LedgerError;
use super::database::{Ledger, count};
use super::leases::Lease;
use super::spent::whole;

/// The place of a cell in its experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub experiment: String,
    /// Label of its arm.
    pub arm: String,
    /// Digest of all that the arm's scores depend on: who works on it must come to the same.
    pub digest: String,
    pub lane: String,
    pub cap_micro_usd: Option<u64>,
    pub cap_tokens: Option<u64>,
    pub item: String,
    /// From 1.
    pub epoch: u64,
}

impl Ledger {
    /// Where a cell belongs.
    ///
    /// # Errors
    /// When there is no such cell, or the database fails.
    pub async fn place(&self, cell: &str) -> Result<Place, LedgerError> {
        let row = sqlx::query(
            "SELECT cell.experiment AS experiment, label, digest, lane, cap_usd, cap_tokens, item, epoch \
             FROM cell JOIN arm ON arm.id = cell.arm WHERE cell.id = $1",
        )
        .bind(cell)
        .fetch_optional(&self.pool)
        .await?
        .ok_or_else(|| LedgerError::Unknown { what: "cell", name: cell.to_owned() })?;
        let cap = |column| -> Result<Option<u64>, LedgerError> {
            Ok(row.try_get::<Option<i64>, _>(column)?.and_then(|cap| u64::try_from(cap).ok()))
        };
        Ok(Place {
            experiment: row.try_get("experiment")?,
            arm: row.try_get("label")?,
            digest: row.try_get("digest")?,
            lane: row.try_get("lane")?,
            cap_micro_usd: cap("cap_usd")?,
            cap_tokens: cap("cap_tokens")?,
            item: row.try_get("item")?,
            epoch: count(&row, "epoch")?,
        })
    }

    /// Records of the tries at a cell before this one, whoever made them, the first one first. A try that left none is not told of.
    ///
    /// # Errors
    /// When the database fails, or a record is no JSON.
    pub async fn earlier_records(&self, lease: &Lease) -> Result<Vec<Value>, LedgerError> {
        if lease.number <= 1 {
            return Ok(Vec::new());
        }
        let records: Vec<String> = sqlx::query_scalar(
            "SELECT record FROM attempt WHERE cell = $1 AND number < $2 AND record IS NOT NULL ORDER BY number",
        )
        .bind(&lease.cell)
        .bind(whole(lease.number))
        .fetch_all(&self.pool)
        .await?;
        records.iter().map(|record| read("record", record)).collect()
    }

    /// Experiments from files that have cells which are not decided, in the order in which they were entered.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn wanting(&self) -> Result<Vec<String>, LedgerError> {
        let ids = sqlx::query_scalar(
            "SELECT id FROM experiment WHERE run IS NULL AND state <> 'closed' AND EXISTS (SELECT 1 FROM cell WHERE cell.experiment = \
             experiment.id AND state IN ('wanted', 'released', 'running')) ORDER BY created, id",
        );
        Ok(ids.fetch_all(&self.pool).await?)
    }

    /// What all that work on an experiment must have alike.
    ///
    /// # Errors
    /// When there is no such experiment, or the database fails.
    pub async fn pins(&self, experiment: &str) -> Result<Value, LedgerError> {
        let pins = sqlx::query_scalar("SELECT pins FROM experiment WHERE id = $1").bind(experiment);
        let pins: Option<String> = pins.fetch_optional(&self.pool).await?;
        let pins = pins.ok_or_else(|| LedgerError::UnknownExperiment(experiment.to_owned()))?;
        read("pins", &pins)
    }

    /// All that the scores of an experiment's arms depend on, by their labels.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn specs(&self, experiment: &str) -> Result<BTreeMap<String, Value>, LedgerError> {
        let rows: Vec<(String, String)> = sqlx::query_as("SELECT label, spec FROM arm WHERE experiment = $1")
            .bind(experiment)
            .fetch_all(&self.pool)
            .await?;
        rows.into_iter().map(|(label, spec)| Ok((label, read("spec", &spec)?))).collect()
    }

    /// The text of an experiment's file.
    ///
    /// # Errors
    /// When there is no such experiment, or the database fails.
    pub async fn file(&self, experiment: &str) -> Result<String, LedgerError> {
        let text = sqlx::query_scalar("SELECT file FROM experiment WHERE id = $1").bind(experiment);
        let text: Option<String> = text.fetch_optional(&self.pool).await?;
        text.ok_or_else(|| LedgerError::UnknownExperiment(experiment.to_owned()))
    }
}

fn read(what: &'static str, text: &str) -> Result<Value, LedgerError> {
    serde_json::from_str(text).map_err(|error| LedgerError::Unreadable { what, reason: error.to_string() })
}
