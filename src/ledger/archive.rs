//! Taking an experiment out of the ledger: its rows as lines of JSON, and their removal. Lanes, workers and the steward belong to
//! the ledger and stay.

use serde_json::{Map, Value, json};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::LedgerError;
use super::database::{Ledger, count, transaction};

/// Version of the form of the lines. Raise it with any change that an older reader would misread.
pub const ROWS_FORMAT: u32 = 1;

/// The rows of one table that belong to an experiment.
struct Part {
    table: &'static str,
    columns: &'static [&'static str],
    /// Which rows, in which order.
    which: &'static str,
}

/// In the order in which rows refer to each other. The tokens of attempts are left out: they open nothing any more, and nobody
/// needs them.
const PARTS: [Part; 7] = [
    Part {
        table: "experiment",
        columns: &[
            "id",
            "name",
            "file",
            "pins",
            "state",
            "why",
            "budget_usd",
            "budget_tokens",
            "budget_wall",
            "most_infra",
            "most_provider",
            "created",
            "run",
        ],
        which: "id = $1",
    },
    Part {
        table: "arm",
        columns: &[
            "id",
            "experiment",
            "ord",
            "label",
            "spec",
            "digest",
            "lane",
            "is_stream",
            "cap_usd",
            "cap_tokens",
            "state",
            "why",
        ],
        which: "experiment = $1 ORDER BY ord",
    },
    Part {
        table: "cell",
        columns: &[
            "id",
            "experiment",
            "arm",
            "item",
            "epoch",
            "seed",
            "ord",
            "key",
            "state",
            "tries",
            "infra",
            "provider",
            "won",
            "since",
            "why",
        ],
        which: "experiment = $1 ORDER BY ord, id",
    },
    Part {
        table: "attempt",
        columns: &[
            "id",
            "cell",
            "experiment",
            "arm",
            "lane",
            "number",
            "worker",
            "state",
            "begun",
            "seen",
            "ended",
            "outcome",
            "code",
            "usd",
            "is_unpriced",
            "tok_in",
            "tok_read",
            "tok_write",
            "tok_out",
            "tok_think",
            "calls",
            "waited",
            "uri",
            "sha",
            "bytes",
            "record",
        ],
        which: "experiment = $1 ORDER BY cell, number",
    },
    Part {
        table: "grade",
        columns: &["attempt", "grading", "outcome", "passed", "total", "trace", "made"],
        which: "attempt IN (SELECT id FROM attempt WHERE experiment = $1) ORDER BY attempt, grading",
    },
    Part {
        table: "spend",
        columns: &["experiment", "arm", "shard", "usd", "tokens"],
        which: "experiment = $1 ORDER BY arm, shard",
    },
    Part {
        table: "orders",
        columns: &["seq", "experiment", "at", "who", "what"],
        which: "experiment = $1 ORDER BY seq",
    },
];
/// Columns that hold JSON as text.
const JSON: [&str; 4] = ["pins", "spec", "record", "what"];

/// Cells that somebody works on, or may begin to.
const BUSY: &str = "SELECT COUNT(*) AS busy FROM cell WHERE experiment = $1 AND state IN ('running', 'released')";

impl Ledger {
    /// Refuses an experiment that somebody works on, or may begin to.
    ///
    /// # Errors
    /// When somebody does, or the database fails.
    pub async fn refuse_busy(&self, experiment: &str) -> Result<(), LedgerError> {
        let busy = sqlx::query(BUSY).bind(experiment).fetch_one(&self.pool).await?;
        at_rest(experiment, count(&busy, "busy")?)
    }

    /// All rows of an experiment as lines of JSON: an object with the table's name as `table` and the columns as `row`. Times are
    /// milliseconds since 1970, money is micro-dollars.
    ///
    /// # Errors
    /// When there is no such experiment, or the database fails.
    pub async fn rows(&self, experiment: &str) -> Result<Vec<String>, LedgerError> {
        transaction!(self, |tx| { rows(tx, experiment).await })
    }

    /// Removes an experiment, if its rows still are these, which somebody has kept.
    ///
    /// # Errors
    /// When something of it runs or is released, or its rows have changed; nothing is removed then.
    pub async fn remove(&self, experiment: &str, kept: &[String]) -> Result<(), LedgerError> {
        transaction!(self, |tx| {
            // Who enters, pauses or closes it waits.
            sqlx::query("UPDATE experiment SET state = state WHERE id = $1")
                .bind(experiment)
                .execute(&mut **tx)
                .await?;
            let busy = sqlx::query(BUSY).bind(experiment).fetch_one(&mut **tx).await?;
            at_rest(experiment, count(&busy, "busy")?)?;
            if rows(tx, experiment).await? != kept {
                return Err(LedgerError::Changed(experiment.to_owned()));
            }
            for part in PARTS.iter().rev() {
                let which = part.which.split(" ORDER BY").next().unwrap_or(part.which);
                let sql = format!("DELETE FROM {} WHERE {which}", part.table);
                sqlx::query(sqlx::AssertSqlSafe(sql)).bind(experiment).execute(&mut **tx).await?;
            }
            Ok(())
        })
    }
}

fn at_rest(experiment: &str, cells: u64) -> Result<(), LedgerError> {
    if cells == 0 { Ok(()) } else { Err(LedgerError::Busy { id: experiment.to_owned(), cells }) }
}

async fn rows(tx: &mut sqlx::AnyConnection, experiment: &str) -> Result<Vec<String>, LedgerError> {
    let mut lines = Vec::new();
    for part in &PARTS {
        let sql = format!("SELECT {} FROM {} WHERE {}", part.columns.join(", "), part.table, part.which);
        let found = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(experiment).fetch_all(&mut *tx).await?;
        if part.table == "experiment" && found.is_empty() {
            return Err(LedgerError::UnknownExperiment(experiment.to_owned()));
        }
        for row in &found {
            lines.push(json!({"table": part.table, "row": object(row, part.columns)?}).to_string());
        }
    }
    Ok(lines)
}

fn object(row: &AnyRow, columns: &[&str]) -> Result<Value, LedgerError> {
    let mut object = Map::new();
    for column in columns {
        let value = match row.try_get::<Option<i64>, _>(*column) {
            Ok(number) => json!(number),
            // Columns are numbers or text.
            Err(_) => text(column, row.try_get(*column)?),
        };
        object.insert((*column).to_owned(), value);
    }
    Ok(Value::Object(object))
}

fn text(column: &str, text: Option<String>) -> Value {
    let Some(text) = text else { return Value::Null };
    let parsed = JSON.contains(&column).then(|| serde_json::from_str(&text).ok()).flatten();
    parsed.unwrap_or(Value::String(text))
}
