//! Runs for other programs: rows of figures, the reference's folders of results, and its form of submissions.
//!
//! Parts: `rows` makes one row an attempt; `tasks`, `drags` and `perception` write the reference's folders, of which
//! `played` makes the turns of an attempt at a task; `submission` writes the actions of tasks; `source` reads runs,
//! `known` has what runs only name; `out` is the folder that is written.

mod drags;
mod error;
mod known;
mod out;
mod perception;
mod played;
mod rows;
mod source;
mod submission;
mod tasks;

use std::path::Path;

use serde::Serialize;
use strum::{Display, EnumIter, EnumMessage, EnumString, IntoStaticStr};

pub use error::ExportError;
pub use known::Known;

use self::out::Out;
use crate::benchmarks::drag::Drags;
use crate::benchmarks::perception::Questions;
use crate::benchmarks::tasks::Tasks;
use crate::experiment::Benchmark as _;
use crate::grade::{LeftOut, left_out};
use crate::store::RunDir;

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
    exported.files = out.finish()?;
    exported.left_out = left_out(exported.lost.drain(..));
    Ok(exported)
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
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| ExportError::unwritable(folder)(error.into_error()))
}

fn lines(rows: &[rows::Row<'_>], folder: &Path) -> Result<Vec<u8>, ExportError> {
    let mut text = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut text, row).map_err(|error| ExportError::unwritable(folder)(error.into()))?;
        text.push(b'\n');
    }
    Ok(text)
}
