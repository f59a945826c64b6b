//! `begin`: a worker that heard of a cell asks whether it may work on it.

use serde::{Deserialize, Serialize};
use sqlx::Row as _;
use uuid::Uuid;

use super::{Locked, lock};
use crate::LedgerError;
use crate::database::{Ledger, Tx, ms, now, transaction};
use crate::spent::whole;
use crate::states::{AttemptState, CellState};

/// The answer to a worker that wants to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// It may work on it.
    Yes(Lease),
    /// The cell needs nobody: it is decided, given up, or not released.
    NotWanted,
    /// Somebody else works on it.
    Busy,
}

/// The right to work on a cell.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lease {
    pub cell: String,
    /// The attempt's id.
    pub attempt: String,
    /// Which try at the cell, from 1.
    pub number: u64,
    /// Who shows it holds the lease.
    pub token: String,
}

impl Ledger {
    /// Begins an attempt at a released cell. An attempt of which nothing was heard for a lease is lost, and counts as a
    /// failure of the testbed.
    ///
    /// # Errors
    /// When the database fails, or there is no such cell.
    pub async fn begin(&self, cell: &str, worker: &str) -> Result<Begun, LedgerError> {
        transaction!(self, |tx| {
            let mut locked = lock(tx, cell).await?;
            let at = now(tx).await?;
            match locked.state {
                CellState::Released => {}
                CellState::Running => {
                    if !lose(tx, cell, &mut locked, at - ms(self.terms.lease), at).await? {
                        return Ok(Begun::Busy);
                    }
                    if locked.after_failures() == CellState::Dead {
                        locked.write(tx, cell, CellState::Dead, Some("its workers were lost"), at).await?;
                        return Ok(Begun::NotWanted);
                    }
                }
                CellState::Wanted | CellState::Decided | CellState::Dead => return Ok(Begun::NotWanted),
            }
            locked.tries += 1;
            locked.write(tx, cell, CellState::Running, None, at).await?;
            Ok(Begun::Yes(insert(tx, cell, worker, &locked, at).await?))
        })
    }

    /// Marks attempts as lost whose workers have been silent for too long, and makes their cells wanted again, or dead. The
    /// number of attempts that were lost.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reap(&self) -> Result<u64, LedgerError> {
        let stale: Vec<String> = sqlx::query_scalar(
            "SELECT cell FROM attempt WHERE state = 'running' AND seen < (SELECT ms FROM clock) - $1 ORDER BY seen LIMIT 500",
        )
        .bind(ms(self.terms.lease))
        .fetch_all(&self.pool)
        .await?;
        let mut lost = 0;
        for cell in stale {
            lost += transaction!(self, |tx| { reap_one(tx, &cell, ms(self.terms.lease)).await })?;
        }
        Ok(lost)
    }
}

async fn reap_one(tx: &mut Tx, cell: &str, lease: i64) -> Result<u64, LedgerError> {
    let mut locked = lock(tx, cell).await?;
    let at = now(tx).await?;
    if locked.state != CellState::Running || !lose(tx, cell, &mut locked, at - lease, at).await? {
        return Ok(0);
    }
    let state = locked.after_failures();
    locked.write(tx, cell, state, Some("its worker was lost"), at).await?;
    Ok(1)
}

/// Marks the running attempt of a cell as lost if its worker has been silent since before `limit`, and says whether nobody works on
/// the cell any more.
async fn lose(tx: &mut Tx, cell: &str, locked: &mut Locked, limit: i64, at: i64) -> Result<bool, LedgerError> {
    let lost = sqlx::query(
        "UPDATE attempt SET state = $3, ended = $4, code = 'worker_lost' WHERE cell = $1 AND state = 'running' AND seen < $2",
    )
    .bind(cell)
    .bind(limit)
    .bind(AttemptState::Lost.to_string())
    .bind(at)
    .execute(&mut **tx)
    .await?
    .rows_affected();
    locked.infra += lost;
    let running: i64 = sqlx::query("SELECT COUNT(*) AS running FROM attempt WHERE cell = $1 AND state = 'running'")
        .bind(cell)
        .fetch_one(&mut **tx)
        .await?
        .try_get("running")?;
    Ok(running == 0)
}

pub(super) async fn insert(
    tx: &mut Tx,
    cell: &str,
    worker: &str,
    locked: &Locked,
    at: i64,
) -> Result<Lease, LedgerError> {
    let lane: String =
        sqlx::query_scalar("SELECT lane FROM arm WHERE id = $1").bind(&locked.arm).fetch_one(&mut **tx).await?;
    let number = locked.tries;
    let lease = Lease {
        cell: cell.to_owned(),
        attempt: format!("{cell}#{number}"),
        number,
        token: Uuid::new_v4().simple().to_string(),
    };
    sqlx::query(
        "INSERT INTO attempt (id, cell, experiment, arm, lane, number, token, worker, state, begun, seen, usd, is_unpriced, \
         tok_in, tok_read, tok_write, tok_out, tok_think, calls, waited) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
    )
    .bind(&lease.attempt)
    .bind(cell)
    .bind(&locked.experiment)
    .bind(&locked.arm)
    .bind(lane)
    .bind(whole(number))
    .bind(&lease.token)
    .bind(worker)
    .bind(AttemptState::Running.to_string())
    .bind(at)
    .execute(&mut **tx)
    .await?;
    Ok(lease)
}
