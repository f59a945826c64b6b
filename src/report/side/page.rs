//! The page: tables and drawings in one file.

use minijinja::value::Serde;
use minijinja::{Value, context};

use super::plot::Plot;
use super::table::Table;
use crate::report::runs::CSS;
use crate::report::{ReportError, template};

const SIDE: (&str, &str) =
    ("side.html", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/side.html")));

pub(super) fn html(tables: &[Table], plots: &[Plot]) -> Result<String, ReportError> {
    let css = Value::from_safe_string(CSS.to_owned());
    let data = context! { tables => Serde(tables), plots => Serde(plots), css, version => env!("CARGO_PKG_VERSION") };
    template::render(&[SIDE], SIDE.0, "report.html", data)
}
