//! `end` and `give_back`: an attempt is over, and its result is taken or not.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{Display, EnumString};

use super::{Lease, Locked, lock};
use crate::LedgerError;
use crate::database::{Ledger, Tx, now, transaction, word};
use crate::lanes;
use crate::spent::{Usage, record, whole};
use crate::states::{AttemptState, CellState, Class};

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finish {
    pub class: Class,
    /// The outcome's word.
    pub outcome: String,
    /// Why it failed, if the testbed or a provider did.
    pub code: Option<String>,
    pub usage: Usage,
    /// The attempt's record, as its folder has it.
    pub record: Value,
    /// Where its files are, with their digest and bytes.
    pub files: Option<Files>,
}

/// The files of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Files {
    pub uri: String,
    pub sha256: String,
    pub bytes: u64,
}

/// What became of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Ended {
    /// It decided the cell.
    Counted,
    /// The cell is owed again.
    Owed,
    /// The cell has failed too often.
    Dead,
    /// The result came too late, or with a wrong token: it is kept and does not count. Its cost does.
    Void,
}

impl Ledger {
    /// Ends an attempt. The same call again changes nothing, and has the same answer.
    ///
    /// # Errors
    /// When the database fails, or there is no such cell.
    pub async fn end(&self, lease: &Lease, finish: &Finish) -> Result<Ended, LedgerError> {
        transaction!(self, |tx| {
            let mut locked = lock(tx, &lease.cell).await?;
            let at = now(tx).await?;
            let Some(state) = attempt(tx, lease).await? else { return Ok(Ended::Void) };
            match state {
                AttemptState::Done => return earlier(tx, lease).await,
                AttemptState::Void => {
                    record(tx, &lease.attempt, &finish.usage).await?;
                    return Ok(Ended::Void);
                }
                AttemptState::Running | AttemptState::Lost => {}
            }
            let is_newest = locked.tries == lease.number && !locked.is_won;
            let ended = if is_newest {
                taken(tx, lease, finish, &mut locked, state == AttemptState::Lost, at).await?
            } else {
                close(tx, lease, finish, AttemptState::Void, at).await?;
                Ended::Void
            };
            record(tx, &lease.attempt, &finish.usage).await?;
            Ok(ended)
        })
    }

    /// Gives an attempt back: the cell is owed again, and no counter moves. What it cost stays spent.
    ///
    /// # Errors
    /// When the database fails, or there is no such cell.
    pub async fn give_back(&self, lease: &Lease, usage: &Usage, why: &str) -> Result<(), LedgerError> {
        transaction!(self, |tx| {
            let locked = lock(tx, &lease.cell).await?;
            let at = now(tx).await?;
            let Some(state) = attempt(tx, lease).await? else { return Ok(()) };
            record(tx, &lease.attempt, usage).await?;
            if state != AttemptState::Running {
                return Ok(());
            }
            sqlx::query("UPDATE attempt SET state = $2, ended = $3, code = 'given_back' WHERE id = $1")
                .bind(&lease.attempt)
                .bind(AttemptState::Void.to_string())
                .bind(at)
                .execute(&mut **tx)
                .await?;
            locked.write(tx, &lease.cell, CellState::Wanted, Some(why), at).await
        })
    }
}

/// The state of the attempt that a lease is for; none if the lease is forged.
async fn attempt(tx: &mut Tx, lease: &Lease) -> Result<Option<AttemptState>, LedgerError> {
    let row = sqlx::query("SELECT state FROM attempt WHERE id = $1 AND token = $2")
        .bind(&lease.attempt)
        .bind(&lease.token)
        .fetch_optional(&mut **tx)
        .await?;
    row.as_ref().map(|row| word(row, "state")).transpose()
}

/// What was answered when this attempt ended. What the cell says by now is no answer: others may have tried it since.
async fn earlier(tx: &mut Tx, lease: &Lease) -> Result<Ended, LedgerError> {
    let row = sqlx::query("SELECT became FROM attempt WHERE id = $1").bind(&lease.attempt).fetch_one(&mut **tx).await?;
    word(&row, "became")
}

/// Takes the result of the newest try at a cell without a verdict, and keeps what became of it.
pub(super) async fn taken(
    tx: &mut Tx,
    lease: &Lease,
    finish: &Finish,
    locked: &mut Locked,
    is_lost: bool,
    at: i64,
) -> Result<Ended, LedgerError> {
    close(tx, lease, finish, AttemptState::Done, at).await?;
    let ended = decided(tx, lease, finish, locked, is_lost, at).await?;
    sqlx::query("UPDATE attempt SET became = $2 WHERE id = $1")
        .bind(&lease.attempt)
        .bind(ended.to_string())
        .execute(&mut **tx)
        .await?;
    Ok(ended)
}

/// What a result makes of its cell.
async fn decided(
    tx: &mut Tx,
    lease: &Lease,
    finish: &Finish,
    locked: &mut Locked,
    is_lost: bool,
    at: i64,
) -> Result<Ended, LedgerError> {
    match finish.class {
        Class::Counts => {
            let won = sqlx::query(
                "UPDATE cell SET won = $2, state = $3, since = $4, why = NULL WHERE id = $1 AND won IS NULL AND tries = $5",
            )
            .bind(&lease.cell)
            .bind(&lease.attempt)
            .bind(CellState::Decided.to_string())
            .bind(at)
            .bind(whole(lease.number))
            .execute(&mut **tx)
            .await?;
            return Ok(if won.rows_affected() == 1 { Ended::Counted } else { Ended::Void });
        }
        // That its worker was lost has been counted already.
        Class::Infra if is_lost => {}
        Class::Infra => locked.infra += 1,
        // Where an endpoint fails all who ask it, that says nothing of the cell.
        Class::Provider if lanes::is_broken(tx, &lease.attempt).await? => {}
        Class::Provider => locked.provider += 1,
    }
    let state = locked.after_failures();
    locked.write(tx, &lease.cell, state, finish.code.as_deref(), at).await?;
    Ok(if state == CellState::Dead { Ended::Dead } else { Ended::Owed })
}

pub(super) async fn close(
    tx: &mut Tx,
    lease: &Lease,
    finish: &Finish,
    state: AttemptState,
    at: i64,
) -> Result<(), LedgerError> {
    let files = finish.files.as_ref();
    sqlx::query(
        "UPDATE attempt SET state = $2, ended = $3, seen = $3, outcome = $4, code = $5, record = $6, uri = $7, sha = $8, \
         bytes = $9 WHERE id = $1",
    )
    .bind(&lease.attempt)
    .bind(state.to_string())
    .bind(at)
    .bind(&finish.outcome)
    .bind(finish.code.as_deref())
    .bind(finish.record.to_string())
    .bind(files.map(|files| files.uri.as_str()))
    .bind(files.map(|files| files.sha256.as_str()))
    .bind(files.map(|files| whole(files.bytes)))
    .execute(&mut **tx)
    .await?;
    Ok(())
}
