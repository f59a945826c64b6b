//! The four calls of those who work: `begin`, `beat`, `end`, `give_back`. What counts rests on two facts of the database:
//! a unique index (a cell has one running attempt at most) and a compare-and-set on the cell (only the newest try can win, and
//! only once). Queues say who hears of a cell and nothing more.

mod beat;
mod begin;
mod end;
mod rebuild;
mod resume;

pub use beat::{Beat, Beaten, LaneReport, Orders, Pulse, Share};
pub use begin::{Begun, Lease};
pub use end::{Ended, Files, Finish};
pub use rebuild::{KeptAttempt, Rebuilt};
pub use resume::Unended;

use std::time::Duration;

use sqlx::Row as _;

use super::LedgerError;
use super::database::{Tx, count, word};
use super::states::CellState;

/// How long a worker may be silent before its attempts are lost. Three beats of fifteen seconds.
pub const LEASE: Duration = Duration::from_secs(45);

/// A cell whose row is locked until the end of the transaction.
struct Locked {
    experiment: String,
    arm: String,
    state: CellState,
    tries: u64,
    infra: u64,
    provider: u64,
    is_won: bool,
    most_infra: u64,
    most_provider: u64,
}

/// Locks a cell: whoever else begins or ends an attempt at it waits.
async fn lock(tx: &mut Tx, cell: &str) -> Result<Locked, LedgerError> {
    let row = sqlx::query(
        "UPDATE cell SET tries = tries WHERE id = $1 \
         RETURNING experiment, arm, state, tries, infra, provider, won",
    )
    .bind(cell)
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| LedgerError::Unknown { what: "cell", name: cell.to_owned() })?;
    let experiment: String = row.try_get("experiment")?;
    let limits = sqlx::query("SELECT most_infra, most_provider FROM experiment WHERE id = $1")
        .bind(&experiment)
        .fetch_one(&mut **tx)
        .await?;
    Ok(Locked {
        experiment,
        arm: row.try_get("arm")?,
        state: word(&row, "state")?,
        tries: count(&row, "tries")?,
        infra: count(&row, "infra")?,
        provider: count(&row, "provider")?,
        is_won: row.try_get::<Option<String>, _>("won")?.is_some(),
        most_infra: count(&limits, "most_infra")?,
        most_provider: count(&limits, "most_provider")?,
    })
}

impl Locked {
    /// In which state a cell is that failed: owed, or given up.
    const fn after_failures(&self) -> CellState {
        if self.infra >= self.most_infra || self.provider >= self.most_provider {
            CellState::Dead
        } else {
            CellState::Wanted
        }
    }

    /// Writes state and counters of a cell that has not been decided.
    async fn write(
        &self,
        tx: &mut Tx,
        cell: &str,
        state: CellState,
        why: Option<&str>,
        at: i64,
    ) -> Result<(), LedgerError> {
        sqlx::query(
            "UPDATE cell SET state = $2, tries = $3, infra = $4, provider = $5, since = $6, why = $7 \
             WHERE id = $1 AND won IS NULL",
        )
        .bind(cell)
        .bind(state.to_string())
        .bind(super::spent::whole(self.tries))
        .bind(super::spent::whole(self.infra))
        .bind(super::spent::whole(self.provider))
        .bind(at)
        .bind(why)
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
}
