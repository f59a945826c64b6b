//! What people ask of a ledger: how far an experiment is, what it has spent, which attempts count. Queries, never files.

use serde::Serialize;
use serde_json::Value;
use sqlx::Row as _;

use super::LedgerError;
use super::database::{Ledger, count, word};
use super::plan::Budget;
use super::states::{AttemptState, CellState, Gate};

/// An experiment at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Status {
    pub id: String,
    pub name: String,
    /// The folder of the attempts, where the experiment is a run: then it has one arm. Absolute.
    pub run: Option<String>,
    pub state: Gate,
    pub why: Option<String>,
    pub budget: Budget,
    /// Milliseconds since it was entered.
    pub age_ms: u64,
    pub spent: Spent,
    pub cells: Counts,
    /// Cells that attempts of other experiments decide.
    pub reused: u64,
    pub arms: Vec<ArmStatus>,
    /// Codes of attempts that failed without counting, most frequent first.
    pub failures: Vec<(String, u64)>,
}

/// What was spent, attempts that do not count included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Spent {
    pub micro_usd: u64,
    pub tokens: u64,
    /// Attempts whose price is not known.
    pub unpriced: u64,
}

/// Cells by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Counts {
    pub wanted: u64,
    pub released: u64,
    pub running: u64,
    pub decided: u64,
    pub dead: u64,
}

impl Counts {
    /// All of them.
    pub const fn all(&self) -> u64 {
        self.wanted + self.released + self.running + self.decided + self.dead
    }

    /// Whether nothing is owed or on its way.
    pub const fn is_over(&self) -> bool {
        self.wanted + self.released + self.running == 0
    }

    const fn add(&mut self, state: CellState, cells: u64) {
        match state {
            CellState::Wanted => self.wanted += cells,
            CellState::Released => self.released += cells,
            CellState::Running => self.running += cells,
            CellState::Decided => self.decided += cells,
            CellState::Dead => self.dead += cells,
        }
    }
}

/// An arm at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ArmStatus {
    pub id: String,
    pub label: String,
    pub lane: String,
    pub state: Gate,
    pub why: Option<String>,
    pub cells: Counts,
}

/// A cell with its place in the experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CellRow {
    pub id: String,
    pub arm: String,
    pub item: String,
    pub epoch: u64,
    pub seed: u64,
    pub state: CellState,
    pub tries: u64,
    pub infra: u64,
    pub provider: u64,
    /// The attempt that counts.
    pub won: Option<String>,
    pub why: Option<String>,
}

/// An attempt as the ledger has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttemptRow {
    pub id: String,
    pub cell: String,
    pub number: u64,
    pub worker: String,
    pub state: AttemptState,
    pub outcome: Option<String>,
    pub code: Option<String>,
    pub micro_usd: u64,
    pub tokens: u64,
    /// Whether its price is not known.
    pub is_unpriced: bool,
    /// Milliseconds from its beginning to its end; absent while it runs.
    pub took_ms: Option<u64>,
    pub uri: Option<String>,
    pub record: Option<Value>,
}

/// What `cell_row` reads: other tables have columns of these names, too.
macro_rules! cell_columns {
    () => {
        "cell.id AS id, cell.arm AS arm, cell.item AS item, cell.epoch AS epoch, cell.seed AS seed, cell.state AS state, \
         cell.tries AS tries, cell.infra AS infra, cell.provider AS provider, cell.won AS won, cell.why AS why"
    };
}
pub(super) use cell_columns;

impl Ledger {
    /// How far experiments are, newest first: those from files, or all, runs among them, of which there may be many.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn statuses(&self, has_runs: bool) -> Result<Vec<Status>, LedgerError> {
        let ids: Vec<String> = if has_runs {
            self.experiments().await?
        } else {
            let sql = "SELECT id FROM experiment WHERE run IS NULL ORDER BY created DESC, id";
            sqlx::query_scalar(sql).fetch_all(&self.pool).await?
        };
        let mut all = Vec::new();
        for id in ids {
            all.push(self.status(&id).await?);
        }
        Ok(all)
    }

    /// Names of all experiments, newest first; runs are among them.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn experiments(&self) -> Result<Vec<String>, LedgerError> {
        Ok(sqlx::query_scalar("SELECT id FROM experiment ORDER BY created DESC, id").fetch_all(&self.pool).await?)
    }

    /// How far an experiment is.
    ///
    /// # Errors
    /// When there is none of this name, or the database fails.
    pub async fn status(&self, experiment: &str) -> Result<Status, LedgerError> {
        let row = sqlx::query(
            "SELECT name, run, state, why, budget_usd, budget_tokens, budget_wall, (SELECT ms FROM clock) - created AS age \
             FROM experiment WHERE id = $1",
        )
        .bind(experiment)
        .fetch_optional(&self.pool)
        .await?
        .ok_or_else(|| LedgerError::UnknownExperiment(experiment.to_owned()))?;
        let limit = |column| -> Result<Option<u64>, LedgerError> {
            Ok(row.try_get::<Option<i64>, _>(column)?.and_then(|limit| u64::try_from(limit).ok()))
        };
        let arms = self.arms(experiment).await?;
        let mut cells = Counts::default();
        for arm in &arms {
            for (state, of) in arm.cells.each() {
                cells.add(state, of);
            }
        }
        Ok(Status {
            id: experiment.to_owned(),
            name: row.try_get("name")?,
            run: row.try_get("run")?,
            state: word(&row, "state")?,
            why: row.try_get("why")?,
            budget: Budget {
                micro_usd: limit("budget_usd")?,
                tokens: limit("budget_tokens")?,
                wall_ms: limit("budget_wall")?,
            },
            age_ms: count(&row, "age")?,
            spent: self.spent(experiment).await?,
            cells,
            reused: self.count_reused(experiment).await?,
            arms,
            failures: self.failures(experiment).await?,
        })
    }

    async fn arms(&self, experiment: &str) -> Result<Vec<ArmStatus>, LedgerError> {
        let rows = sqlx::query("SELECT id, label, lane, state, why FROM arm WHERE experiment = $1 ORDER BY ord")
            .bind(experiment)
            .fetch_all(&self.pool)
            .await?;
        let counts =
            sqlx::query("SELECT arm, state, COUNT(*) AS cells FROM cell WHERE experiment = $1 GROUP BY arm, state")
                .bind(experiment)
                .fetch_all(&self.pool)
                .await?;
        let mut arms = Vec::new();
        for row in rows {
            let id: String = row.try_get("id")?;
            let mut cells = Counts::default();
            for of in &counts {
                if of.try_get::<String, _>("arm")? == id {
                    cells.add(word(of, "state")?, count(of, "cells")?);
                }
            }
            arms.push(ArmStatus {
                label: row.try_get("label")?,
                lane: row.try_get("lane")?,
                state: word(&row, "state")?,
                why: row.try_get("why")?,
                cells,
                id,
            });
        }
        Ok(arms)
    }

    /// What an experiment has spent.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn spent(&self, experiment: &str) -> Result<Spent, LedgerError> {
        let row = sqlx::query(
            "SELECT CAST(COALESCE(SUM(usd), 0) AS BIGINT) AS usd, CAST(COALESCE(SUM(tokens), 0) AS BIGINT) AS tokens, \
             (SELECT COUNT(*) FROM attempt WHERE experiment = $1 AND is_unpriced = 1) AS unpriced \
             FROM spend WHERE experiment = $1",
        )
        .bind(experiment)
        .fetch_one(&self.pool)
        .await?;
        Ok(Spent { micro_usd: count(&row, "usd")?, tokens: count(&row, "tokens")?, unpriced: count(&row, "unpriced")? })
    }

    async fn count_reused(&self, experiment: &str) -> Result<u64, LedgerError> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS reused FROM cell WHERE experiment = $1 AND won IS NOT NULL AND NOT EXISTS \
             (SELECT 1 FROM attempt WHERE attempt.id = cell.won AND attempt.experiment = $1)",
        )
        .bind(experiment)
        .fetch_one(&self.pool)
        .await?;
        count(&row, "reused")
    }

    async fn failures(&self, experiment: &str) -> Result<Vec<(String, u64)>, LedgerError> {
        let rows = sqlx::query(
            "SELECT code, COUNT(*) AS attempts FROM attempt WHERE experiment = $1 AND code IS NOT NULL \
             GROUP BY code ORDER BY attempts DESC, code",
        )
        .bind(experiment)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| Ok((row.try_get("code")?, count(row, "attempts")?))).collect()
    }

    /// The cells of an experiment, in the order of its plan.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn cells(&self, experiment: &str) -> Result<Vec<CellRow>, LedgerError> {
        let rows = sqlx::query(concat!("SELECT ", cell_columns!(), " FROM cell WHERE experiment = $1 ORDER BY ord"))
            .bind(experiment)
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(cell_row).collect()
    }

    /// The attempts of an experiment, by cell and number.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn attempts(&self, experiment: &str) -> Result<Vec<AttemptRow>, LedgerError> {
        let rows = sqlx::query(
            "SELECT id, cell, number, worker, state, outcome, code, usd, tok_in + tok_out AS tokens, is_unpriced, ended - begun AS took, uri, record \
             FROM attempt WHERE experiment = $1 ORDER BY cell, number",
        )
        .bind(experiment)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(attempt_row).collect()
    }
}

/// A row with the columns of `cell_columns!`.
pub(super) fn cell_row(row: &sqlx::any::AnyRow) -> Result<CellRow, LedgerError> {
    Ok(CellRow {
        id: row.try_get("id")?,
        arm: row.try_get("arm")?,
        item: row.try_get("item")?,
        epoch: count(row, "epoch")?,
        seed: row.try_get::<i64, _>("seed")?.cast_unsigned(),
        state: word(row, "state")?,
        tries: count(row, "tries")?,
        infra: count(row, "infra")?,
        provider: count(row, "provider")?,
        won: row.try_get("won")?,
        why: row.try_get("why")?,
    })
}

fn attempt_row(row: &sqlx::any::AnyRow) -> Result<AttemptRow, LedgerError> {
    let record: Option<String> = row.try_get("record")?;
    let unreadable = |error: serde_json::Error| LedgerError::Unreadable { what: "record", reason: error.to_string() };
    Ok(AttemptRow {
        id: row.try_get("id")?,
        cell: row.try_get("cell")?,
        number: count(row, "number")?,
        worker: row.try_get("worker")?,
        state: word(row, "state")?,
        outcome: row.try_get("outcome")?,
        code: row.try_get("code")?,
        micro_usd: count(row, "usd")?,
        tokens: count(row, "tokens")?,
        is_unpriced: count(row, "is_unpriced")? > 0,
        took_ms: row.try_get::<Option<i64>, _>("took")?.and_then(|took| u64::try_from(took).ok()),
        uri: row.try_get("uri")?,
        record: record.map(|text| serde_json::from_str(&text)).transpose().map_err(unreadable)?,
    })
}

impl Counts {
    const fn each(&self) -> [(CellState, u64); 5] {
        [
            (CellState::Wanted, self.wanted),
            (CellState::Released, self.released),
            (CellState::Running, self.running),
            (CellState::Decided, self.decided),
            (CellState::Dead, self.dead),
        ]
    }
}
