//! The folder of one run: created once, read again to go on or to report.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::StoreError;
use super::attempt_dir::{AttemptDir, RECORD};
use super::disk::Disk;
use super::lock::RunLock;
use crate::model::{AttemptRecord, Mode, RUN_FORMAT, RunRecord, TaskId};

/// The folder of one run.
#[derive(Debug, Clone)]
pub struct RunDir {
    path: PathBuf,
    record: RunRecord,
    disk: Disk,
    /// Held by whoever adds to the run, and not by readers.
    _lock: Option<RunLock>,
}

impl RunDir {
    /// Creates the folder of a new run below `runs`.
    ///
    /// # Errors
    /// When the disk refuses, or a run of this name exists.
    pub fn create(runs: &Path, record: RunRecord) -> Result<Self, StoreError> {
        Self::create_on(Disk::default(), runs, record)
    }

    pub(super) fn create_on(disk: Disk, runs: &Path, record: RunRecord) -> Result<Self, StoreError> {
        let path = runs.join(&record.id);
        let lock = Some(new_run(&disk, &path, &record)?);
        Ok(Self { path, record, disk, _lock: lock })
    }

    /// Opens the folder of an earlier run.
    ///
    /// # Errors
    /// When it is no run directory, or one of a newer format.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let record: RunRecord = read(&path.join("run.json"))?;
        Ok(Self { path: path.to_owned(), record, disk: Disk::default(), _lock: None })
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
    pub const fn record(&self) -> &RunRecord {
        &self.record
    }

    /// Begins an attempt. One that was broken off before is begun anew under the same name.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn begin(&self, task: &TaskId, mode: Mode, attempt: u32) -> Result<AttemptDir, StoreError> {
        let path = self.path.join("attempts").join(format!("{task}.{mode}.{attempt}"));
        if path.is_dir() && !path.join(RECORD).exists() {
            self.disk.remove_folder(&path)?;
        }
        AttemptDir::create(&self.disk, path)
    }

    /// The complete attempts, sorted by folder name.
    ///
    /// # Errors
    /// When one can't be read or is of a newer format.
    pub fn attempts(&self) -> Result<Vec<AttemptRecord>, StoreError> {
        let folder = self.path.join("attempts");
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder).map_err(StoreError::unreadable(&folder))? {
            let file = entry.map_err(StoreError::unreadable(&folder))?.path().join(RECORD);
            if file.is_file() {
                files.push(file);
            }
        }
        files.sort();
        files.iter().map(|file| read(file)).collect()
    }
}

/// Makes the folder of a new run of whatever kind, says in it what it sets out to do, and locks it.
pub(super) fn new_run(disk: &Disk, path: &Path, record: &impl Serialize) -> Result<RunLock, StoreError> {
    let runs = path.parent().unwrap_or(path);
    disk.make_lasting_folders(runs)?;
    // Fails on a folder that exists: two runs never share one.
    disk.make_folder(path)?;
    disk.write_json(&path.join("run.json"), record)?;
    let lock = RunLock::take(path)?;
    disk.sync_folder(runs)?;
    Ok(lock)
}

/// Whether a folder that a person named is one of a run.
pub(super) fn must_hold_run(path: &Path) -> Result<(), StoreError> {
    if path.join("run.json").is_file() { Ok(()) } else { Err(StoreError::NoRun { path: path.to_owned() }) }
}

/// Reads a record, and looks at its format first: a newer one may have other fields.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let bytes = fs::read(path).map_err(StoreError::unreadable(path))?;
    let malformed = |source| StoreError::Malformed { path: path.to_owned(), source };
    let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(malformed)?;
    let found = value["format"].as_u64().and_then(|format| u32::try_from(format).ok()).unwrap_or(0);
    if found > RUN_FORMAT {
        return Err(StoreError::NewerFormat { path: path.to_owned(), found, known: RUN_FORMAT });
    }
    serde_json::from_value(value).map_err(malformed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Category, Coded, Ending, LimitOverrides, Outcome};

    fn run() -> RunRecord {
        RunRecord {
            format: RUN_FORMAT,
            id: "one".into(),
            started_at: 1.5,
            version: "0".into(),
            agent: "oracle".into(),
            mode: Mode::Composite,
            tasks: vec!["a".parse().unwrap()],
            task_set: None,
            split: None,
            server: None,
            limits: LimitOverrides::default(),
            notes: Vec::new(),
        }
    }

    fn attempt() -> AttemptRecord {
        AttemptRecord {
            format: RUN_FORMAT,
            task: "a".parse().unwrap(),
            category: Category::Debug,
            mode: Mode::Composite,
            attempt: 1,
            outcome: Outcome::Passed,
            ending: Ending::Done,
            steps: 3,
            misses: None,
            replans: None,
            passed_tests: 2,
            total_tests: 2,
            acting_s: 1.0,
            judging_s: 2.0,
            lost_program: None,
            error: None,
        }
    }

    #[test]
    fn only_complete_attempts_count_and_a_broken_one_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(folder.path(), run()).unwrap();
        let begun = run.begin(&attempt().task, Mode::Composite, 1).unwrap();
        begun.keep_project(b"half").unwrap();
        assert_eq!(RunDir::open(run.path()).unwrap().attempts().unwrap(), []);
        let again = run.begin(&attempt().task, Mode::Composite, 1).unwrap();
        assert!(!again.path().join("project.sb3").exists());
        again.complete(&attempt()).unwrap();
        let reopened = RunDir::open(run.path()).unwrap();
        assert_eq!(reopened.attempts().unwrap(), [attempt()]);
        assert_eq!(reopened.record(), run.record());
    }

    #[test]
    fn two_runs_never_share_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        RunDir::create(folder.path(), run()).unwrap();
        assert_eq!(RunDir::create(folder.path(), run()).unwrap_err().code(), "run_unwritable");
    }

    #[test]
    fn one_process_at_a_time_goes_on_with_a_run() {
        let folder = tempfile::tempdir().unwrap();
        let first = RunDir::create(folder.path(), run()).unwrap();
        let (path, copy) = (first.path().to_owned(), first.clone());
        drop(first);
        assert_eq!(RunDir::resume(&path).unwrap_err().code(), "run_in_use");
        assert!(RunDir::open(&path).is_ok(), "readers need not wait");
        drop(copy);
        let again = RunDir::resume(&path).unwrap();
        assert_eq!(RunDir::resume(&path).unwrap_err().code(), "run_in_use");
        drop(again);
        assert!(RunDir::resume(&path).is_ok());
        assert_eq!(RunDir::resume(folder.path()).unwrap_err().code(), "no_run");
    }

    #[test]
    fn a_newer_format_is_named_as_such() {
        let folder = tempfile::tempdir().unwrap();
        let path = RunDir::create(folder.path(), run()).unwrap().path().to_owned();
        fs::write(path.join("run.json"), r#"{"format": 2, "surprise": 1}"#).unwrap();
        assert_eq!(RunDir::open(&path).unwrap_err().code(), "run_format_newer");
    }
}
