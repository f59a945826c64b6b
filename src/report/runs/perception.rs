//! The page of a run of questions about pictures.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::page;
use crate::benchmarks::perception::{Answered, Item, Score};
use crate::grade::{ANSWERS, OutcomeCount, outcomes};
use crate::model::{AttemptRecord, Outcome, RunRecord};
use crate::report::ReportError;
use crate::store::RunDir;

const PERCEPTION: (&str, &str) =
    ("perception.html", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/perception.html")));

/// What the page shows.
#[derive(Debug, Serialize)]
struct Report<'a> {
    run: &'a RunRecord,
    score: &'a Score,
    /// As the reference counts, where that was asked for.
    reference: Option<&'a Score>,
    outcomes: Vec<OutcomeCount>,
    attempts: Vec<Attempt<'a>>,
}

#[derive(Debug, Serialize)]
struct Attempt<'a> {
    item: &'a Item,
    number: u32,
    outcome: Outcome,
    /// The screenshot, from the page's folder.
    picture: Option<String>,
    error: Option<&'a str>,
    answer: Option<&'a str>,
}

/// Writes the page into the folder of the run, and returns its path: our figures, and beside them the reference's where
/// available.
///
/// # Errors
/// When the page can't be made or written.
pub fn write_perception_report(
    dir: &RunDir,
    records: &[AttemptRecord<Option<Answered>>],
    items: &[Item],
    (score, reference): (&Score, Option<&Score>),
) -> Result<PathBuf, ReportError> {
    let attempts = records.iter().filter_map(|record| attempt(dir.path(), record, items)).collect();
    let report = Report {
        run: dir.record(),
        score,
        reference,
        outcomes: outcomes(&ANSWERS, records.iter().map(|record| record.outcome)),
        attempts,
    };
    page::write(dir.path(), PERCEPTION, &report)
}

fn attempt<'a>(folder: &Path, record: &'a AttemptRecord<Option<Answered>>, items: &'a [Item]) -> Option<Attempt<'a>> {
    let picture = format!("{}/seen.png", RunDir::place(record));
    Some(Attempt {
        item: items.iter().find(|item| item.id == record.item)?,
        number: record.attempt,
        outcome: record.outcome,
        picture: folder.join(&picture).is_file().then_some(picture),
        error: record.error.as_deref(),
        answer: record.detail.as_ref().map(|answered| answered.response.as_str()),
    })
}
