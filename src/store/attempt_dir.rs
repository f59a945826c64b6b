//! The folder of one attempt.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::StoreError;
use super::disk::{Appended, Disk};
use crate::model::{AttemptRecord, CallRecord, Verdict};

/// The file whose presence says that an attempt is complete.
pub(super) const RECORD: &str = "attempt.json";

/// The folder of one attempt, while it is written.
#[derive(Debug)]
pub struct AttemptDir {
    path: PathBuf,
    calls: Appended,
    disk: Disk,
}

impl AttemptDir {
    pub(super) fn create(disk: &Disk, path: PathBuf) -> Result<Self, StoreError> {
        disk.make_folders(&path)?;
        let calls = disk.append_to(&path.join("calls.jsonl"), false)?;
        Ok(Self { path, calls, disk: disk.clone() })
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
        let mut line = json(call, self.calls.path())?;
        line.push(b'\n');
        self.calls.append(&line).map_err(StoreError::unwritable(self.calls.path()))
    }

    /// Keeps the project as the agent left it.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_project(&self, sb3: &[u8]) -> Result<(), StoreError> {
        self.disk.write(&self.path.join("project.sb3"), sb3)
    }

    /// Keeps what the judge said.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_verdict(&self, verdict: &Verdict) -> Result<(), StoreError> {
        self.disk.write_json(&self.path.join("verdict.json"), verdict)
    }

    /// Completes the attempt: the record is written when all the rest is on the disk, and says so.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn complete(self, record: &AttemptRecord) -> Result<(), StoreError> {
        self.calls.sync().map_err(StoreError::unwritable(self.calls.path()))?;
        // The session's log has synced itself.
        self.disk.sync_folder(&self.path)?;
        self.disk.write_json(&self.path.join(RECORD), record)?;
        let attempts = self.path.parent().unwrap_or(&self.path);
        self.disk.sync_folder(attempts)?;
        self.disk.sync_folder(attempts.parent().unwrap_or(attempts))
    }
}

fn json(value: &impl Serialize, path: &Path) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|source| StoreError::Malformed { path: path.to_owned(), source })
}
