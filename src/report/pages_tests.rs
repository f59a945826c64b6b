//! Pages of the catalogue, from tasks without pictures.

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
    let project = crate::project::Project::from_json(r#"{"targets": []}"#, std::collections::BTreeMap::new()).unwrap();
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
        for link in
            html.replace("&#x2f;", "/").split(['"']).filter(|text| text.contains('.') && !text.contains([' ', '\n']))
        {
            assert!(folder.path().join(link).is_file(), "{page} links to {link}");
        }
    }
}
