//! Tables and figures of budgeted repair in the shape of EcoScratch's, and what the paper does not tell: intervals, costs per success, all
//! layers, budgets.
//!
//! `paper` makes Tables 3 to 7, `beyond` the other tables, of which `words` writes the cells. `axis` and `scatter` draw Figures 3 and 4,
//! `steps` budget curves; `page` puts all into one file. What is counted, and how, is `grade::budgeted`'s.

mod axis;
mod beyond;
mod page;
mod paper;
mod scatter;
mod steps;
#[cfg(test)]
mod tests;
mod words;

use std::path::{Path, PathBuf};

use super::ReportError;
use super::side::{Table, text};
use crate::export::Matrix;
use crate::grade::budgeted::{CaseKey, Figures, figures};
use crate::meter::may_share_a_table;
use crate::model::Trajectory;
use crate::store::RunDir;

/// What a report is made of.
#[derive(Debug, Clone, Copy)]
pub struct Budgeted<'a> {
    pub figures: &'a Figures,
    /// Places of the matrix at which nothing counts.
    pub missing: &'a [CaseKey],
    /// What a reader should know, a sentence without its full stop each: which cases, which profile, what is unlike the paper.
    pub notes: &'a [String],
}

impl Budgeted<'_> {
    fn tables(&self) -> Vec<Table> {
        [paper::tables(self.figures), beyond::tables(self)].concat()
    }
}

/// The tables of runs that controllers made, for tables of runs of any benchmark.
///
/// # Errors
/// When the runs make no common matrix, or their energy was found in different ways.
pub(super) fn tables(runs: &[RunDir]) -> Result<Vec<Table>, ReportError> {
    let mut energy = Vec::new();
    for run in runs {
        let tries = run.last_tries::<Option<Trajectory>>()?.into_iter();
        energy.extend(tries.filter_map(|tried| tried.record.detail?.energy));
    }
    may_share_a_table(&energy).map_err(|error| ReportError::EnergyMixed(error.to_string()))?;
    let matrix = Matrix::read(runs)?;
    let figures = figures(&matrix.rows(), &matrix.not_counted());
    Ok(Budgeted { figures: &figures, missing: matrix.missing(), notes: &[] }.tables())
}

/// All tables for a terminal.
pub fn budgeted_text(report: &Budgeted<'_>) -> String {
    let mut notes: Vec<String> = report.notes.iter().map(|note| format!("note: {note}\n")).collect();
    notes.push(text(&report.tables()));
    notes.concat()
}

/// Writes the page, `report.html`, into a folder, and returns its path.
///
/// # Errors
/// When the page can't be made or written.
pub fn write_budgeted_report(folder: &Path, report: &Budgeted<'_>) -> Result<PathBuf, ReportError> {
    page::write(folder, report)
}
