//! Runs for other programs and machines: bundles, rows of figures, the reference's folders of results, and its form of submissions.
//!
//! Parts: `rows` makes one row an attempt; `tasks`, `drags` and `perception` write the reference's folders, of which
//! `played` makes the turns of an attempt at a task; `budgeted` makes the tables of
//! budgeted repair; `submission` writes the actions of tasks, `inspect` logs for Inspect; `schema` describes the rows; `source` reads runs,
//! `known` has what runs only name; `claims` notes what bundles claim; `out` is the folder that is written.

mod budgeted;
mod claims;
mod drags;
mod error;
mod inspect;
mod known;
mod out;
mod perception;
mod played;
mod rows;
mod schema;
mod source;
mod submission;
mod tasks;

use std::path::Path;

use serde::Serialize;
use strum::{Display, EnumIter, EnumMessage, EnumString, IntoStaticStr};

pub use budgeted::{Matrix, trajectories};
pub use claims::{claims, claims_beside_verdicts};
pub use error::ExportError;
pub use inspect::TESTED_WITH as INSPECT_TESTED_WITH;
pub use known::Known;
pub use schema::attempts_schema;
pub use source::{Who, iso};

use self::out::Out;
use crate::benchmarks::drag::Drags;
use crate::benchmarks::perception::Questions;
use crate::benchmarks::tasks::Tasks;
use crate::experiment::Benchmark as _;
use crate::files::CsvTable;
use crate::grade::{LeftOut, left_out};
use crate::model::pluralise;
use crate::store::{RunDir, pack_runs};

/// The name of a bundle in the folder of the export.
const BUNDLE: &str = "bundle.zip";

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumIter, EnumMessage, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Format {
    /// The folders of results that the reference implementation writes, for its own tables.
    Reference,
    /// The actions of tasks, one line a task, as they are submitted to the published leaderboard.
    Submission,
    /// One row an attempt with all its figures: attempts.csv.
    Csv,
    /// The same as one JSON object a line: attempts.jsonl.
    Jsonl,
    /// Logs of tasks for Inspect, one .eval file a run.
    Inspect,
    /// All runs in one file, bundle.zip, which `report`, `compare`, `regrade` and `leaderboard` read on any machine.
    Bundle,
}

/// What was written.
#[derive(Debug, Default, Serialize)]
pub struct Exported {
    /// Attempts that have a row, a result or a line.
    pub attempts: usize,
    pub files: usize,
    /// Attempts that have none, and why.
    pub left_out: Vec<LeftOut>,
    /// What a reader should know of the export.
    pub notes: Vec<String>,
    /// The reasons one by one.
    #[serde(skip)]
    lost: Vec<&'static str>,
}

/// Writes runs to a new or empty folder.
///
/// # Errors
/// When a run can't be read or does not fit the format, or the folder can't be written. Then nothing is left behind.
pub fn export(runs: &[RunDir], format: Format, known: &Known, folder: &Path) -> Result<Exported, ExportError> {
    let mut out = Out::create(folder)?;
    let mut exported = Exported::default();
    match format {
        Format::Reference => {
            for run in runs {
                reference(run, known, &mut out, &mut exported)?;
            }
        }
        Format::Submission => {
            for run in runs {
                if run.record().benchmark != Tasks::NAME {
                    return Err(no_place(run));
                }
                submission::write(run, &mut out, &mut exported)?;
            }
        }
        Format::Inspect => {
            for run in runs {
                if run.record().benchmark != Tasks::NAME {
                    return Err(no_place(run));
                }
                inspect::write(run, known, &mut out, &mut exported)?;
            }
        }
        Format::Bundle => bundle(runs, known, &mut out, &mut exported)?,
        Format::Csv | Format::Jsonl => {
            let mut rows = Vec::new();
            for run in runs {
                rows.extend(rows_of(run, known)?);
            }
            exported.attempts = rows.len();
            match format {
                Format::Csv => out.write("attempts.csv", &csv(&rows, folder)?)?,
                _ => out.write("attempts.jsonl", &lines(&rows, folder)?)?,
            }
        }
    }
    exported.notes.extend(claims(runs));
    exported.files = out.finish()?;
    exported.left_out = left_out(exported.lost.drain(..));
    Ok(exported)
}

/// Packs all runs, with the words of their tasks where these are at hand.
fn bundle(runs: &[RunDir], known: &Known, out: &mut Out, exported: &mut Exported) -> Result<(), ExportError> {
    for run in runs {
        exported.attempts += run.last_tries::<serde_json::Value>()?.len();
    }
    let inputs = bundle_inputs(runs, known)?;
    let file = out.reserve(BUNDLE)?;
    let packed = pack_runs(&runs.iter().collect::<Vec<_>>(), &inputs, &file, &|| ())?;
    let (files, runs) = (pluralise(packed.files.len(), "file"), pluralise(packed.runs.len(), "run"));
    exported.notes.push(format!("{files} of {runs} in {BUNDLE}"));
    Ok(())
}

/// What goes into a bundle beside its runs: the words of their tasks, each with its path.
///
/// # Errors
/// When they can't be written down.
pub fn bundle_inputs(runs: &[RunDir], known: &Known) -> Result<Vec<(String, Vec<u8>)>, ExportError> {
    let mut inputs: Vec<(String, Vec<u8>)> = Vec::new();
    for run in runs {
        let Some(set) = known.tasks_of(run) else { continue };
        let name = format!("inputs/tasks-{}.json", run.record().set);
        if inputs.iter().all(|(other, _)| *other != name) {
            let tasks: Vec<_> = set.all().iter().map(|entry| &entry.task).collect();
            let failed = |error: serde_json::Error| ExportError::unwritable(run.path())(error.into());
            inputs.push((name, serde_json::to_vec_pretty(&tasks).map_err(failed)?));
        }
    }
    Ok(inputs)
}

fn reference(run: &RunDir, known: &Known, out: &mut Out, exported: &mut Exported) -> Result<(), ExportError> {
    match run.record().benchmark.as_str() {
        Tasks::NAME => tasks::write(run, known, out, exported),
        Drags::NAME => drags::write(run, known, out, exported),
        Questions::NAME => perception::write(run, known, out, exported),
        _ => Err(no_place(run)),
    }
}

fn rows_of<'a>(run: &'a RunDir, known: &'a Known) -> Result<Vec<rows::Row<'a>>, ExportError> {
    match run.record().benchmark.as_str() {
        Tasks::NAME => Ok(rows::of_tasks(run)?),
        Drags::NAME => Ok(rows::of_drags(run, known)?),
        Questions::NAME => {
            known.check_questions(run)?;
            Ok(rows::of_questions(run, known)?)
        }
        _ => Err(no_place(run)),
    }
}

fn no_place(run: &RunDir) -> ExportError {
    ExportError::Benchmark { path: run.path().to_owned(), benchmark: run.record().benchmark.clone() }
}

fn csv(rows: &[rows::Row<'_>], folder: &Path) -> Result<Vec<u8>, ExportError> {
    let failed = |error: csv::Error| ExportError::unwritable(folder)(error.into());
    let mut table = CsvTable::of_fields();
    for row in rows {
        table.row(row).map_err(failed)?;
    }
    table.finish().map_err(failed)
}

fn lines(rows: &[rows::Row<'_>], folder: &Path) -> Result<Vec<u8>, ExportError> {
    let mut text = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut text, row).map_err(|error| ExportError::unwritable(folder)(error.into()))?;
        text.push(b'\n');
    }
    Ok(text)
}
