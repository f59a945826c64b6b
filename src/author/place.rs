//! The location of drafts, free names, and writing a draft atomically.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use strum::VariantNames as _;

use super::AuthorError;
use crate::files::Checkout;
use crate::model::{Category, TaskId};

/// Name of the text of a base.
pub(super) const BASE_TEXT: &str = "project.txt";
/// Name of a task's description.
pub(super) const TASK_FILE: &str = "task.json";

/// A written draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Draft {
    pub id: TaskId,
    pub category: Category,
    pub folder: PathBuf,
    pub judge: PathBuf,
    /// The files in its folder, relative to it, sorted.
    pub files: Vec<String>,
}

/// What a draft consists of.
#[derive(Debug)]
pub(super) struct Content {
    /// Files of its folder by their relative paths.
    pub files: BTreeMap<String, Vec<u8>>,
    pub judge: String,
}

/// Makes sure that no task, draft or judge has a name.
pub(super) fn must_be_free(checkout: &Checkout, id: &TaskId) -> Result<(), AuthorError> {
    let judge = format!("{id}.js");
    let judges = [checkout.judges(), checkout.draft_judges()].map(|above| above.join(&judge));
    let folders = [checkout.tasks(), checkout.drafts()]
        .map(|above| Category::VARIANTS.iter().map(move |name| above.join(name).join(id.as_str())));
    let taken = folders.into_iter().flatten().chain(judges).find(|path| path.exists());
    taken.map_or(Ok(()), |place| Err(AuthorError::Taken { id: id.clone(), place }))
}

/// The names of the bases, sorted.
pub(super) fn bases(checkout: &Checkout) -> Vec<String> {
    let listing = fs::read_dir(checkout.bases()).into_iter().flatten().flatten();
    let with_text = listing.filter(|entry| entry.path().join(BASE_TEXT).is_file());
    let mut names: Vec<String> = with_text.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

pub(super) fn base_text(checkout: &Checkout, base: &TaskId) -> Result<String, AuthorError> {
    let path = checkout.bases().join(base.as_str()).join(BASE_TEXT);
    if !path.is_file() {
        return Err(AuthorError::UnknownBase { base: base.clone(), known: bases(checkout) });
    }
    fs::read_to_string(&path).map_err(|source| AuthorError::Unreadable { path, source })
}

/// Writes a draft whose name is free. Its folder appears with all files in it.
pub(super) fn write(
    checkout: &Checkout,
    category: Category,
    id: &TaskId,
    content: &Content,
) -> Result<Draft, AuthorError> {
    let above = checkout.drafts().join(category.as_ref());
    let folder = above.join(id.as_str());
    let judge = checkout.draft_judges().join(format!("{id}.js"));
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| AuthorError::NotWritten { path, source }
    };
    fs::create_dir_all(&above).map_err(failed(&above))?;
    let parts = tempfile::Builder::new().prefix(".new-").tempdir_in(&above).map_err(failed(&above))?;
    for (name, bytes) in &content.files {
        let path = parts.path().join(name);
        write_file(&path, bytes).map_err(failed(&path))?;
    }
    write_file(&judge, content.judge.as_bytes()).map_err(failed(&judge))?;
    // A folder of the same name that appeared meanwhile makes this fail, unless it is empty.
    fs::rename(parts.keep(), &folder).map_err(failed(&folder))?;
    let files = content.files.keys().cloned().collect();
    Ok(Draft { id: id.clone(), category, folder, judge, files })
}

fn write_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    fs::write(path, bytes)
}
