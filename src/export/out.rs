//! The folder that an export is written to: it appears whole, or not at all.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::TempDir;

use super::ExportError;

/// A folder that is being filled, beside the place where it goes.
pub(super) struct Out {
    folder: PathBuf,
    draft: TempDir,
    /// Folders that belong to one attempt each.
    claimed: BTreeSet<String>,
    files: usize,
}

impl Out {
    /// Begins a folder, which must be new or empty.
    pub(super) fn create(folder: &Path) -> Result<Self, ExportError> {
        let is_free = match fs::read_dir(folder) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        };
        if !is_free {
            return Err(ExportError::Taken { path: folder.to_owned() });
        }
        // In the same file system, so that it can be moved.
        let above = folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(above).map_err(ExportError::unwritable(above))?;
        let draft = tempfile::Builder::new().prefix(".unfinished-export-").tempdir_in(above);
        let draft = draft.map_err(ExportError::unwritable(folder))?;
        Ok(Self { folder: folder.to_owned(), draft, claimed: BTreeSet::new(), files: 0 })
    }

    /// Reserves a folder for one attempt.
    pub(super) fn claim(&mut self, name: &str) -> Result<(), ExportError> {
        if self.claimed.insert(name.to_owned()) { Ok(()) } else { Err(ExportError::Twice { name: name.to_owned() }) }
    }

    /// Writes a file; its name is made of checked parts alone.
    pub(super) fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), ExportError> {
        let path = self.place(name)?;
        fs::write(&path, bytes).map_err(ExportError::unwritable(&path))?;
        self.files += 1;
        Ok(())
    }

    /// The place of a file that the caller writes.
    pub(super) fn reserve(&mut self, name: &str) -> Result<PathBuf, ExportError> {
        self.files += 1;
        self.place(name)
    }

    /// Copies a file of a run, if the run has it; whether it has.
    pub(super) fn copy(&mut self, name: &str, from: &Path) -> Result<bool, ExportError> {
        if !from.is_file() {
            return Ok(false);
        }
        let path = self.place(name)?;
        fs::copy(from, &path).map_err(ExportError::unwritable(&path))?;
        self.files += 1;
        Ok(true)
    }

    /// Writes a value as a file that people can read too.
    pub(super) fn json(&mut self, name: &str, value: &impl Serialize) -> Result<(), ExportError> {
        let path = self.folder.join(name);
        let mut text =
            serde_json::to_vec_pretty(value).map_err(|error| ExportError::unwritable(&path)(error.into()))?;
        text.push(b'\n');
        self.write(name, &text)
    }

    fn place(&self, name: &str) -> Result<PathBuf, ExportError> {
        let path = self.draft.path().join(name);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above).map_err(ExportError::unwritable(above))?;
        }
        Ok(path)
    }

    /// Puts the folder in its place; how many files it has.
    pub(super) fn finish(self) -> Result<usize, ExportError> {
        let Self { folder, draft, files, .. } = self;
        let failed = || ExportError::unwritable(&folder);
        // Temporary folders are made for their owner alone.
        fs::set_permissions(draft.path(), Permissions::from_mode(0o755)).map_err(failed())?;
        // Takes the place of an empty folder, and fails on any other.
        fs::rename(draft.path(), &folder).map_err(failed())?;
        let _ = draft.keep();
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Coded as _;

    #[test]
    fn an_export_appears_whole_and_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/out");
        let mut broken_off = Out::create(&path).unwrap();
        broken_off.write("x/y.json", b"{}").unwrap();
        drop(broken_off);
        assert_eq!(fs::read_dir(folder.path().join("a")).unwrap().count(), 0);
        fs::create_dir(&path).unwrap();
        let mut out = Out::create(&path).unwrap();
        out.claim("x").unwrap();
        assert_eq!(out.claim("x").unwrap_err().code(), "exported_twice");
        out.json("x/y.json", &1).unwrap();
        assert_eq!(out.finish().unwrap(), 1);
        assert_eq!(fs::read_to_string(path.join("x/y.json")).unwrap(), "1\n");
        assert_eq!(Out::create(&path).err().unwrap().code(), "export_exists");
    }
}
