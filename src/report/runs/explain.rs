//! The page of a run of explanations.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::{answer_text, page};
use crate::benchmarks::explain::{Explained, Item, Score};
use crate::explain::{Bug, BugScore, GoalScore};
use crate::model::{AttemptRecord, Outcome, RunRecord};
use crate::report::ReportError;
use crate::store::RunDir;

const EXPLAIN: (&str, &str) =
    ("explain.html", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/explain.html")));

/// What the page shows.
#[derive(Debug, Serialize)]
struct Report<'a> {
    run: &'a RunRecord,
    /// The published protocol that it was asked by.
    preset: Option<String>,
    score: &'a Score,
    attempts: Vec<Attempt<'a>>,
}

#[derive(Debug, Serialize)]
struct Attempt<'a> {
    item: &'a Item,
    number: u32,
    outcome: Outcome,
    error: Option<&'a str>,
    /// Why the answer could not be read, with its text.
    unreadable: Option<&'a str>,
    answer: Option<String>,
    /// What was said of the fault, and what of it is right.
    bug: Option<&'a Bug>,
    right: Option<BugScore>,
    goal: Option<GoalScore>,
    narrative: Option<&'a str>,
    /// What is right, in words, where the benchmark is at hand.
    truth: Option<&'a str>,
}

/// Writes the page into the folder of the run, and returns its path. `truths` are in words, by item.
///
/// # Errors
/// When the page can't be made or written.
pub fn write_explain_report(
    dir: &RunDir,
    records: &[AttemptRecord<Option<Explained>>],
    items: &[Item],
    (score, truths): (&Score, &BTreeMap<String, String>),
) -> Result<PathBuf, ReportError> {
    let attempt = |record| {
        let AttemptRecord { item, attempt, outcome, error, detail, .. }: &AttemptRecord<Option<Explained>> = record;
        let unreadable = detail.as_ref().and_then(|said| said.unreadable.as_deref());
        Some(Attempt {
            item: items.iter().find(|known| known.id == *item)?,
            number: *attempt,
            outcome: *outcome,
            error: error.as_deref(),
            unreadable,
            answer: unreadable.and_then(|_| answer_text(dir, record)),
            bug: detail.as_ref().map(|said| &said.said.bug),
            right: detail.as_ref().map(|said| said.bug),
            goal: detail.as_ref().and_then(|said| said.goal),
            narrative: detail.as_ref().map(|said| said.said.narrative.as_str()),
            truth: truths.get(item.as_str()).map(String::as_str),
        })
    };
    let attempts = records.iter().filter_map(attempt).collect();
    let report = Report { run: dir.record(), preset: dir.record().preset(), score, attempts };
    page::write(dir.path(), EXPLAIN, &report)
}
