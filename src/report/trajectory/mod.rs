//! Pages of budgeted repair: one a trajectory, which tells it step by step, and one of the run, which leads to them.
//!
//! `probe` has the signals, `reason` says why an attempt got its plan, `attempt` gathers an attempt from its files, `blocks` has the scripts
//! that it touches before and after, `steps` tells the log, `spent` what was used. `run` is the page of the run. What is measured, and how, is `benchmarks::trajectories`'.

mod attempt;
mod blocks;
mod probe;
mod reason;
mod run;
mod spent;
mod steps;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;
use serde::de::DeserializeOwned;

use self::attempt::{AttemptView, Picture, attempt};
use self::spent::{Energy, Fact, of_all};
use self::steps::{Step, steps};
use super::ReportError;
use super::runs::CSS;
use super::template::{render, write};
use crate::compile::DrawingPage;
use crate::model::{AttemptRecord, PlanId, Trajectory};
use crate::store::{RunDir, read_lines};
use crate::trajectory::{Case, CaseReport, Plans};

pub use run::write_trajectories_report;

/// The folder of the pages within that of a run.
const FOLDER: &str = "trajectories";
/// The log of a trajectory within the folder of its attempt.
const LOG: &str = "trajectory.jsonl";
/// Frames that a page shows: far more than a probe draws, since a record that others made may name any number.
const MOST_FRAMES: u32 = 64;

const TEMPLATE: (&str, &str) =
    ("trajectory.html", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/trajectory.html")));
const OWN_CSS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/trajectory.css"));

/// A trajectory, with where its files lie.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    pub run: &'a RunDir,
    pub record: &'a AttemptRecord<Option<Trajectory>>,
    pub trajectory: &'a Trajectory,
    /// The plans that the run was made with; absent where they are not known.
    pub plans: Option<&'a Plans>,
}

/// All that the page says.
#[derive(Debug, Serialize)]
struct Page<'a> {
    version: &'static str,
    run: &'a crate::model::RunRecord,
    trajectory: &'a Trajectory,
    report: &'a CaseReport,
    stop: String,
    facts: Vec<Fact>,
    signals: Vec<probe::Row>,
    frames: Vec<Picture>,
    attempts: Vec<AttemptView>,
    energy: Option<Energy>,
    steps: Vec<Step>,
}

impl Source<'_> {
    /// A file of the trajectory, if it is there. Names are out of the record, which others may have made.
    fn bytes(&self, file: &str) -> Option<Vec<u8>> {
        self.run.file_of(self.record, file)
    }

    fn json<T: DeserializeOwned>(&self, file: &str) -> Result<Option<T>, ReportError> {
        if self.run.path_of(self.record, file).is_none() {
            return Ok(None);
        }
        Ok(self.run.kept(&format!("{}/{file}", RunDir::place(self.record)))?)
    }

    fn picture(&self, file: &str) -> Picture {
        Picture::of(file, self.bytes(file))
    }

    /// The frames that the probe drew, whether or not they were shown to anybody: up to [`MOST_FRAMES`].
    fn frames(&self) -> Vec<Picture> {
        (1..=self.trajectory.probe.signals.images_available.min(MOST_FRAMES))
            .map(|number| self.picture(&format!("f{number}.png")))
            .collect()
    }

    /// The plan that all attempts of the run were given, if they were.
    fn forced(&self) -> Option<PlanId> {
        self.run.record().options["controller"]["forced"].as_str()?.parse().ok()
    }

    fn steps(&self) -> Result<Vec<Step>, ReportError> {
        let log = self.run.path_of(self.record, LOG);
        let lines: Vec<serde_json::Value> =
            log.map_or(Ok(Vec::new()), |log| read_lines(&log).map(|(lines, _)| lines))?;
        Ok(steps(&lines))
    }

    /// The address of its page, from that of the run.
    fn page(&self) -> String {
        format!("{FOLDER}/{}.{}.html", self.record.item, self.record.attempt)
    }
}

/// Writes the page of a trajectory as one file that needs no other, and returns its path. Scripts are drawn where there is a page for it.
///
/// # Errors
/// When a file of the trajectory is broken, no page holds to draw in, or the page can't be written.
pub async fn write_trajectory_page(
    source: &Source<'_>,
    case: &Case,
    drawing: Option<&DrawingPage>,
) -> Result<PathBuf, ReportError> {
    let trajectory = source.trajectory;
    let mut attempts = Vec::new();
    for one in &trajectory.attempts {
        attempts.push(attempt(source, one, (&case.buggy, drawing)).await?);
    }
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        run: source.run.record(),
        trajectory,
        report: &case.report,
        stop: stopped(&trajectory.stop),
        facts: of_all(&trajectory.totals),
        signals: probe::rows(&trajectory.probe.signals, source.plans.map(|plans| plans.cutoffs)),
        frames: source.frames(),
        attempts,
        energy: trajectory.energy.as_ref().map(Energy::of),
        steps: source.steps()?,
    };
    let path = source.run.path().join(source.page());
    let css = Value::from_safe_string(format!("{CSS}{OWN_CSS}"));
    let html = render(&[TEMPLATE], TEMPLATE.0, &source.page(), context! { page => Serde(page), css })?;
    write(&path, html.as_bytes())?;
    Ok(path)
}

/// Why a trajectory ended, in words.
fn stopped(stop: &str) -> String {
    match stop {
        "strict_success" => "the strict verifier passed a candidate".to_owned(),
        "exhausted" => "there may be no more attempts".to_owned(),
        "no_new_candidate" => "a patch came a second time".to_owned(),
        "not_retried" => "such a failure is not tried again".to_owned(),
        "not_worth_it" => "another attempt was not worth its price".to_owned(),
        other => match other.strip_prefix("budget:") {
            Some(budget) => format!("the worst case of another attempt would pass the budget {budget}"),
            None => other.to_owned(),
        },
    }
}
