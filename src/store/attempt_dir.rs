//! The folder of one attempt.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::StoreError;
use crate::model::{AttemptRecord, CallRecord, Verdict};

/// The file whose presence says that an attempt is complete.
pub(super) const RECORD: &str = "attempt.json";

/// The folder of one attempt, while it is written.
#[derive(Debug)]
pub struct AttemptDir {
    path: PathBuf,
    calls: File,
}

impl AttemptDir {
    pub(super) fn create(path: PathBuf) -> Result<Self, StoreError> {
        fs::create_dir_all(&path).map_err(StoreError::unwritable(&path))?;
        let calls = path.join("calls.jsonl");
        let file = OpenOptions::new().create(true).append(true).open(&calls).map_err(StoreError::unwritable(&calls))?;
        Ok(Self { path, calls: file })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a call; what was written stays even if the program dies next.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn log(&mut self, call: &CallRecord) -> Result<(), StoreError> {
        let path = self.path.join("calls.jsonl");
        let mut line = json(call, &path)?;
        line.push(b'\n');
        self.calls.write_all(&line).map_err(StoreError::unwritable(&path))
    }

    /// Keeps the project as the agent left it.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_project(&self, sb3: &[u8]) -> Result<(), StoreError> {
        write(&self.path.join("project.sb3"), sb3)
    }

    /// Keeps what the judge said.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_verdict(&self, verdict: &Verdict) -> Result<(), StoreError> {
        write_json(&self.path.join("verdict.json"), verdict)
    }

    /// Completes the attempt: the record is written when all the rest is on the disk, and says so.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn complete(self, record: &AttemptRecord) -> Result<(), StoreError> {
        let calls = self.path.join("calls.jsonl");
        self.calls.sync_all().map_err(StoreError::unwritable(&calls))?;
        let log = self.path.join(super::log_read::SESSION).join(super::log_dir::LOG);
        if log.is_file() {
            let synced = File::open(&log).and_then(|file| file.sync_all());
            synced.map_err(StoreError::unwritable(&log))?;
            sync_folder(&self.path.join(super::log_read::SESSION))?;
        }
        sync_folder(&self.path)?;
        write_json(&self.path.join(RECORD), record)?;
        sync_folder(self.path.parent().unwrap_or(&self.path))
    }
}

fn json(value: &impl Serialize, path: &Path) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|source| StoreError::Malformed { path: path.to_owned(), source })
}

/// Writes a record for people and programs: indented, with a final line end.
pub(super) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    let mut text =
        serde_json::to_vec_pretty(value).map_err(|source| StoreError::Malformed { path: path.to_owned(), source })?;
    text.push(b'\n');
    write(path, &text)
}

/// Has the disk know the names in a folder.
pub(super) fn sync_folder(path: &Path) -> Result<(), StoreError> {
    File::open(path).and_then(|folder| folder.sync_all()).map_err(StoreError::unwritable(path))
}

/// Writes a whole file or nothing, and on the disk when this returns: readers never see half of one.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(StoreError::unwritable(path))?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_data()).map_err(StoreError::unwritable(path))?;
    file.persist(path).map_err(|error| StoreError::unwritable(path)(error.error))?;
    sync_folder(folder)
}
