//! The catalogue as files: an index with filters, a page for each task, and their pictures.

use std::path::Path;

use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;

use super::template::{render, write};
use super::{ProjectView, ReportError, TaskView};

/// A file of the catalogue with its name and content.
macro_rules! asset {
    ($name:literal) => {
        ($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/catalogue/", $name)))
    };
}

/// Taken as they are.
const PLAIN: [(&str, &str); 2] = [asset!("catalogue.css"), asset!("catalogue.js")];
/// Made from data; their names end with `.html`, so that what is put into them is escaped.
const TEMPLATES: [(&str, &str); 2] = [asset!("index.html"), asset!("task.html")];

/// What the index says about the set as a whole.
#[derive(Debug, Clone, Serialize)]
pub struct Catalogue {
    /// Version of the task set.
    pub version: String,
    pub program: String,
    /// The tasks, in the order of the set.
    pub tasks: Vec<TaskView>,
}

/// Writes the page of one task with its pictures into `folder`.
///
/// # Errors
/// [`ReportError::Write`] when a file can't be written.
pub fn write_task(folder: &Path, view: &TaskView) -> Result<(), ReportError> {
    for ProjectView { stage, scripts } in [&view.initial, &view.golden] {
        for picture in std::iter::once(stage).chain(scripts) {
            write(&folder.join(&picture.file), &picture.bytes)?;
        }
    }
    let page = format!("{}.html", view.task.id);
    write(&folder.join(&page), render(&TEMPLATES, "task.html", &page, context! { view => Serde(view) })?.as_bytes())
}

/// Writes the index, and what all pages share.
///
/// # Errors
/// [`ReportError::Write`] when a file can't be written.
pub fn write_index(folder: &Path, catalogue: &Catalogue) -> Result<(), ReportError> {
    for (name, content) in PLAIN {
        write(&folder.join(name), content.as_bytes())?;
    }
    let page = "index.html";
    write(&folder.join(page), render(&TEMPLATES, page, page, context! { catalogue => Serde(catalogue) })?.as_bytes())
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
