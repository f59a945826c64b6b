//! The page of a run of a controller: its figures, and its trajectories with links to their pages.

use std::path::PathBuf;

use serde::Serialize;

use super::spent::{Energy, usd};
use super::{Source, stopped};
use crate::benchmarks::trajectories::Score;
use crate::model::{AttemptRecord, Layer, RunRecord, Trajectory};
use crate::report::ReportError;
use crate::report::runs::write_with;
use crate::report::side::NONE;
use crate::store::RunDir;

const TEMPLATE: (&str, &str) =
    ("trajectories.html", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/trajectories.html")));

#[derive(Debug, Serialize)]
struct Report<'a> {
    run: &'a RunRecord,
    score: &'a Score,
    mean_usd: String,
    trajectories: Vec<Row>,
    /// Attempts of which the testbed left no trajectory.
    spoiled: Vec<(String, String)>,
}

/// A trajectory in the table.
#[derive(Debug, Serialize)]
struct Row {
    page: String,
    case: String,
    mechanism: String,
    replicate: u32,
    level: u8,
    flags: String,
    /// Plans of its attempts, one after another.
    plans: String,
    layer: Layer,
    is_strict: bool,
    stop: String,
    attempts: u32,
    pictures: u32,
    tokens: u64,
    usd: String,
    energy: String,
}

/// Writes the page into the folder of the run, and returns its path. The pages of trajectories are written one by one.
///
/// # Errors
/// When the page can't be made or written.
pub fn write_trajectories_report(
    dir: &RunDir,
    records: &[AttemptRecord<Option<Trajectory>>],
    score: &Score,
) -> Result<PathBuf, ReportError> {
    let spoiled = records.iter().filter(|record| record.detail.is_none());
    let report = Report {
        run: dir.record(),
        score,
        mean_usd: usd(score.mean_usd),
        trajectories: records.iter().filter_map(|record| row(dir, record)).collect(),
        spoiled: spoiled
            .map(|record| (format!("{} {}", record.item, record.attempt), record.error.clone().unwrap_or_default()))
            .collect(),
    };
    write_with(dir.path(), &[TEMPLATE], "", &report)
}

fn row(dir: &RunDir, record: &AttemptRecord<Option<Trajectory>>) -> Option<Row> {
    let trajectory = record.detail.as_ref()?;
    let plans: Vec<String> = trajectory.attempts.iter().map(|attempt| attempt.plan.to_string()).collect();
    let totals = &trajectory.totals;
    Some(Row {
        page: Source { run: dir, record, trajectory, plans: None }.page(),
        case: trajectory.case.clone(),
        mechanism: trajectory.mechanism.replace('_', " "),
        replicate: trajectory.replicate,
        level: trajectory.probe.signals.level,
        flags: trajectory.probe.signals.flags.join(", "),
        plans: if plans.is_empty() { NONE.to_owned() } else { plans.join(" → ") },
        layer: trajectory.layer,
        is_strict: trajectory.strict_verify_success,
        stop: stopped(&trajectory.stop),
        attempts: totals.attempts,
        pictures: totals.images_inserted,
        tokens: totals.input + totals.output,
        usd: usd(totals.usd),
        energy: trajectory
            .energy
            .as_ref()
            .map_or_else(|| NONE.to_owned(), |energy| Energy::of(energy).total().to_owned()),
    })
}
