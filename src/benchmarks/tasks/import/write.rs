//! Writes a pack next to its destination first, so that it appears as a whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use super::checkout::UTILS;
use super::task_files::TaskFiles;
use super::{Import, ImportError};
use crate::taskset::{PACK_FILE, SPLITS_FILE};

impl Import {
    /// Writes the pack to `out`. The same checkout gives the same bytes.
    ///
    /// # Errors
    /// [`ImportError::Taken`] when there is something already, unless `force` is given and it is a pack;
    /// [`ImportError::Unwritable`] when the disk refuses.
    pub fn write(&self, out: &Path, force: bool) -> Result<(), ImportError> {
        let occupied = occupied(out)?;
        if occupied && !force {
            return Err(ImportError::Taken { folder: out.to_owned() });
        }
        if occupied && !out.join(PACK_FILE).is_file() {
            return Err(ImportError::NotAPack { folder: out.to_owned() });
        }
        let unwritable = |path: &Path, source| ImportError::Unwritable { path: path.to_owned(), source };
        let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(|source| unwritable(parent, source))?;
        let draft = tempfile::Builder::new().prefix(".pack-").tempdir_in(parent);
        let draft = draft.map_err(|source| unwritable(parent, source))?;
        let folder = draft.path().join("pack");
        self.files(&folder)?;
        if out.exists() {
            fs::remove_dir_all(out).map_err(|source| unwritable(out, source))?;
        }
        fs::rename(&folder, out).map_err(|source| unwritable(out, source))
    }

    fn files(&self, folder: &Path) -> Result<(), ImportError> {
        // An import without a single task still is a pack that can be read.
        for part in ["tasks", "eval-scripts"] {
            let path = folder.join(part);
            fs::create_dir_all(&path).map_err(|source| ImportError::Unwritable { path, source })?;
        }
        put(folder.join(PACK_FILE), &json(&self.pack))?;
        if !self.splits.is_empty() {
            put(folder.join("tasks").join(SPLITS_FILE), &json(&self.splits))?;
        }
        if let Some(prelude) = &self.prelude {
            put(folder.join("eval-scripts").join(UTILS), prelude)?;
        }
        for TaskFiles { task, initial, golden, script } in &self.tasks {
            let own = folder.join("tasks").join(task.category.as_ref()).join(task.id.as_str());
            put(own.join("task.json"), &json(task))?;
            put(own.join(&task.initial), initial)?;
            put(own.join(&task.golden), golden)?;
            put(folder.join("eval-scripts").join(format!("{}.js", task.evaluation)), script)?;
        }
        Ok(())
    }
}

/// Whether something would be lost.
fn occupied(out: &Path) -> Result<bool, ImportError> {
    match fs::read_dir(out) {
        Ok(mut listing) => Ok(listing.next().is_some()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(ImportError::Unwritable { path: out.to_owned(), source }),
    }
}

fn json(value: &impl serde::Serialize) -> Vec<u8> {
    // Plain records with text keys: serialising them can't fail.
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}

fn put(path: PathBuf, content: &[u8]) -> Result<(), ImportError> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, content));
    written.map_err(|source| ImportError::Unwritable { path, source })
}
