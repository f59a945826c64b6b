//! The page of a run of tasks.

use std::path::PathBuf;

use serde::Serialize;

use super::page;
use crate::benchmarks::tasks::{voided, voided_text};
use crate::grade::{RunCosts, Summary, TaskTables, dollars};
use crate::model::{RunRecord, TaskRecord};
use crate::report::ReportError;
use crate::store::RunDir;

const RUN: (&str, &str) = ("run.html", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/run.html")));

/// What the page shows.
#[derive(Debug, Serialize)]
struct Report<'a> {
    run: &'a RunRecord,
    summary: &'a Summary,
    tables: &'a TaskTables,
    attempts: &'a [TaskRecord],
    costs: &'a RunCosts,
    /// Amounts as they are shown: of all, of an attempt, of a solved task; then of each attempt.
    dollars: [String; 3],
    each: Vec<String>,
    /// What the model of each attempt was asked, where one was.
    turns: Vec<Option<Turns>>,
    has_turns: bool,
    /// The cost of all attempts; `None` if no agent reported any.
    misses: Option<u32>,
    replans: Option<u32>,
    steps: u32,
    /// How many attempts the testbed voided, and by which errors, in words.
    voided: String,
}

/// The record of an attempt's turns.
#[derive(Debug, Serialize)]
struct Turns {
    /// From the page's folder.
    file: String,
    count: usize,
}

/// Those of an attempt; `None` when its agent asks no model.
fn turns(dir: &RunDir, record: &TaskRecord) -> Option<Turns> {
    let file = format!("{}/turns.jsonl", RunDir::place(record));
    let bytes = std::fs::read(dir.path().join(&file)).ok()?;
    Some(Turns { file, count: bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count() })
}

/// Writes the page into the folder of the run, and returns its path.
///
/// # Errors
/// When the page can't be made or written.
pub fn write_run_report(
    dir: &RunDir,
    attempts: &[TaskRecord],
    (summary, tables, costs): (&Summary, &TaskTables, &RunCosts),
) -> Result<PathBuf, ReportError> {
    let sum = |of: fn(&TaskRecord) -> Option<u32>| attempts.iter().filter_map(of).reduce(|a, b| a + b);
    let turns: Vec<_> = attempts.iter().map(|record| turns(dir, record)).collect();
    let report = Report {
        has_turns: turns.iter().any(Option::is_some),
        turns,
        run: dir.record(),
        summary,
        tables,
        attempts,
        costs,
        dollars: [costs.all.micro_usd, costs.all.micro_usd_per_attempt, costs.all.micro_usd_per_solved].map(dollars),
        each: costs.micro_usd.iter().map(|micro_usd| dollars(*micro_usd)).collect(),
        misses: sum(|attempt| attempt.detail.misses),
        replans: sum(|attempt| attempt.detail.replans),
        steps: attempts.iter().map(|attempt| attempt.detail.steps).sum(),
        voided: voided_text(&voided(dir)?),
    };
    page::write(dir.path(), RUN, &report)
}
