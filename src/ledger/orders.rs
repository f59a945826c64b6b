//! Orders of researchers: pause, hold, go on, drain; limits that change while it runs; cells wanted again. Each is kept with who
//! gave it, and survives restarts.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::Row as _;

use super::LedgerError;
use super::database::{Ledger, Tx, count, now, transaction};
use super::spent::whole;
use super::states::{CellState, Gate};

/// What an order is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    Experiment,
    /// The arm of this label.
    Arm(String),
    Lane(String),
}

/// A limit that may change while an experiment runs. Limits of attempts can't: they are what is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Micro-dollars of the experiment.
    Usd,
    Tokens,
    /// Milliseconds of the experiment.
    Wall,
    /// Attempts at a time in a lane.
    InFlight,
    Rpm,
    Tpm,
}

impl Limit {
    /// Whether it is a lane's; the others are the experiment's.
    pub const fn is_of_lane(self) -> bool {
        matches!(self, Self::InFlight | Self::Rpm | Self::Tpm)
    }

    /// Whether it can have this value; `None` takes it away.
    ///
    /// # Errors
    /// For 0, which would stop what `pause` stops, and for a lane without a number of attempts at a time.
    pub const fn check(self, value: Option<u64>) -> Result<(), LedgerError> {
        match (self, value) {
            (_, Some(0)) => Err(LedgerError::LimitRefused { why: "a limit is a number above 0" }),
            (Self::InFlight, None) => {
                Err(LedgerError::LimitRefused { why: "a lane needs a number of attempts at a time" })
            }
            _ => Ok(()),
        }
    }
}

/// Which cells are wanted again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Requeue {
    /// Dead cells with these ids.
    Cells(Vec<String>),
    /// Dead cells whose last attempt failed with this code.
    Code(String),
    /// A decided cell: its verdict no longer counts, for this reason.
    Void { cell: String, reason: String },
}

/// An order that was given.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Order {
    pub seq: u64,
    /// Milliseconds since 1970.
    pub at: u64,
    pub who: String,
    pub what: Value,
}

impl Ledger {
    /// Opens or closes the gate of an experiment, an arm or a lane. The order as it was noted.
    ///
    /// # Errors
    /// When there is no such thing, or the database fails.
    pub async fn set_gate(
        &self,
        experiment: &str,
        scope: &Scope,
        gate: Gate,
        who: &str,
        why: Option<&str>,
    ) -> Result<Order, LedgerError> {
        transaction!(self, |tx| {
            let word = gate.to_string();
            let changed = match scope {
                Scope::Experiment => {
                    sqlx::query("UPDATE experiment SET state = $2, why = $3 WHERE id = $1").bind(experiment).bind(&word).bind(why)
                }
                Scope::Arm(label) => {
                    sqlx::query("UPDATE arm SET state = $2, why = $3 WHERE experiment = $1 AND label = $4")
                        .bind(experiment)
                        .bind(&word)
                        .bind(why)
                        .bind(label)
                }
                // Opening a lane by hand ends a pause after failures, too.
                Scope::Lane(name) => sqlx::query(
                    "UPDATE lane SET state = $2, why = $3, failures = 0, failing = '', opened = 0, open_until = 0 WHERE name = $1",
                )
                .bind(name)
                .bind(&word)
                .bind(why),
            };
            if changed.execute(&mut **tx).await?.rows_affected() == 0 {
                return Err(missing(experiment, scope));
            }
            note(tx, experiment, who, json!({"gate": word, "scope": named(scope), "why": why})).await
        })
    }

    /// Changes a limit; for a lane, `scope` names it. The order as it was noted.
    ///
    /// # Errors
    /// When the limit can't have this value ([`Limit::check`]), there is no such thing, or the database fails.
    pub async fn set_limit(
        &self,
        experiment: &str,
        scope: &Scope,
        limit: Limit,
        value: Option<u64>,
        who: &str,
    ) -> Result<Order, LedgerError> {
        limit.check(value)?;
        transaction!(self, |tx| {
            let sql = match limit {
                Limit::Usd => "UPDATE experiment SET budget_usd = $2 WHERE id = $1",
                Limit::Tokens => "UPDATE experiment SET budget_tokens = $2 WHERE id = $1",
                Limit::Wall => "UPDATE experiment SET budget_wall = $2 WHERE id = $1",
                Limit::InFlight => "UPDATE lane SET in_flight = $2, now_limit = $2 WHERE name = $1",
                Limit::Rpm => "UPDATE lane SET rpm = $2 WHERE name = $1",
                Limit::Tpm => "UPDATE lane SET tpm = $2 WHERE name = $1",
            };
            let name = if let Scope::Lane(lane) = scope { lane } else { experiment };
            let changed = sqlx::query(sql).bind(name).bind(value.map(whole)).execute(&mut **tx).await?;
            if changed.rows_affected() == 0 {
                return Err(missing(experiment, scope));
            }
            note(tx, experiment, who, json!({"limit": format!("{limit:?}"), "scope": named(scope), "value": value}))
                .await
        })
    }

    /// Wants cells again. How many there were, and the order as it was noted.
    ///
    /// # Errors
    /// When a decided cell is named without voiding it, there is none, or the database fails; nothing is changed then.
    pub async fn requeue(&self, experiment: &str, what: &Requeue, who: &str) -> Result<(u64, Order), LedgerError> {
        transaction!(self, |tx| {
            let at = now(tx).await?;
            let cells = match what {
                Requeue::Cells(cells) => cells.clone(),
                Requeue::Void { cell, .. } => vec![cell.clone()],
                Requeue::Code(code) => sqlx::query_scalar(
                    "SELECT id FROM cell WHERE experiment = $1 AND state = 'dead' AND EXISTS (SELECT 1 FROM attempt \
                         WHERE attempt.cell = cell.id AND attempt.number = cell.tries AND attempt.code = $2)",
                )
                .bind(experiment)
                .bind(code)
                .fetch_all(&mut **tx)
                .await?,
            };
            let voids = matches!(what, Requeue::Void { .. });
            for cell in &cells {
                again(tx, experiment, cell, voids, at).await?;
            }
            let told = match what {
                Requeue::Void { cell, reason } => json!({"void": cell, "reason": reason}),
                _ => json!({"requeue": cells}),
            };
            let order = note(tx, experiment, who, told).await?;
            sqlx::query("UPDATE experiment SET state = 'open' WHERE id = $1 AND state = 'closed'")
                .bind(experiment)
                .execute(&mut **tx)
                .await?;
            Ok((cells.len() as u64, order))
        })
    }

    /// The orders of an experiment, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn orders(&self, experiment: &str) -> Result<Vec<Order>, LedgerError> {
        let rows = sqlx::query("SELECT seq, at, who, what FROM orders WHERE experiment = $1 ORDER BY seq")
            .bind(experiment)
            .fetch_all(&self.pool)
            .await?;
        rows.iter()
            .map(|row| {
                let what: String = row.try_get("what")?;
                Ok(Order {
                    seq: count(row, "seq")?,
                    at: count(row, "at")?,
                    who: row.try_get("who")?,
                    what: serde_json::from_str(&what).unwrap_or(Value::String(what)),
                })
            })
            .collect()
    }
}

async fn again(tx: &mut Tx, experiment: &str, cell: &str, voids: bool, at: i64) -> Result<(), LedgerError> {
    let row = sqlx::query("UPDATE cell SET tries = tries WHERE id = $1 AND experiment = $2 RETURNING won")
        .bind(cell)
        .bind(experiment)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| LedgerError::Unknown { what: "cell", name: cell.to_owned() })?;
    let won: Option<String> = row.try_get("won")?;
    if let Some(won) = won {
        if !voids {
            return Err(LedgerError::Decided(cell.to_owned()));
        }
        return voided(tx, experiment, cell, &won, at).await;
    }
    sqlx::query(
        "UPDATE cell SET state = $2, infra = 0, provider = 0, since = $3, why = NULL WHERE id = $1 AND state = 'dead'",
    )
    .bind(cell)
    .bind(CellState::Wanted.to_string())
    .bind(at)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Wants a decided cell again. An attempt of its own experiment is void then, in all experiments that it counts in; one that was
/// made for another experiment goes on counting there.
async fn voided(tx: &mut Tx, experiment: &str, cell: &str, won: &str, at: i64) -> Result<(), LedgerError> {
    let own = sqlx::query("UPDATE attempt SET state = 'void' WHERE id = $1 AND experiment = $2")
        .bind(won)
        .bind(experiment)
        .execute(&mut **tx)
        .await?
        .rows_affected();
    sqlx::query(
        "UPDATE experiment SET state = 'open' WHERE state = 'closed' AND $2 > 0 AND id IN \
         (SELECT cell.experiment FROM cell WHERE cell.won = $1)",
    )
    .bind(won)
    .bind(whole(own))
    .execute(&mut **tx)
    .await?;
    sqlx::query(
        "UPDATE cell SET state = $3, won = NULL, infra = 0, provider = 0, since = $4, why = NULL \
         WHERE state = 'decided' AND (id = $1 OR (won = $2 AND $5 > 0))",
    )
    .bind(cell)
    .bind(won)
    .bind(CellState::Wanted.to_string())
    .bind(at)
    .bind(whole(own))
    .execute(&mut **tx)
    .await?;
    Ok(())
}

fn named(scope: &Scope) -> Value {
    match scope {
        Scope::Experiment => json!("experiment"),
        Scope::Arm(label) => json!({"arm": label}),
        Scope::Lane(name) => json!({"lane": name}),
    }
}

fn missing(experiment: &str, scope: &Scope) -> LedgerError {
    match scope {
        Scope::Experiment => LedgerError::UnknownExperiment(experiment.to_owned()),
        Scope::Arm(label) => LedgerError::Unknown { what: "arm", name: label.clone() },
        Scope::Lane(name) => LedgerError::Unknown { what: "lane", name: name.clone() },
    }
}

/// Orders have one sequence: the steward's row is locked while a number is given.
pub(super) async fn note(tx: &mut Tx, experiment: &str, who: &str, what: Value) -> Result<Order, LedgerError> {
    sqlx::query("UPDATE steward SET one = one WHERE one = 1").execute(&mut **tx).await?;
    let at = now(tx).await?;
    let row = sqlx::query(
        "INSERT INTO orders (seq, experiment, at, who, what) \
         SELECT COALESCE(MAX(seq), 0) + 1, $1, $2, $3, $4 FROM orders RETURNING seq, at",
    )
    .bind(experiment)
    .bind(at)
    .bind(who)
    .bind(what.to_string())
    .fetch_one(&mut **tx)
    .await?;
    Ok(Order { seq: count(&row, "seq")?, at: count(&row, "at")?, who: who.to_owned(), what })
}
