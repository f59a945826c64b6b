//! The folder of a benchmark run: one folder a trial, complete when its record is there.
//!
//! ```text
//! <runs>/<id>/run.json
//! <runs>/<id>/shared/<sha256>            what several trials have, once; in their folders are hard links to it
//! <runs>/<id>/trials/<item>.<attempt>/
//!     asked.json, answer.txt, *.png       what was shown and answered, as the benchmark keeps it
//!     trial.json                          what became of it; written last
//! ```

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::StoreError;
use super::disk::Disk;
use super::lock::RunLock;
use super::run_dir::{must_hold_run, new_run, read};
use crate::model::{TrialRecord, TrialRun, sha256_hex};

/// The file whose presence says that a trial is complete.
const RECORD: &str = "trial.json";
/// The folder of files that several trials share, by the digests of their bytes.
const SHARED: &str = "shared";

/// The folder of a benchmark run.
#[derive(Debug, Clone)]
pub struct TrialDir {
    path: PathBuf,
    run: TrialRun,
    disk: Disk,
    /// Held by whoever adds to the run, and not by readers.
    _lock: Option<RunLock>,
}

impl TrialDir {
    /// Creates the folder of a new run below `runs`.
    ///
    /// # Errors
    /// When the disk refuses, or a run of this name exists.
    pub fn create(runs: &Path, run: TrialRun) -> Result<Self, StoreError> {
        Self::create_on(Disk::default(), runs, run)
    }

    pub(super) fn create_on(disk: Disk, runs: &Path, run: TrialRun) -> Result<Self, StoreError> {
        let path = runs.join(&run.id);
        let lock = Some(new_run(&disk, &path, &run)?);
        Ok(Self { path, run, disk, _lock: lock })
    }

    /// Opens the folder of an earlier run.
    ///
    /// # Errors
    /// When it is no folder of a benchmark run, or one of a newer format.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { path: path.to_owned(), run: read(&path.join("run.json"))?, disk: Disk::default(), _lock: None })
    }

    /// Opens the folder of an earlier run to go on with it, which one process may at a time.
    ///
    /// # Errors
    /// As [`Self::open`]; [`StoreError::NoRun`] when nothing was begun there, [`StoreError::InUse`] when another process
    /// works on it.
    pub fn resume(path: &Path) -> Result<Self, StoreError> {
        must_hold_run(path)?;
        let opened = Self::open(path)?;
        Ok(Self { _lock: Some(RunLock::take(path)?), ..opened })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the run set out to do.
    #[must_use]
    pub const fn run(&self) -> &TrialRun {
        &self.run
    }

    /// The folder of a trial, relative to the run's.
    #[must_use]
    pub fn place(item: &str, attempt: u32) -> String {
        format!("trials/{item}.{attempt}")
    }

    /// Begins a trial. What an earlier one of this name left that was broken off is thrown away.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn begin(&self, item: &str, attempt: u32) -> Result<TrialFolder, StoreError> {
        let path = self.path.join(Self::place(item, attempt));
        if path.is_dir() {
            self.disk.remove_folder(&path)?;
        }
        self.disk.make_folders(&path)?;
        Ok(TrialFolder { path, disk: self.disk.clone() })
    }

    /// The record of a trial, if it is complete.
    ///
    /// # Errors
    /// When it can't be read or is of a newer format.
    pub fn record<D: DeserializeOwned>(&self, item: &str, attempt: u32) -> Result<Option<TrialRecord<D>>, StoreError> {
        let file = self.path.join(Self::place(item, attempt)).join(RECORD);
        if file.is_file() { read(&file).map(Some) } else { Ok(None) }
    }
}

/// The folder of one trial while it is written.
#[derive(Debug)]
pub struct TrialFolder {
    path: PathBuf,
    disk: Disk,
}

impl TrialFolder {
    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps a file.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.disk.write(&self.path.join(name), bytes)
    }

    /// Keeps a file that other trials of the run may have, too: its bytes are on the disk once, in `shared` of the run's folder,
    /// and trials name them by hard links. Where the file system has none, the trial gets a copy.
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

    /// Keeps a value as JSON.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_json(&self, name: &str, value: &impl Serialize) -> Result<(), StoreError> {
        self.disk.write_json(&self.path.join(name), value)
    }

    /// Completes the trial.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn complete<D: Serialize>(self, record: &TrialRecord<D>) -> Result<(), StoreError> {
        self.disk.write_json(&self.path.join(RECORD), record)?;
        let trials = self.path.parent().unwrap_or(&self.path);
        self.disk.sync_folder(trials)?;
        self.disk.sync_folder(trials.parent().unwrap_or(trials))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::model::{Coded, RUN_FORMAT, TrialCost, TrialOutcome};

    fn run() -> TrialRun {
        TrialRun {
            format: RUN_FORMAT,
            id: "one".to_owned(),
            started_at: 1.5,
            version: "0".to_owned(),
            benchmark: "drag".to_owned(),
            agent: "oracle".to_owned(),
            setting: "baseline".to_owned(),
            options: Value::Null,
            set: "abc".to_owned(),
            attempts: 2,
            items: vec!["a".to_owned()],
        }
    }

    #[test]
    fn a_trial_is_complete_with_its_record_and_else_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let dir = TrialDir::create(folder.path(), run()).unwrap();
        dir.begin("a", 1).unwrap().keep("answer.txt", b"half").unwrap();
        assert_eq!(dir.record::<Value>("a", 1).unwrap(), None);
        let again = dir.begin("a", 1).unwrap();
        assert!(!again.path().join("answer.txt").exists());
        let record = TrialRecord {
            format: RUN_FORMAT,
            item: "a".to_owned(),
            attempt: 1,
            outcome: TrialOutcome::Failed,
            error: None,
            cost: TrialCost::default(),
            detail: Some(json!({"pixels": 3})),
        };
        again.complete(&record).unwrap();
        let reopened = TrialDir::open(dir.path()).unwrap();
        assert_eq!(reopened.record("a", 1).unwrap(), Some(record));
        assert_eq!(reopened.record::<Value>("a", 2).unwrap(), None);
        assert_eq!(TrialDir::create(folder.path(), run()).unwrap_err().code(), "run_unwritable");
    }

    #[test]
    fn what_trials_share_is_on_the_disk_once_and_survives_a_trial_that_is_begun_anew() {
        use std::os::unix::fs::MetadataExt as _;
        let folder = tempfile::tempdir().unwrap();
        let dir = TrialDir::create(folder.path(), run()).unwrap();
        let [first, second] = [1, 2].map(|attempt| dir.begin("a", attempt).unwrap());
        first.keep_once("seen.png", b"same").unwrap();
        second.keep_once("seen.png", b"same").unwrap();
        second.keep_once("other.png", b"another").unwrap();
        let inode = |folder: &TrialFolder| std::fs::metadata(folder.path().join("seen.png")).unwrap().ino();
        assert_eq!(inode(&first), inode(&second));
        let again = dir.begin("a", 1).unwrap();
        again.keep_once("seen.png", b"same").unwrap();
        assert_eq!(inode(&again), inode(&second));
        assert_eq!(std::fs::read(second.path().join("seen.png")).unwrap(), b"same");
        assert_eq!(std::fs::read_dir(dir.path().join(SHARED)).unwrap().count(), 2);
    }
}
