//! The steward: what may be worked on is released, within lanes, budgets, pauses and free slots. Any process may be the
//! steward; it has no state of its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sqlx::Row as _;

use super::LedgerError;
use super::database::{Ledger, Tx, count, ms, now, transaction};
use super::deliver::push;
use super::lanes;
use super::spent::whole;

/// A steward of which nothing was heard for so long is replaced.
pub const STEWARD_TERM: Duration = Duration::from_secs(30);
/// A released cell that nobody took up for so long is released anew, whatever became of its ticket.
pub const TICKET_TERM: Duration = Duration::from_secs(600);
/// Cells that one pass releases at the most.
const BATCH: u64 = 500;

/// Says to a worker that a cell may be worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    pub cell: String,
    /// Which try it will be: with the cell it names the ticket, so that pushing it twice is pushing it once.
    pub number: u64,
}

/// Why less was released than there is: what binds, for people who turn knobs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub enum Bound {
    Slots,
    Lane(String),
    Budget(String),
}

/// What a pass of the steward did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Released {
    pub tickets: Vec<Ticket>,
    pub bounds: Vec<Bound>,
}

/// An arm that has cells to release.
struct Wanting {
    experiment: String,
    arm: String,
    lane: String,
    is_stream: bool,
    cap_usd: i64,
    cap_tokens: i64,
}

impl Ledger {
    /// Makes `holder` the steward, if there is none or it is the one already.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn be_steward(&self, holder: &str) -> Result<bool, LedgerError> {
        let taken = sqlx::query(
            "UPDATE steward SET holder = $1, until = (SELECT ms FROM clock) + $2 \
             WHERE one = 1 AND (holder = $1 OR until < (SELECT ms FROM clock))",
        )
        .bind(holder)
        .bind(ms(self.terms.steward))
        .execute(&self.pool)
        .await?;
        Ok(taken.rows_affected() == 1)
    }

    /// Releases cells for so many free slots, of one experiment or of all. Where a queue delivers, their tickets are in it when
    /// the release stands, and not before.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release(&self, experiment: Option<&str>, slots: u64) -> Result<Released, LedgerError> {
        transaction!(self, |tx| {
            let released = release(tx, experiment, slots, ms(self.terms.ticket)).await?;
            if self.queue.is_some() {
                push(tx, &released.tickets).await?;
            }
            Ok(released)
        })
    }
}

/// One pass in a transaction of the caller's.
async fn release(tx: &mut Tx, experiment: Option<&str>, slots: u64, term: i64) -> Result<Released, LedgerError> {
    // Two stewards at a time would release for the same room twice.
    sqlx::query("UPDATE steward SET one = one WHERE one = 1").execute(&mut **tx).await?;
    let at = now(tx).await?;
    let mut released = renewed(tx, experiment, at - term, at).await?;
    let mut room = Room { slots: slots.min(BATCH), lanes: lanes_now(tx, at).await?, budgets: BTreeMap::new() };
    for candidate in candidates(tx, experiment, &mut room, at).await? {
        if let Some(bound) = room.bound(&candidate.arm) {
            released.bounds.push(bound);
            continue;
        }
        room.take(&candidate.arm);
        mark(tx, &candidate.ticket.cell, at).await?;
        released.tickets.push(candidate.ticket);
    }
    note_busy(tx, &room.lanes).await?;
    released.bounds.sort();
    released.bounds.dedup();
    Ok(released)
}

/// What there is room for.
struct Room {
    slots: u64,
    lanes: BTreeMap<String, LaneRoom>,
    /// By experiment.
    budgets: BTreeMap<String, Left>,
}

/// A lane's room.
#[derive(Debug, Clone, Copy)]
struct LaneRoom {
    /// Attempts that it bears besides those that are on their way.
    free: u64,
    /// Cells that are on their way.
    busy: u64,
    /// What was noted of these before.
    noted: u64,
}

/// What is left of a budget, in micro-dollars and tokens; absent limits are none.
#[derive(Debug, Clone, Copy)]
struct Left {
    usd: Option<i64>,
    tokens: Option<i64>,
    is_over: bool,
}

/// A cell that may be released.
struct Candidate {
    arm: Arc<Wanting>,
    ord: i64,
    ticket: Ticket,
}

impl Room {
    /// Why there is no room for a cell of an arm.
    fn bound(&self, arm: &Wanting) -> Option<Bound> {
        let has = |left: Option<i64>, cap: i64| left.is_none_or(|left| left > 0 && left >= cap);
        let fits = self
            .budgets
            .get(&arm.experiment)
            .is_none_or(|left| !left.is_over && has(left.usd, arm.cap_usd) && has(left.tokens, arm.cap_tokens));
        if !fits {
            Some(Bound::Budget(arm.experiment.clone()))
        } else if self.lanes.get(&arm.lane).is_none_or(|lane| lane.free == 0) {
            Some(Bound::Lane(arm.lane.clone()))
        } else {
            (self.slots == 0).then_some(Bound::Slots)
        }
    }

    /// Takes the room of one cell.
    fn take(&mut self, arm: &Wanting) {
        self.slots = self.slots.saturating_sub(1);
        if let Some(lane) = self.lanes.get_mut(&arm.lane) {
            lane.free = lane.free.saturating_sub(1);
            lane.busy += 1;
        }
        if let Some(left) = self.budgets.get_mut(&arm.experiment) {
            left.usd = left.usd.map(|usd| usd.saturating_sub(arm.cap_usd));
            left.tokens = left.tokens.map(|tokens| tokens.saturating_sub(arm.cap_tokens));
        }
    }
}

/// The next cells of each arm, in the order of the plan: what drifts at a provider meets all arms alike. Cells of streams come
/// first, since they wait for each other. One more than there is room for shows what binds.
async fn candidates(
    tx: &mut Tx,
    experiment: Option<&str>,
    room: &mut Room,
    at: i64,
) -> Result<Vec<Candidate>, LedgerError> {
    let mut all = Vec::new();
    for arm in wanting(tx, experiment).await? {
        if !room.budgets.contains_key(&arm.experiment) {
            let left = budget_left(tx, &arm.experiment, at).await?;
            room.budgets.insert(arm.experiment.clone(), left);
        }
        let many = room.lanes.get(&arm.lane).map_or(0, |lane| lane.free).min(room.slots) + 1;
        let arm = Arc::new(arm);
        for row in next(tx, &arm, many).await? {
            let ord = row.try_get("ord")?;
            all.push(Candidate { arm: Arc::clone(&arm), ord, ticket: ticket(&row)? });
        }
    }
    all.sort_by_key(|candidate| (!candidate.arm.is_stream, candidate.ord));
    Ok(all)
}

/// Released cells whose tickets have become old, once more.
async fn renewed(tx: &mut Tx, experiment: Option<&str>, limit: i64, at: i64) -> Result<Released, LedgerError> {
    let rows = sqlx::query(
        "UPDATE cell SET since = $1 WHERE state = 'released' AND since < $2 \
         AND (CAST($3 AS TEXT) IS NULL OR experiment = $3) RETURNING id, tries",
    )
    .bind(at)
    .bind(limit)
    .bind(experiment)
    .fetch_all(&mut **tx)
    .await?;
    let tickets = rows.iter().map(ticket).collect::<Result<_, _>>()?;
    Ok(Released { tickets, bounds: Vec::new() })
}

fn ticket(row: &sqlx::any::AnyRow) -> Result<Ticket, LedgerError> {
    Ok(Ticket { cell: row.try_get("id")?, number: count(row, "tries")? + 1 })
}

/// Writes down how many cells of each lane are on their way.
async fn note_busy(tx: &mut Tx, lanes: &BTreeMap<String, LaneRoom>) -> Result<(), LedgerError> {
    for (name, lane) in lanes.iter().filter(|(_, lane)| lane.busy != lane.noted) {
        sqlx::query("UPDATE lane SET busy = $2 WHERE name = $1")
            .bind(name)
            .bind(whole(lane.busy))
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}

/// The room of each lane.
async fn lanes_now(tx: &mut Tx, at: i64) -> Result<BTreeMap<String, LaneRoom>, LedgerError> {
    let rows = sqlx::query(
        "SELECT name, in_flight, now_limit, failures, failing, opened, open_until, cut, grown, state, why, busy AS noted, \
         (SELECT COUNT(*) FROM cell JOIN arm ON arm.id = cell.arm \
          WHERE cell.state IN ('released', 'running') AND arm.lane = lane.name) AS busy FROM lane",
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut free = BTreeMap::new();
    for row in rows {
        let limit = lanes::read(&row)?.limit(at);
        let (busy, noted) = (count(&row, "busy")?, count(&row, "noted")?);
        free.insert(row.try_get("name")?, LaneRoom { free: limit.saturating_sub(busy), busy, noted });
    }
    Ok(free)
}

/// Arms with cells that are owed, where nothing is paused.
async fn wanting(tx: &mut Tx, experiment: Option<&str>) -> Result<Vec<Wanting>, LedgerError> {
    let rows = sqlx::query(
        "SELECT experiment.id AS experiment, arm.id AS arm, arm.lane AS lane, arm.is_stream AS is_stream, \
         COALESCE(arm.cap_usd, 0) AS cap_usd, COALESCE(arm.cap_tokens, 0) AS cap_tokens \
         FROM arm JOIN experiment ON experiment.id = arm.experiment \
         WHERE arm.state = 'open' AND experiment.state = 'open' \
         AND (CAST($1 AS TEXT) IS NULL OR experiment.id = $1) AND EXISTS (SELECT 1 FROM cell WHERE cell.arm = arm.id AND cell.state = 'wanted') ORDER BY arm.id",
    )
    .bind(experiment)
    .fetch_all(&mut **tx)
    .await?;
    let of = |row: &sqlx::any::AnyRow| -> Result<Wanting, LedgerError> {
        Ok(Wanting {
            experiment: row.try_get("experiment")?,
            arm: row.try_get("arm")?,
            lane: row.try_get("lane")?,
            is_stream: count(row, "is_stream")? == 1,
            cap_usd: row.try_get("cap_usd")?,
            cap_tokens: row.try_get("cap_tokens")?,
        })
    };
    rows.iter().map(of).collect()
}

/// What an experiment may still reserve: its budget less what is spent, and less what those that are on their way may spend yet.
async fn budget_left(tx: &mut Tx, experiment: &str, at: i64) -> Result<Left, LedgerError> {
    let row = sqlx::query(
        "SELECT budget_usd, budget_tokens, budget_wall, created, \
         (SELECT CAST(COALESCE(SUM(usd), 0) AS BIGINT) FROM spend WHERE spend.experiment = experiment.id) AS usd, \
         (SELECT CAST(COALESCE(SUM(tokens), 0) AS BIGINT) FROM spend WHERE spend.experiment = experiment.id) AS tokens \
         FROM experiment WHERE id = $1",
    )
    .bind(experiment)
    .fetch_one(&mut **tx)
    .await?;
    let reserved = sqlx::query(
        "SELECT CAST(COALESCE(SUM(CASE WHEN COALESCE(arm.cap_usd, 0) > COALESCE(attempt.usd, 0) \
           THEN arm.cap_usd - COALESCE(attempt.usd, 0) ELSE 0 END), 0) AS BIGINT) AS usd, \
         CAST(COALESCE(SUM(CASE WHEN COALESCE(arm.cap_tokens, 0) > COALESCE(attempt.tok_in + attempt.tok_out, 0) \
           THEN arm.cap_tokens - COALESCE(attempt.tok_in + attempt.tok_out, 0) ELSE 0 END), 0) AS BIGINT) AS tokens \
         FROM cell JOIN arm ON arm.id = cell.arm \
         LEFT JOIN attempt ON attempt.cell = cell.id AND attempt.state = 'running' \
         WHERE cell.experiment = $1 AND cell.state IN ('released', 'running')",
    )
    .bind(experiment)
    .fetch_one(&mut **tx)
    .await?;
    let left = |most: Option<i64>, column: &str| -> Result<Option<i64>, LedgerError> {
        let (spent, reserved): (i64, i64) = (row.try_get(column)?, reserved.try_get(column)?);
        Ok(most.map(|most| most - spent - reserved))
    };
    let wall: Option<i64> = row.try_get("budget_wall")?;
    let created: i64 = row.try_get("created")?;
    Ok(Left {
        usd: left(row.try_get("budget_usd")?, "usd")?,
        tokens: left(row.try_get("budget_tokens")?, "tokens")?,
        is_over: wall.is_some_and(|wall| at - created >= wall),
    })
}

/// So many cells of an arm that are owed, in their order. Of a stream only those come whose predecessors have ended.
async fn next(tx: &mut Tx, arm: &Wanting, many: u64) -> Result<Vec<sqlx::any::AnyRow>, LedgerError> {
    let sql = if arm.is_stream {
        "SELECT c.id, c.tries, c.ord FROM cell c WHERE c.arm = $1 AND c.state = 'wanted' AND NOT EXISTS ( \
         SELECT 1 FROM cell e WHERE e.arm = c.arm AND e.epoch = c.epoch AND e.ord < c.ord \
         AND e.state IN ('wanted', 'released', 'running')) ORDER BY c.ord LIMIT $2"
    } else {
        "SELECT id, tries, ord FROM cell WHERE arm = $1 AND state = 'wanted' ORDER BY ord LIMIT $2"
    };
    Ok(sqlx::query(sql).bind(&arm.arm).bind(whole(many)).fetch_all(&mut **tx).await?)
}

async fn mark(tx: &mut Tx, cell: &str, at: i64) -> Result<(), LedgerError> {
    sqlx::query("UPDATE cell SET state = 'released', since = $2 WHERE id = $1 AND state = 'wanted'")
        .bind(cell)
        .bind(at)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
