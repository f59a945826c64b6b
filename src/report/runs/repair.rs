//! The page of a run of repairs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::{answer_text, page};
use crate::benchmarks::repair::{Item, Score};
use crate::fault_views::RepairView;
use crate::grade::{ANSWERS, OutcomeCount, outcomes};
use crate::mend::{Repair, Stage};
use crate::model::{AttemptRecord, Outcome, RunRecord};
use crate::report::ReportError;
use crate::report::instance::{FILM, FILM_CSS};
use crate::store::RunDir;

const REPAIR: (&str, &str) =
    ("repair.html", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/repair.html")));

/// What the page shows.
#[derive(Debug, Serialize)]
struct Report<'a> {
    run: &'a RunRecord,
    /// The published protocol that it was asked by.
    preset: Option<String>,
    score: &'a Score,
    outcomes: Vec<OutcomeCount>,
    attempts: Vec<Attempt<'a>>,
    /// Whether scripts are drawn.
    has_pictures: bool,
}

#[derive(Debug, Serialize)]
struct Attempt<'a> {
    item: &'a Item,
    number: u32,
    outcome: Outcome,
    error: Option<&'a str>,
    repair: Option<&'a Repair>,
    /// The patch as it was written, an edit a line.
    edits: Vec<String>,
    /// Of an answer that is no patch, the text as it came.
    unreadable: Option<String>,
    view: Option<&'a RepairView>,
}

/// Views of attempts, by the item and the number of the attempt.
pub type Gallery = BTreeMap<(String, u32), RepairView>;

/// Writes the page into the folder of the run, and returns its path.
///
/// # Errors
/// When the page can't be made or written.
pub fn write_repair_report(
    dir: &RunDir,
    records: &[AttemptRecord<Option<Repair>>],
    items: &[Item],
    (score, gallery): (&Score, &Gallery),
) -> Result<PathBuf, ReportError> {
    let attempt = |record| {
        let AttemptRecord { item, attempt, outcome, error, detail, .. }: &AttemptRecord<Option<Repair>> = record;
        let edits = detail.iter().flat_map(|repair| &repair.patch).map(|edit| serde_json::json!(edit).to_string());
        Some(Attempt {
            item: items.iter().find(|known| known.id == *item)?,
            number: *attempt,
            outcome: *outcome,
            error: error.as_deref(),
            repair: detail.as_ref(),
            edits: edits.collect(),
            unreadable: detail
                .as_ref()
                .filter(|repair| repair.stage == Stage::Unreadable)
                .map(|_| answer_text(dir, record).unwrap_or_default()),
            view: gallery.get(&(item.to_string(), *attempt)),
        })
    };
    let report = Report {
        run: dir.record(),
        preset: dir.record().preset(),
        score,
        outcomes: outcomes(&ANSWERS, records.iter().map(|record| record.outcome)),
        attempts: records.iter().filter_map(attempt).collect(),
        has_pictures: !gallery.is_empty(),
    };
    page::write_with(dir.path(), &[REPAIR, FILM], FILM_CSS, &report)
}
