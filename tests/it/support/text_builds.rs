//! Builds a project from its text and the files beside it.

use std::collections::BTreeMap;

use scratchbed::compile::{BuildError, Source, compile};
use scratchbed::page::Page;
use scratchbed::project::Project;

/// Writes the files to a folder of their own, and builds the text in a page.
pub async fn build_text(page: &Page, text: &str, files: &BTreeMap<String, Vec<u8>>) -> Result<Project, BuildError> {
    let folder = tempfile::tempdir().unwrap();
    for (file, bytes) in files {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let source = Source { text: text.to_owned(), folders: vec![folder.path().to_owned()], path: None };
    compile(page, &source).await
}
