//! Experiments that a server hosts: who created them, and which orders came since. How they are run is the server's.

use serde_json::{Value, json};
use sqlx::Row as _;

use super::LedgerError;
use super::database::{Ledger, Tx, count};
use super::orders::{Order, note};

/// An experiment that was created over HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosted {
    pub id: String,
    /// Who created it.
    pub who: String,
    /// The text of its file.
    pub file: String,
    /// The number of the newest order to it; its creation is the first.
    pub newest_order: u64,
}

/// What the first order of a hosted experiment says.
fn creation() -> Value {
    json!({"created": "over HTTP"})
}

/// Notes who created an experiment.
pub(super) async fn created(tx: &mut Tx, experiment: &str, who: &str) -> Result<Order, LedgerError> {
    note(tx, experiment, who, creation()).await
}

impl Ledger {
    /// The experiments that servers host, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hosted(&self) -> Result<Vec<Hosted>, LedgerError> {
        let rows = sqlx::query(
            "SELECT experiment.id AS id, experiment.file AS file, made.who AS who, \
             (SELECT MAX(seq) FROM orders WHERE orders.experiment = experiment.id) AS newest \
             FROM experiment JOIN orders AS made ON made.experiment = experiment.id \
             WHERE made.what = $1 ORDER BY made.seq",
        )
        .bind(creation().to_string())
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Hosted {
                    id: row.try_get("id")?,
                    who: row.try_get("who")?,
                    file: row.try_get("file")?,
                    newest_order: count(row, "newest")?,
                })
            })
            .collect()
    }
}
