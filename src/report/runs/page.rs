//! A page from its template, written into the folder of the run.

use std::path::{Path, PathBuf};

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use crate::report::{ReportError, template};

/// The look of all reports; it goes into each page.
pub(crate) const CSS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/report.css"));
/// How pages write rates, for their templates to import.
const RATES: (&str, &str) =
    ("rates.html", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/rates.html")));
/// The page's name in the folder of its run.
const PAGE: &str = "report.html";

/// Makes the page of a run. `template` is its name and text.
pub(super) fn write(folder: &Path, template: (&str, &str), report: &impl Serialize) -> Result<PathBuf, ReportError> {
    write_with(folder, &[template], "", report)
}

/// Makes a page that uses other templates, which come after its own, and has a look of its own beside that of all reports.
pub(in crate::report) fn write_with(
    folder: &Path,
    templates: &[(&str, &str)],
    look: &str,
    report: &impl Serialize,
) -> Result<PathBuf, ReportError> {
    let path = folder.join(PAGE);
    let css = Value::from_safe_string(format!("{CSS}{look}"));
    let own = templates.first().map_or("", |(name, _)| *name);
    let html = template::render(&[templates, &[RATES]].concat(), own, PAGE, context! { report => Serde(report), css })?;
    template::write(&path, html.as_bytes())?;
    Ok(path)
}
