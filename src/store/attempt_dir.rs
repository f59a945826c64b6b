//! The folder of one try at an attempt while it is written.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::StoreError;
use super::disk::{Appended, Disk};
use crate::model::{AttemptRecord, CallRecord, Verdict, sha256_hex};

/// The file whose presence marks an attempt as complete.
pub(super) const RECORD: &str = "attempt.json";
/// The folder of files that several attempts share, by the digests of their bytes.
const SHARED: &str = "shared";

/// The folder of one try at an attempt, while it is written.
#[derive(Debug)]
pub struct AttemptDir {
    path: PathBuf,
    disk: Disk,
}

impl AttemptDir {
    pub(super) fn create(disk: &Disk, path: PathBuf) -> Result<Self, StoreError> {
        disk.make_folders(&path)?;
        Ok(Self { path, disk: disk.clone() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that the attempt's calls are appended to.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn calls(&self) -> Result<CallLog, StoreError> {
        Ok(CallLog { file: self.disk.append_to(&self.path.join("calls.jsonl"), false)? })
    }

    /// # Errors
    /// When the disk refuses.
    pub fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.disk.write(&self.path.join(name), bytes)
    }

    /// Keeps a file that other attempts of the run may have, too: its bytes are on the disk once, in `shared` of the run's
    /// folder, and attempts name them by hard links. Where the file system has none, the attempt gets a copy.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_once(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let run = self.path.parent().and_then(Path::parent).unwrap_or(&self.path);
        let shared = run.join(SHARED).join(sha256_hex(bytes));
        if !shared.is_file() {
            self.disk.make_folders(&run.join(SHARED))?;
            self.disk.write(&shared, bytes)?;
        }
        let own = self.path.join(name);
        self.disk.link(&shared, &own, bytes).or_else(|_| self.disk.write(&own, bytes))
    }

    /// # Errors
    /// When the disk refuses.
    pub fn keep_json(&self, name: &str, value: &impl Serialize) -> Result<(), StoreError> {
        self.disk.write_json(&self.path.join(name), value)
    }

    /// Keeps the project as the agent left it.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_project(&self, sb3: &[u8]) -> Result<(), StoreError> {
        self.keep("project.sb3", sb3)
    }

    /// Keeps the verdict.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_verdict(&self, verdict: &Verdict) -> Result<(), StoreError> {
        self.keep_json("verdict.json", verdict)
    }

    /// Completes the attempt: the record is written when all the rest is on the disk, and marks that. Logs of calls and
    /// sessions sync themselves when they end.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn complete<D: Serialize>(self, record: &AttemptRecord<D>) -> Result<(), StoreError> {
        self.disk.sync_folder(&self.path)?;
        self.keep_json(RECORD, record)?;
        let attempts = self.path.parent().unwrap_or(&self.path);
        self.disk.sync_folder(attempts)?;
        self.disk.sync_folder(attempts.parent().unwrap_or(attempts))
    }
}

/// The calls of an attempt, one a line, while they are written.
#[derive(Debug)]
pub struct CallLog {
    file: Appended,
}

impl CallLog {
    /// Appends a call; what was written stays even if the program dies next.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn append(&mut self, call: &CallRecord) -> Result<(), StoreError> {
        let path = self.file.path();
        let malformed = |source| StoreError::Malformed { path: path.to_owned(), source };
        let mut line = serde_json::to_vec(call).map_err(malformed)?;
        line.push(b'\n');
        self.file.append(&line).map_err(StoreError::unwritable(self.file.path()))
    }

    /// Brings all calls to the disk.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn end(self) -> Result<(), StoreError> {
        self.file.sync().map_err(StoreError::unwritable(self.file.path()))
    }
}
