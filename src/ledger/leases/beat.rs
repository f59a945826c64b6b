//! `beat`: a worker says that it lives, what its attempts have used, and how its lanes answered; it hears what to do.

use std::collections::BTreeMap;

use sqlx::{Any, Executor, Row as _};

use super::Lease;
use crate::LedgerError;
use crate::database::{Ledger, Tx, count, now, transaction, word};
use crate::lanes;
use crate::spent::{Increase, Usage, note_after};
use crate::states::{AttemptState, Gate};

/// What a worker says of one of its attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beat {
    pub lease: Lease,
    pub usage: Usage,
}

/// How a lane answered a worker since its last beat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LaneReport {
    pub succeeded: u64,
    /// Refused because of too many requests.
    pub limited: u64,
    /// Milliseconds that the provider asked to wait, at most.
    pub asked_ms: u64,
    /// Failed in another way that may pass.
    pub failed: u64,
    /// Attempts whose requests failed.
    pub failing: Vec<String>,
    /// Whether the key was refused.
    pub is_unauthorized: bool,
}

/// All that a worker says at once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pulse {
    pub beats: Vec<Beat>,
    pub lanes: BTreeMap<String, LaneReport>,
}

/// What an attempt is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orders {
    GoOn,
    /// Ask no model until it is told to go on.
    Hold,
    /// Its result can't count any more.
    Cancel,
}

/// The answer to a worker.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Beaten {
    /// By attempt.
    pub orders: BTreeMap<String, Orders>,
    /// Requests and tokens a minute that this worker may use of each lane that has such limits.
    pub shares: BTreeMap<String, Share>,
    /// Whether the worker takes nothing new and stops when its attempts have ended.
    pub drains: bool,
    /// Whether nothing was heard of the steward for too long: any worker may take over.
    pub is_unattended: bool,
}

/// A worker's share of a lane's limits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    pub rpm: Option<u64>,
    pub tpm: Option<u64>,
}

impl Ledger {
    /// Takes a worker's report.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn beat(&self, worker: &str, pulse: &Pulse) -> Result<Beaten, LedgerError> {
        // Of a worker that waits there is nothing else to be said, and there are many: one statement does.
        if pulse.beats.is_empty() && pulse.lanes.is_empty() {
            return alive(&self.pool, worker).await;
        }
        transaction!(self, |tx| {
            let at = now(tx).await?;
            let mut beaten = alive(&mut **tx, worker).await?;
            let mut increase = Increase::default();
            // In one order everywhere, so that workers that report the same lanes don't wait for each other in a circle.
            for (name, report) in &pulse.lanes {
                lanes::report(tx, name, report, at).await?;
            }
            let mut mine = BTreeMap::new();
            for beat in &pulse.beats {
                let orders = one(tx, beat, at, &mut increase, (worker, &mut mine)).await?;
                beaten.orders.insert(beat.lease.attempt.clone(), orders);
            }
            beaten.shares = shares(tx, &mine).await?;
            increase.write(tx).await?;
            Ok(beaten)
        })
    }
}

/// Notes that a worker lives, and tells it whether it shall drain, and whether there is a steward.
async fn alive(connection: impl Executor<'_, Database = Any>, worker: &str) -> Result<Beaten, LedgerError> {
    let row = sqlx::query(
        "UPDATE worker SET seen = (SELECT ms FROM clock) WHERE id = $1 \
         RETURNING state, CASE WHEN (SELECT until FROM steward WHERE one = 1) < seen THEN 1 ELSE 0 END AS unattended",
    )
    .bind(worker)
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(Beaten::default()) };
    let is_unattended = count(&row, "unattended")? == 1;
    Ok(Beaten { drains: word::<Gate>(&row, "state")? == Gate::Draining, is_unattended, ..Beaten::default() })
}

/// Takes the report of one attempt; those that run are counted for `worker`, by lane.
async fn one(
    tx: &mut Tx,
    beat: &Beat,
    at: i64,
    increase: &mut Increase,
    (worker, mine): (&str, &mut BTreeMap<String, u64>),
) -> Result<Orders, LedgerError> {
    let row = sqlx::query(
        "UPDATE attempt SET seen = CASE WHEN state = 'running' THEN $3 ELSE seen END WHERE id = $1 AND token = $2 \
         RETURNING state, experiment, arm, lane, worker, usd, tok_in, tok_out",
    )
    .bind(&beat.lease.attempt)
    .bind(&beat.lease.token)
    .bind(at)
    .fetch_optional(&mut **tx)
    .await?;
    let Some(row) = row else { return Ok(Orders::Cancel) };
    note_after(tx, &beat.lease.attempt, &beat.usage, &row, increase).await?;
    if word::<AttemptState>(&row, "state")? != AttemptState::Running {
        return Ok(Orders::Cancel);
    }
    if row.try_get::<String, _>("worker")? == worker {
        *mine.entry(row.try_get("lane")?).or_default() += 1;
    }
    let lane: String = row.try_get("lane")?;
    // A lane that was closed by failures holds all attempts, and after the pause all but the one that tries it.
    let held = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM experiment WHERE id = $1 AND state = 'held') \
         + (SELECT COUNT(*) FROM arm WHERE id = $2 AND state = 'held') \
         + (SELECT COUNT(*) FROM lane WHERE name = $3 AND (state = 'held' OR open_until > $4)) AS held, \
         (SELECT COUNT(*) FROM lane WHERE name = $3 AND opened > 0) AS broken",
    )
    .bind(row.try_get::<String, _>("experiment")?)
    .bind(row.try_get::<String, _>("arm")?)
    .bind(&lane)
    .bind(at)
    .fetch_one(&mut **tx)
    .await?;
    let is_held = count(&held, "held")? > 0
        || count(&held, "broken")? > 0 && !lanes::is_probe(tx, &lane, &beat.lease.attempt).await?;
    Ok(if is_held { Orders::Hold } else { Orders::GoOn })
}

/// What a worker may use of each lane: in proportion to its attempts that run. How many there are of all workers is what the last
/// release counted: a thousand workers that counted for themselves would do little else.
async fn shares(tx: &mut Tx, mine: &BTreeMap<String, u64>) -> Result<BTreeMap<String, Share>, LedgerError> {
    let mut shares = BTreeMap::new();
    if mine.is_empty() {
        return Ok(shares);
    }
    let rows = sqlx::query("SELECT name, rpm, tpm, busy FROM lane WHERE rpm IS NOT NULL OR tpm IS NOT NULL")
        .fetch_all(&mut **tx)
        .await?;
    for row in rows {
        let name: String = row.try_get("name")?;
        let Some(mine) = mine.get(&name) else { continue };
        let everyone = count(&row, "busy")?.max(*mine);
        let part = |limit: Option<i64>| limit.map(|limit| u64::try_from(limit).unwrap_or_default() * mine / everyone);
        shares.insert(name, Share { rpm: part(row.try_get("rpm")?), tpm: part(row.try_get("tpm")?) });
    }
    Ok(shares)
}
