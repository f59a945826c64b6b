//! Trajectories of budgeted repair as tables (EcoScratch, section 8 of our specification): attempts, what they reached, what they cost, and
//! cases and cells in sums.
//!
//! `matrix` reads runs and refuses what does not go together, `family` tells whose a model is; `columns` has the names and parts that tables share; `attempts`,
//! `trajectories`, `cases` and `cells` make the rows. Rates with intervals, and pages, are `grade`'s and `report`'s.

mod attempts;
mod cases;
mod cells;
mod columns;
#[cfg(test)]
mod fakes;
mod family;
mod matrix;
#[cfg(test)]
mod tests;
mod trajectories;

use std::path::Path;

use serde::Serialize;

pub use matrix::Matrix;

use super::out::Out;
use super::{ExportError, Exported, claims};
use crate::files::CsvTable;
use crate::grade::left_out;
use crate::store::RunDir;

/// Writes the trajectories of runs as CSV files into a new or empty folder: `attempt_results.csv`, `functional_results.csv`,
/// `cost_results.csv`, `trajectory_results.csv`, `case_summaries.csv` and `cells.csv`. What is absent is empty, never 0. Trajectories that
/// the matrix of all cases, models, modes and replicates lacks are named in the notes.
///
/// # Errors
/// When a run can't be read, is no run of budgeted repair, or does not go with the others; when the folder can't be written. Then nothing
/// is left behind.
pub fn trajectories(runs: &[RunDir], folder: &Path) -> Result<Exported, ExportError> {
    let matrix = Matrix::read(runs)?;
    let mut out = Out::create(folder)?;
    let failed = |error: csv::Error| ExportError::unwritable(folder)(error.into());
    let files = [
        ("attempt_results.csv", attempts::table(&matrix)),
        ("functional_results.csv", trajectories::functional(&matrix)),
        ("cost_results.csv", trajectories::costs(&matrix)),
        ("trajectory_results.csv", trajectories::joined(&matrix)),
        ("case_summaries.csv", cases::table(&matrix)),
        ("cells.csv", cells::table(&matrix)),
    ];
    for (name, table) in files {
        out.write(name, &table.map_err(failed)?)?;
    }
    Ok(Exported {
        attempts: matrix.counted().count(),
        files: out.finish()?,
        left_out: left_out(matrix.left_out()),
        notes: claims(runs).into_iter().chain(matrix.missing().iter().map(|key| format!("missing: {key}"))).collect(),
        ..Exported::default()
    })
}

/// A head and rows as CSV (RFC 4180). A row of another length than the head is an error.
fn csv_of(head: &[&str], rows: impl IntoIterator<Item = impl Serialize>) -> Result<Vec<u8>, csv::Error> {
    let mut table = CsvTable::of_rows(csv::Terminator::CRLF);
    table.texts(head)?;
    for row in rows {
        table.row(row)?;
    }
    table.finish()
}
