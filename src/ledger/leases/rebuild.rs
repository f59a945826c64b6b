//! An experiment entered anew from what is kept of its attempts, where the ledger was lost: by the same calls that end attempts, so
//! that what counts is decided by the same rule.

use std::collections::BTreeMap;

use super::begin::insert;
use super::end::{close, taken};
use super::{Finish, lock};
use crate::LedgerError;
use crate::database::{Ledger, Tx, now, transaction};
use crate::plan::{Plan, add_new, cell_id};
use crate::spent::{record, whole};
use crate::states::{AttemptState, CellState, Class};

/// An attempt of which files are left.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptAttempt {
    /// Place of its arm in the plan.
    pub arm: usize,
    pub item: String,
    /// From 1.
    pub epoch: u32,
    /// Which try at the cell, from 1.
    pub number: u64,
    pub worker: String,
    /// What came of it; none if it was broken off.
    pub finish: Option<Finish>,
}

/// What was entered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rebuilt {
    pub attempts: u64,
    /// Of these: not ended.
    pub broken_off: u64,
    /// Attempts at items that no arm has any more: they are left out.
    pub left_out: u64,
}

impl Ledger {
    /// Enters an experiment with attempts that were made before, as begun at this time (milliseconds since 1970; now without).
    /// Only the newest try at a cell can decide it; earlier results that would count are void. What was broken off is owed.
    ///
    /// # Errors
    /// When the ledger has an experiment of this name, or the database fails; nothing is written then.
    pub async fn rebuild(
        &self,
        plan: &Plan,
        begun: Option<u64>,
        attempts: &[KeptAttempt],
    ) -> Result<Rebuilt, LedgerError> {
        let cells: BTreeMap<(usize, &str, u32), String> =
            plan.cells.iter().map(|cell| ((cell.arm, cell.item.as_str(), cell.epoch), cell_id(plan, cell))).collect();
        let mut by_cell: BTreeMap<&str, Vec<&KeptAttempt>> = BTreeMap::new();
        let mut rebuilt = Rebuilt::default();
        for attempt in attempts {
            let Some(cell) = cells.get(&(attempt.arm, attempt.item.as_str(), attempt.epoch)) else {
                rebuilt.left_out += 1;
                continue;
            };
            rebuilt.attempts += 1;
            rebuilt.broken_off += u64::from(attempt.finish.is_none());
            by_cell.entry(cell).or_default().push(attempt);
        }
        for tries in by_cell.values_mut() {
            tries.sort_by_key(|attempt| attempt.number);
        }
        transaction!(self, |tx| {
            let at = now(tx).await?;
            add_new(tx, plan, begun.map_or(at, whole)).await?;
            for (cell, tries) in &by_cell {
                put_back(tx, cell, tries, at).await?;
            }
            sqlx::query(
                "UPDATE experiment SET state = 'closed' WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM cell \
                 WHERE cell.experiment = $1 AND cell.state NOT IN ('decided', 'dead'))",
            )
            .bind(&plan.id)
            .execute(&mut **tx)
            .await?;
            Ok(rebuilt)
        })
    }
}

/// Begins and ends the tries at a cell, in their order.
async fn put_back(tx: &mut Tx, cell: &str, tries: &[&KeptAttempt], at: i64) -> Result<(), LedgerError> {
    let mut locked = lock(tx, cell).await?;
    for (place, attempt) in tries.iter().enumerate() {
        let is_newest = place + 1 == tries.len();
        locked.tries = attempt.number;
        locked.write(tx, cell, CellState::Running, None, at).await?;
        let lease = insert(tx, cell, &attempt.worker, &locked, at).await?;
        match &attempt.finish {
            None => {
                sqlx::query("UPDATE attempt SET state = $2, ended = $3, code = 'interrupted' WHERE id = $1")
                    .bind(&lease.attempt)
                    .bind(AttemptState::Void.to_string())
                    .bind(at)
                    .execute(&mut **tx)
                    .await?;
                locked.write(tx, cell, CellState::Wanted, None, at).await?;
            }
            Some(finish) => {
                if finish.class == Class::Counts && !is_newest {
                    close(tx, &lease, finish, AttemptState::Void, at).await?;
                } else {
                    taken(tx, &lease, finish, &mut locked, false, at).await?;
                }
                record(tx, &lease.attempt, &finish.usage).await?;
            }
        }
    }
    Ok(())
}
