//! What the model of an attempt was asked and answered, as its run keeps it, and attempts that are still in progress.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::run_dir::ATTEMPTS;
use super::runs::is_plain;
use super::{RunDir, StoreError};

/// Requests to the model, one a line.
const TURNS: &str = "turns.jsonl";
/// The messages of all requests, one a line.
const MESSAGES: &str = "messages.jsonl";
const CALLS: &str = "calls.jsonl";
/// Where Linux says who holds which lock: a look there keeps nobody from taking one.
const LOCKS: &str = "/proc/locks";

/// How far an attempt is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Grows with every call and every turn.
    pub version: u64,
    /// Whether there will be no more.
    pub is_complete: bool,
}

impl RunDir {
    /// Whether a process works on the run right now.
    pub fn is_worked_on(&self) -> bool {
        let Ok(lock) = fs::metadata(self.path().join(super::lock::FILE)) else { return false };
        fs::read_to_string(LOCKS).is_ok_and(|locks| locks.lines().any(|line| names(line, lock.ino())))
    }

    /// The attempts that are in progress, sorted by their names. What a killed run left is none.
    pub fn in_progress(&self) -> Vec<String> {
        if !self.is_worked_on() {
            return Vec::new();
        }
        let entries = fs::read_dir(self.path().join(ATTEMPTS)).into_iter().flatten().flatten();
        let open = entries.filter(|entry| !entry.path().join(super::attempt_dir::RECORD).is_file());
        let mut found: Vec<String> = open.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        found.retain(|name| is_plain(name));
        found.sort();
        found
    }

    /// The calls so far of an attempt in progress; `None` when there is none of this name.
    ///
    /// # Errors
    /// When they can't be read.
    pub fn calls_so_far(&self, name: &str) -> Result<Option<Vec<Value>>, StoreError> {
        match self.shown_path(name) {
            Some(path) => lines(&path.join(CALLS)).map(Some),
            None => Ok(None),
        }
    }

    /// How far an attempt is; `None` when there is none of this name.
    pub fn progress(&self, name: &str) -> Option<Progress> {
        let is_complete = self.attempt_path(name).is_some();
        let path = self.shown_path(name)?;
        let bytes = |file: &str| fs::metadata(path.join(file)).map_or(0, |about| about.len());
        Some(Progress { version: 1 + bytes(TURNS) + bytes(CALLS) + u64::from(is_complete), is_complete })
    }

    /// The turns of an attempt so far, in order; none for agents that ask no model.
    ///
    /// # Errors
    /// When they can't be read.
    pub fn turns(&self, name: &str) -> Result<Vec<Value>, StoreError> {
        self.shown_path(name).map_or(Ok(Vec::new()), |path| lines(&path.join(TURNS)))
    }

    /// The messages that were sent in a turn, by its number, in order; `None` when there is no such turn.
    ///
    /// # Errors
    /// When they can't be read.
    pub fn turn_messages(&self, name: &str, turn: u64) -> Result<Option<Vec<Value>>, StoreError> {
        let turns = self.turns(name)?;
        let Some(turn) = turns.iter().find(|line| line["turn"].as_u64() == Some(turn)) else { return Ok(None) };
        let Some(path) = self.shown_path(name) else { return Ok(None) };
        let known = lines(&path.join(MESSAGES))?;
        let known: HashMap<&str, &Value> = known.iter().filter_map(|one| Some((one["id"].as_str()?, one))).collect();
        let sent = turn["sent"].as_array().into_iter().flatten().filter_map(Value::as_str);
        Ok(Some(sent.filter_map(|id| known.get(id).copied().cloned()).collect()))
    }

    /// The folder of an attempt that is complete or in progress.
    pub(super) fn shown_path(&self, name: &str) -> Option<PathBuf> {
        let begun = || {
            let path = self.path().join(ATTEMPTS).join(name);
            (is_plain(name) && path.is_dir() && self.is_worked_on()).then_some(path)
        };
        self.attempt_path(name).or_else(begun)
    }
}

/// Whether a line of the list of locks is about one of the kind that runs take, on the file of this number.
fn names(line: &str, file: u64) -> bool {
    let mut words = line.split_whitespace();
    let is_ours = words.any(|word| word == "FLOCK");
    let number = words.find_map(|word| word.rsplit_once(':')?.1.parse::<u64>().ok());
    is_ours && number == Some(file)
}

/// The lines of a file that are whole JSON values; none where there is no file.
fn lines(path: &Path) -> Result<Vec<Value>, StoreError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(StoreError::unreadable(path))?,
    };
    Ok(bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::fakes::run;
    use super::*;

    #[test]
    fn an_attempt_in_progress_is_shown_while_its_run_is_worked_on() {
        let folder = tempfile::tempdir().unwrap();
        let dir = RunDir::create(folder.path(), run(&["a"])).unwrap();
        let reader = RunDir::open(dir.path()).unwrap();
        let attempt = dir.begin(&"a".parse().unwrap(), 1, 0).unwrap();
        assert_eq!(reader.in_progress(), ["a.1"]);
        assert_eq!(reader.turns("a.1").unwrap(), Vec::<Value>::new());
        let before = reader.progress("a.1").unwrap();
        let mut turns = attempt.lines("turns.jsonl").unwrap();
        turns.append(&json!({"turn": 1, "step": 1, "sent": ["m", "n", "gone"]})).unwrap();
        let mut messages = attempt.lines("messages.jsonl").unwrap();
        messages.append(&json!({"id": "n", "role": "user", "text": "Now?"})).unwrap();
        messages.append(&json!({"id": "m", "role": "system", "text": "Be brief."})).unwrap();
        let after = reader.progress("a.1").unwrap();
        assert!(after.version > before.version && !after.is_complete);
        let texts = |turn| {
            let sent = reader.turn_messages("a.1", turn).unwrap()?;
            Some(sent.iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(texts(1), Some(vec!["Be brief.".to_owned(), "Now?".to_owned()]));
        assert_eq!(texts(2), None);
        for name in ["../a.1", "b.1", "", ".."] {
            assert!(reader.progress(name).is_none(), "{name}");
        }
        drop((attempt, dir));
        assert!(!reader.is_worked_on() && reader.in_progress().is_empty(), "what was broken off is not in progress");
        assert!(reader.progress("a.1").is_none());
    }

    #[test]
    fn only_the_lock_of_the_file_itself_is_meant() {
        let line = "3: FLOCK  ADVISORY  WRITE 5512 08:01:4711 0 EOF";
        assert!(names(line, 4711) && !names(line, 471) && !names("1: POSIX  ADVISORY  WRITE 1 08:01:4711 0 EOF", 4711));
    }
}
