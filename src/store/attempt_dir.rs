//! The folder of one try at an attempt while it is written.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::StoreError;
use super::disk::{Appended, Disk};
use crate::model::{AttemptRecord, Verdict, sha256_hex};

/// The file whose presence marks an attempt as complete.
pub(super) const RECORD: &str = "attempt.json";
/// The folder of files that several attempts share, by the digests of their bytes.
pub(super) const SHARED: &str = "shared";

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

    /// A file of records that are appended one by one: `calls.jsonl` has the attempt's calls.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn lines(&self, name: &str) -> Result<Lines, StoreError> {
        Ok(Lines { file: self.disk.append_to(&self.path.join(name), false)? })
    }

    /// # Errors
    /// When the disk refuses.
    pub fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.disk.write(&self.path.join(name), bytes)
    }

    /// Keeps a file in a folder of the attempt's, which is made; `below` has no `..`.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_below(&self, below: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.path.join(below);
        self.disk.make_folders(path.parent().unwrap_or(&self.path))?;
        self.disk.write(&path, bytes)
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

/// Records in JSON, one a line, while they are written.
#[derive(Debug)]
pub struct Lines {
    file: Appended,
}

impl Lines {
    /// Goes on after so many bytes of a file.
    pub(super) fn go_on(disk: &Disk, path: &Path, whole: u64) -> Result<Self, StoreError> {
        let file = disk.append_to(path, false)?;
        file.cut(whole).map_err(StoreError::unwritable(path))?;
        Ok(Self { file })
    }

    /// Appends a record; what was written stays even if the program dies next.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), StoreError> {
        let path = self.file.path();
        let malformed = |source| StoreError::Malformed { path: path.to_owned(), source };
        let mut line = serde_json::to_vec(record).map_err(malformed)?;
        line.push(b'\n');
        self.file.append(&line).map_err(StoreError::unwritable(self.file.path()))
    }

    /// Brings all records to the disk.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn end(self) -> Result<(), StoreError> {
        self.file.sync().map_err(StoreError::unwritable(self.file.path()))
    }
}

/// The records of a file, one a line, and how many bytes of it are whole lines.
///
/// # Errors
/// When it can't be read, or a whole line is no such record.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<(Vec<T>, u64), StoreError> {
    let bytes = std::fs::read(path).map_err(StoreError::unreadable(path))?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let lines = bytes[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let malformed = |source| StoreError::Malformed { path: path.to_owned(), source };
    let records = lines.map(serde_json::from_slice).collect::<Result<_, _>>().map_err(malformed)?;
    Ok((records, whole as u64))
}
