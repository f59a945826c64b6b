//! Reading finished runs: the folder of all runs, and an attempt's calls as they were recorded.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::run_dir::{ATTEMPTS, read};
use super::tallies::{Tallies, Tally};
use super::{RunDir, StoreError};
use crate::model::{TaskRecord, Verdict};

/// The longest name of a run or attempt.
const LONGEST_NAME: usize = 200;

/// The folder that holds all runs.
#[derive(Debug, Clone)]
pub struct Runs {
    path: PathBuf,
    tallies: Tallies,
}

/// A complete attempt as it was recorded.
#[derive(Debug, Clone)]
pub struct RecordedAttempt {
    pub record: TaskRecord,
    /// The verdict, if anything was judged.
    pub verdict: Option<Verdict>,
    /// One value a call, in order; the last line is left out if it was broken off.
    pub calls: Vec<Value>,
}

impl Runs {
    /// The runs below a folder, which may not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), tallies: Tallies::default() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The runs whose records can be read, newest first; what is wrong with one is told by [`Self::find`].
    pub fn list(&self) -> Vec<RunDir> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let mut runs: Vec<RunDir> = entries.filter_map(|entry| RunDir::of_record(&entry.path()).ok()).collect();
        runs.sort_by(|a, b| b.record().started_at.total_cmp(&a.record().started_at));
        self.tallies.keep(&runs);
        runs
    }

    /// How a run went so far. Attempts that were counted before are not read again.
    pub fn tally(&self, run: &RunDir) -> Tally {
        self.tallies.of(run)
    }

    /// The run of this name; `None` when there is none.
    ///
    /// # Errors
    /// When it can't be read, or is of a newer format.
    pub fn find(&self, name: &str) -> Result<Option<RunDir>, StoreError> {
        let path = match name.split_once(OF_ARM) {
            Some((experiment, arm)) if is_plain(experiment) && is_arm(arm) => {
                self.path.join(EXPERIMENTS).join(experiment).join(arm)
            }
            None if is_plain(name) => self.path.join(name),
            _ => return Ok(None),
        };
        if !path.join("run.json").is_file() {
            return Ok(None);
        }
        RunDir::open(&path).map(Some)
    }
}

/// The folder of experiments below that of runs.
pub const EXPERIMENTS: &str = "experiments";
/// Between the names of an experiment and of its arm, in the name of the run that the arm's attempts are.
const OF_ARM: char = '~';

/// The name of the run that an arm's attempts are, as [`Runs::find`] knows it.
pub fn arm_run(experiment: &str, arm: &str) -> String {
    format!("{experiment}{OF_ARM}{arm}")
}

impl RunDir {
    /// The complete attempt at a task in the folder of this name; `None` when there is none.
    ///
    /// # Errors
    /// When it can't be read, or is of a newer format.
    pub fn recorded(&self, name: &str) -> Result<Option<RecordedAttempt>, StoreError> {
        let Some(path) = self.attempt_path(name) else { return Ok(None) };
        let calls = path.join("calls.jsonl");
        // Projects that were made elsewhere have no calls.
        let text = match fs::read_to_string(&calls) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read.map_err(StoreError::unreadable(&calls))?,
        };
        Ok(Some(RecordedAttempt {
            record: read(&path.join(super::attempt_dir::RECORD))?,
            verdict: self.verdict(name)?,
            calls: text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
        }))
    }

    /// The verdict on an attempt when it was made; `None` where nothing was judged.
    ///
    /// # Errors
    /// When it can't be read, or is of a newer format.
    pub fn verdict(&self, name: &str) -> Result<Option<Verdict>, StoreError> {
        let file = self.attempt_path(name).map(|path| path.join("verdict.json"));
        file.filter(|file| file.is_file()).map(|file| read(&file)).transpose()
    }

    /// One call of an attempt, by its place in the order; `None` when there is no such attempt or call. The others are
    /// skipped unread.
    ///
    /// # Errors
    /// When the calls can't be read.
    pub fn recorded_call(&self, name: &str, place: usize) -> Result<Option<Value>, StoreError> {
        let Some(path) = self.shown_path(name).map(|path| path.join("calls.jsonl")) else { return Ok(None) };
        let file = fs::File::open(&path).map_err(StoreError::unreadable(&path))?;
        let line = BufReader::new(file).lines().nth(place).transpose().map_err(StoreError::unreadable(&path))?;
        Ok(line.and_then(|line| serde_json::from_str(&line).ok()))
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

    /// The folder of a complete attempt.
    pub(super) fn attempt_path(&self, name: &str) -> Option<PathBuf> {
        let path = self.path().join(ATTEMPTS).join(name);
        (is_plain(name) && path.join(super::attempt_dir::RECORD).is_file()).then_some(path)
    }
}

/// Whether a name is one of a folder right here: requests must not lead elsewhere.
pub(super) fn is_plain(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && name.len() <= LONGEST_NAME && !name.starts_with('.') && name.chars().all(allowed)
}

/// Whether a name is one of an arm's folder: settings that set arms apart are named with `=`.
fn is_arm(name: &str) -> bool {
    is_plain(&name.replace('=', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_found_by_its_place_and_no_other_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let attempt = folder.path().join("one/attempts/a.composite.1");
        fs::create_dir_all(&attempt).unwrap();
        fs::write(
            folder.path().join("one/run.json"),
            r#"{"format": 1, "id": "one", "started_at": 1.5, "version": "0",
            "agent": "oracle", "mode": "composite", "tasks": ["a"], "limits": {}}"#,
        )
        .unwrap();
        fs::write(attempt.join("attempt.json"), "{}").unwrap();
        fs::write(attempt.join("calls.jsonl"), "no JSON at all\n{\"n\": 1}\n{\"n\": 2").unwrap();
        let run = Runs::new(folder.path()).find("one").unwrap().unwrap();
        assert_eq!(run.recorded_call("a.composite.1", 1).unwrap(), Some(serde_json::json!({"n": 1})));
        assert_eq!(run.recorded_call("a.composite.1", 2).unwrap(), None, "it was broken off");
        assert_eq!(run.recorded_call("a.composite.1", 9).unwrap(), None);
        assert_eq!(run.recorded_call("../one", 0).unwrap(), None);
    }

    #[test]
    fn arms_that_differ_by_a_setting_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let arm = folder.path().join("experiments/e/llm-composite-max_steps=10");
        fs::create_dir_all(&arm).unwrap();
        fs::write(
            arm.join("run.json"),
            r#"{"format": 1, "id": "one", "started_at": 1.5, "version": "0",
            "agent": "oracle", "mode": "composite", "tasks": ["a"], "limits": {}}"#,
        )
        .unwrap();
        let runs = Runs::new(folder.path());
        assert!(runs.find(&arm_run("e", "llm-composite-max_steps=10")).unwrap().is_some());
        for wrong in ["e=~llm-composite-max_steps=10", "e~..", "e~=/../x", "experiments=e"] {
            assert!(runs.find(wrong).unwrap().is_none(), "{wrong}");
        }
    }

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
