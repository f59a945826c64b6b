//! The page: tables and drawings in one file.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Budgeted;
use super::scatter::{Scatter, figures_3_and_4};
use super::steps::{Steps, budget_curves};
use crate::report::ReportError;
use crate::report::runs::write_with;
use crate::report::side::Table;

/// A file of the page with its name.
macro_rules! asset {
    ($name:literal) => {
        ($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/", $name)))
    };
}

const PAGE: (&str, &str) = asset!("budgeted.html");
const LOOK: (&str, &str) = asset!("budgeted.css");

#[derive(Debug, Serialize)]
struct Page<'a> {
    version: &'static str,
    notes: &'a [String],
    tables: Vec<Table>,
    scatters: Vec<Scatter>,
    curves: Option<Steps>,
    missing: usize,
}

pub(super) fn write(folder: &Path, report: &Budgeted<'_>) -> Result<PathBuf, ReportError> {
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        notes: report.notes,
        tables: report.tables(),
        scatters: figures_3_and_4(report.figures),
        curves: budget_curves(report.figures),
        missing: report.missing.len(),
    };
    write_with(folder, &[PAGE], LOOK.1, &page)
}
