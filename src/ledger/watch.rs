//! What people who watch an experiment are told: cells with what became of them, those that changed since, and how spend and
//! decisions grew. Queries, never files.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sqlx::Row as _;

use super::LedgerError;
use super::database::{Ledger, count};
use super::status::{CellRow, cell_columns, cell_row};

/// A cell as watchers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedCell {
    pub cell: CellRow,
    /// Of the attempt that counts.
    pub outcome: Option<String>,
    /// Tests that it passed, of how many.
    pub tests: Option<(u64, u64)>,
    /// Code of the newest attempt, if that failed without counting.
    pub code: Option<String>,
    /// Where the attempt that counts was made: experiment, label of the arm, and which try it was, from 1.
    pub made: Option<(String, String, u64)>,
    /// The run's folder, absolute, where it was made for one.
    pub run: Option<String>,
    /// When its state changed last, in milliseconds since 1970.
    pub since: u64,
}

/// What there was at a time: all of it since the experiment was entered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CurvePoint {
    /// Milliseconds since the experiment was entered.
    pub at_ms: u64,
    /// Spent, in micro-dollars.
    pub micro_usd: u64,
    /// Tokens in and out.
    pub tokens: u64,
    /// Cells that an attempt decides.
    pub decided: u64,
    /// Cells whose attempt passed.
    pub passed: u64,
}

impl Ledger {
    /// Cells of an experiment in the order of its plan: those whose state changed at this time or later (milliseconds since 1970),
    /// 0 for all.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn changed(&self, experiment: &str, since: u64) -> Result<Vec<WatchedCell>, LedgerError> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            cell_columns!(),
            ", cell.since AS since, win.outcome AS outcome, win.record AS record, win.number AS number, \
             win.experiment AS made_for, made.label AS made_by, origin.run AS run, last.code AS code FROM cell \
             LEFT JOIN attempt AS win ON win.id = cell.won LEFT JOIN arm AS made ON made.id = win.arm \
             LEFT JOIN experiment AS origin ON origin.id = win.experiment \
             LEFT JOIN attempt AS last ON last.cell = cell.id AND last.number = cell.tries \
             WHERE cell.experiment = $1 AND cell.since >= $2 ORDER BY cell.ord, cell.id",
        ))
        .bind(experiment)
        .bind(i64::try_from(since).unwrap_or(i64::MAX))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(watched).collect()
    }

    /// How spend and decisions grew: a point for each attempt that ended, at most `most` of them, the last one always.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn curves(&self, experiment: &str, most: usize) -> Result<Vec<CurvePoint>, LedgerError> {
        let rows = sqlx::query(
            "SELECT ended - created AS at, usd, tok_in + tok_out AS tokens, outcome, \
             CASE WHEN cell.won = attempt.id THEN 1 ELSE 0 END AS decides \
             FROM attempt JOIN experiment ON experiment.id = attempt.experiment JOIN cell ON cell.id = attempt.cell \
             WHERE attempt.experiment = $1 AND ended IS NOT NULL ORDER BY ended, attempt.id",
        )
        .bind(experiment)
        .fetch_all(&self.pool)
        .await?;
        let mut now = CurvePoint::default();
        let mut points = Vec::with_capacity(rows.len());
        for row in &rows {
            let decides = count(row, "decides")?;
            let has_passed = row.try_get::<Option<String>, _>("outcome")?.as_deref() == Some("passed");
            now.at_ms = count(row, "at")?;
            now.micro_usd += count(row, "usd")?;
            now.tokens += count(row, "tokens")?;
            now.decided += decides;
            now.passed += decides * u64::from(has_passed);
            points.push(now);
        }
        Ok(thinned(points, most))
    }
}

/// At most so many, evenly, the last one always.
fn thinned(points: Vec<CurvePoint>, most: usize) -> Vec<CurvePoint> {
    let (all, step) = (points.len(), points.len().div_ceil(most.max(1)).max(1));
    points.into_iter().enumerate().filter(|(at, _)| (all - 1 - at) % step == 0).map(|(_, point)| point).collect()
}

fn watched(row: &sqlx::any::AnyRow) -> Result<WatchedCell, LedgerError> {
    let record: Option<String> = row.try_get("record")?;
    let made = match (row.try_get("made_for")?, row.try_get("made_by")?) {
        (Some(experiment), Some(arm)) => Some((experiment, arm, count(row, "number")?)),
        _ => None,
    };
    Ok(WatchedCell {
        cell: cell_row(row)?,
        outcome: row.try_get("outcome")?,
        tests: record.and_then(|text| tests(&serde_json::from_str(&text).ok()?)),
        code: row.try_get("code")?,
        made,
        run: row.try_get("run")?,
        since: count(row, "since")?,
    })
}

/// Tests passed, of how many, as records of tasks say it.
fn tests(record: &Value) -> Option<(u64, u64)> {
    let of = |name: &str| [record, &record["detail"]].iter().find_map(|part| part[name].as_u64());
    of("passed_tests").zip(of("total_tests"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_point_stays_when_there_are_too_many() {
        let points: Vec<CurvePoint> = (0..1000).map(|at_ms| CurvePoint { at_ms, ..CurvePoint::default() }).collect();
        let left = thinned(points, 300);
        assert!(left.len() <= 300 && left.last().unwrap().at_ms == 999, "{}", left.len());
        assert!(thinned(Vec::new(), 300).is_empty());
    }
}
