//! Reading finished runs: the folder of all runs, and an attempt's calls as they were recorded.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::run_dir::read;
use super::{RunDir, StoreError};
use crate::model::{AttemptRecord, Verdict};

/// The longest name of a run or attempt.
const LONGEST_NAME: usize = 200;

/// The folder that holds all runs.
#[derive(Debug, Clone)]
pub struct Runs {
    path: PathBuf,
}

/// A complete attempt as it was recorded.
#[derive(Debug, Clone)]
pub struct RecordedAttempt {
    /// What became of it.
    pub record: AttemptRecord,
    /// What the judge said, if anything was judged.
    pub verdict: Option<Verdict>,
    /// One value a call, in order; a line that was broken off is left out.
    pub calls: Vec<Value>,
}

impl Runs {
    /// The runs below a folder, which may not exist yet.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The runs that can be read, newest first.
    #[must_use]
    pub fn list(&self) -> Vec<RunDir> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let mut runs: Vec<RunDir> = entries.filter_map(|entry| RunDir::open(&entry.path()).ok()).collect();
        runs.sort_by(|a, b| b.record().started_at.total_cmp(&a.record().started_at));
        runs
    }

    /// The run of this name; `None` when there is none.
    ///
    /// # Errors
    /// When it can't be read, or is of a newer format.
    pub fn find(&self, name: &str) -> Result<Option<RunDir>, StoreError> {
        let path = self.path.join(name);
        if !is_plain(name) || !path.join("run.json").is_file() {
            return Ok(None);
        }
        RunDir::open(&path).map(Some)
    }
}

impl RunDir {
    /// The complete attempt of this name, as [`AttemptRecord`] and folder name it; `None` when there is none.
    ///
    /// # Errors
    /// When it can't be read, or is of a newer format.
    pub fn recorded(&self, name: &str) -> Result<Option<RecordedAttempt>, StoreError> {
        let Some(path) = self.attempt_path(name) else { return Ok(None) };
        let verdict = path.join("verdict.json");
        let calls = path.join("calls.jsonl");
        let text = fs::read_to_string(&calls).map_err(StoreError::unreadable(&calls))?;
        Ok(Some(RecordedAttempt {
            record: read(&path.join(super::attempt_dir::RECORD))?,
            verdict: if verdict.is_file() { Some(read(&verdict)?) } else { None },
            calls: text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
        }))
    }

    /// The project as the agent of an attempt left it; `None` when there is no such attempt or project.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn recorded_project(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(file) = self.attempt_path(name).map(|path| path.join("project.sb3")) else { return Ok(None) };
        if !file.is_file() {
            return Ok(None);
        }
        fs::read(&file).map(Some).map_err(StoreError::unreadable(&file))
    }

    fn attempt_path(&self, name: &str) -> Option<PathBuf> {
        let path = self.path().join("attempts").join(name);
        (is_plain(name) && path.join(super::attempt_dir::RECORD).is_file()).then_some(path)
    }
}

/// Whether a name is one of a folder right here: requests must not lead elsewhere.
fn is_plain(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && name.len() <= LONGEST_NAME && !name.starts_with('.') && name.chars().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_lead_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("runs");
        fs::create_dir_all(&inner).unwrap();
        fs::write(folder.path().join("run.json"), "{}").unwrap();
        let runs = Runs::new(&inner);
        for name in ["..", ".", "", "../runs", "a/b", "/etc", "a\\b", "%2e%2e", &"x".repeat(300)] {
            assert!(runs.find(name).unwrap().is_none(), "{name}");
        }
        assert!(runs.list().is_empty());
        assert!(Runs::new("/nowhere at all").list().is_empty());
    }
}
