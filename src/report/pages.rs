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
mod tests {
    use std::fs;

    use super::super::{PictureFile, ProjectView};
    use super::*;
    use crate::certify::stats::figures_of;
    use crate::taskset::TaskSet;

    fn picture(file: &str) -> PictureFile {
        PictureFile { target: "<Bee>".to_owned(), file: file.to_owned(), width: 10, height: 10, bytes: b"x".to_vec() }
    }

    fn task() -> TaskView {
        let set = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let entry = set.find("kite_gusts").unwrap();
        let project =
            crate::project::Project::from_json(r#"{"targets": []}"#, std::collections::BTreeMap::new()).unwrap();
        let view = |which: &str| ProjectView {
            stage: picture(&format!("pictures/{which}.png")),
            scripts: vec![picture(&format!("pictures/{which}-0.svg"))],
        };
        let mut task = entry.task.clone();
        task.title = "A <script> & a title".to_owned();
        TaskView {
            task,
            figures: figures_of(entry, &project, &project),
            types: vec![("looks_say".to_owned(), 2)],
            initial: view("initial"),
            golden: view("golden"),
            changes: Vec::new(),
            certificate: None,
        }
    }

    #[test]
    fn pages_link_to_each_other_and_to_pictures_and_escape_what_tasks_say() {
        let folder = tempfile::tempdir().unwrap();
        let view = task();
        write_task(folder.path(), &view).unwrap();
        let catalogue = Catalogue { version: "abc".to_owned(), program: "1".to_owned(), tasks: vec![view] };
        write_index(folder.path(), &catalogue).unwrap();
        for page in ["index.html", "kite_gusts.html"] {
            let html = fs::read_to_string(folder.path().join(page)).unwrap();
            assert!(html.contains("A &lt;script&gt; &amp; a title") && !html.contains("<script> &"), "{page}");
            for link in html
                .replace("&#x2f;", "/")
                .split(['"'])
                .filter(|text| text.contains('.') && !text.contains([' ', '\n']))
            {
                assert!(folder.path().join(link).is_file(), "{page} links to {link}");
            }
        }
    }
}
