//! A page from its template, written into the folder of the run.

use std::fs;
use std::path::{Path, PathBuf};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, context};
use serde::Serialize;

use crate::report::ReportError;

/// The look of all reports; it goes into each page.
const CSS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/report.css"));
/// The page's name in the folder of its run.
const PAGE: &str = "report.html";

/// Makes the page of a run. `template` is its name and text; the name ends with `.html`, so that what is put into it is
/// escaped.
pub(super) fn write(folder: &Path, template: (&str, &str), report: &impl Serialize) -> Result<PathBuf, ReportError> {
    let path = folder.join(PAGE);
    let html = render(template, report).map_err(|source| ReportError::Template { page: PAGE.to_owned(), source })?;
    fs::write(&path, html).map_err(|source| ReportError::Write { path: path.clone(), source })?;
    Ok(path)
}

fn render((name, text): (&str, &str), report: &impl Serialize) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.add_template(name, text)?;
    let css = minijinja::Value::from_safe_string(CSS.to_owned());
    environment.get_template(name)?.render(context! { report => Serde(report), css })
}
