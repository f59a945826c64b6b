//! The page of a run of single drags.

use std::path::PathBuf;

use serde::Serialize;

use super::overlay::path_of;
use super::page;
use crate::benchmarks::drag::figures::{Summary, failure_of};
use crate::benchmarks::drag::measure::{Breakage, DragDetail, FailureType, InRegion};
use crate::benchmarks::drag::{Drags, Pixel, Regions};
use crate::model::{AttemptRecord, Outcome, Point, RunRecord};
use crate::report::ReportError;
use crate::store::RunDir;

const DRAG: (&str, &str) =
    ("drag.html", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/drag.html")));

/// What the page shows.
#[derive(Debug, Serialize)]
struct Report<'a> {
    run: &'a RunRecord,
    summary: &'a Summary,
    /// As the reference counts, where that was asked for.
    reference: Option<&'a Summary>,
    attempts: Vec<Attempt<'a>>,
}

#[derive(Debug, Serialize)]
struct Attempt<'a> {
    item: &'a str,
    number: u32,
    outcome: Outcome,
    instruction: String,
    /// The screenshot, from the page's folder.
    picture: Option<String>,
    start_region: Option<String>,
    end_region: Option<String>,
    path: Option<[[f64; 2]; 2]>,
    failure: FailureType,
    broke: Option<Breakage>,
    /// By our regions, where published points measure.
    in_region: Option<InRegion>,
    error: Option<&'a str>,
    answer: Option<String>,
}

/// Writes the page into the folder of the run, and returns its path: our figures, and beside them the reference's where
/// available.
///
/// # Errors
/// When the page can't be made or written.
pub fn write_drag_report(
    dir: &RunDir,
    records: &[AttemptRecord<Option<DragDetail>>],
    (summary, reference): (&Summary, Option<&Summary>),
    drags: &Drags,
) -> Result<PathBuf, ReportError> {
    let instruction = |record: &AttemptRecord<_>| {
        drags.staged(&record.item).map(|staged| staged.scene.instruction.clone()).unwrap_or_default()
    };
    let attempts = records.iter().map(|record| attempt(dir, record, instruction(record))).collect();
    page::write(dir.path(), DRAG, &Report { run: dir.record(), summary, reference, attempts })
}

fn attempt<'a>(dir: &RunDir, record: &'a AttemptRecord<Option<DragDetail>>, instruction: String) -> Attempt<'a> {
    let picture = format!("{}/seen.png", RunDir::place(record));
    let detail = record.detail.as_ref();
    let ends = detail.and_then(|detail| Some((detail.start?, detail.end?)));
    let regions: Option<Regions> =
        dir.file_of(record, "regions.json").and_then(|text| serde_json::from_slice(&text).ok());
    Attempt {
        item: record.item.as_str(),
        number: record.attempt,
        outcome: record.outcome,
        instruction,
        picture: dir.path().join(&picture).is_file().then_some(picture),
        start_region: regions.as_ref().map(|regions| path_of(&regions.start)),
        end_region: regions.as_ref().zip(ends).map(|(regions, (start, _))| path_of(&regions.end_from(pixel(start)))),
        path: ends.map(|(start, end)| [[start.x, start.y], [end.x, end.y]]),
        failure: failure_of(record),
        broke: detail.and_then(|detail| detail.broke),
        in_region: detail.and_then(|detail| detail.in_region),
        error: record.error.as_deref(),
        answer: dir.file_of(record, "answer.txt").and_then(|text| String::from_utf8(text).ok()),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a pixel of the viewport")]
fn pixel(point: Point) -> Pixel {
    (point.x.round() as i32, point.y.round() as i32)
}
