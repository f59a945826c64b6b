//! Lanes as `status` shows them: which limit holds, and why.

use serde::Serialize;
use sqlx::Row as _;

use super::LedgerError;
use super::database::{Ledger, count};
use super::lanes::read;
use super::states::Gate;

/// A lane at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LaneStatus {
    pub name: String,
    /// Attempts at a time, as configured.
    pub in_flight: u64,
    /// Attempts that may run in it now: fewer after refusals, none while it is closed.
    pub limit: u64,
    /// Attempts that are released or run in it, of all experiments.
    pub busy: u64,
    /// Requests a minute.
    pub rpm: Option<u64>,
    /// Tokens a minute.
    pub tpm: Option<u64>,
    pub state: Gate,
    pub why: Option<String>,
    /// Milliseconds until it is tried again, after failures.
    pub closed_ms: u64,
    /// Failures since the last success.
    pub failures: u64,
}

impl Ledger {
    /// The lanes that an experiment's arms ask, by name.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lanes(&self, experiment: &str) -> Result<Vec<LaneStatus>, LedgerError> {
        let rows = sqlx::query(
            "SELECT name, in_flight, now_limit, failures, failing, opened, open_until, cut, grown, state, why, rpm, tpm, \
             (SELECT ms FROM clock) AS at, \
             (SELECT COUNT(*) FROM cell JOIN arm ON arm.id = cell.arm \
              WHERE cell.state IN ('released', 'running') AND arm.lane = lane.name) AS busy \
             FROM lane WHERE name IN (SELECT lane FROM arm WHERE experiment = $1) ORDER BY name",
        )
        .bind(experiment)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let (state, at): (_, i64) = (read(row)?, row.try_get("at")?);
                let amount = |column| -> Result<Option<u64>, LedgerError> {
                    Ok(row.try_get::<Option<i64>, _>(column)?.and_then(|amount| u64::try_from(amount).ok()))
                };
                Ok(LaneStatus {
                    name: row.try_get("name")?,
                    in_flight: state.in_flight,
                    limit: state.limit(at),
                    busy: count(row, "busy")?,
                    rpm: amount("rpm")?,
                    tpm: amount("tpm")?,
                    closed_ms: u64::try_from(state.open_until - at).unwrap_or_default(),
                    failures: state.failures,
                    state: state.gate,
                    why: state.why,
                })
            })
            .collect()
    }
}
