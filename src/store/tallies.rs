//! How many attempts of a run there are and how many passed, without reading those again that were counted before.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::RunDir;
use super::attempt_dir::RECORD;
use super::own_files::is_own_file;
use super::run_dir::{ATTEMPTS, read};
use crate::model::{AttemptRecord, Outcome};

/// What became of a run's attempts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Complete attempts whose record can be read.
    pub attempts: usize,
    pub passed: usize,
}

/// Tallies of runs; clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Tallies(Arc<Mutex<HashMap<PathBuf, Counted>>>);

/// The attempts of one run that were counted, by the names of their folders.
type Counted = HashMap<OsString, (Stamp, bool)>;

/// When a record was written, and how long it is. A record is written once and as a whole.
type Stamp = (SystemTime, u64);

impl Tallies {
    /// Counts a run's attempts, and reads those that are new.
    pub(super) fn of(&self, run: &RunDir) -> Tally {
        let before = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(run.path()).unwrap_or_default();
        let folder = Some(run.path().join(ATTEMPTS)).filter(|folder| !folder.is_symlink());
        let entries = folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
        let counted: Counted = entries
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .filter_map(|entry| {
                let (name, file) = (entry.file_name(), entry.path().join(RECORD));
                let stamp = stamp(&file)?;
                let passed = match before.get(&name) {
                    Some((known, passed)) if *known == stamp => *passed,
                    _ => read::<AttemptRecord<serde_json::Value>>(&file).ok()?.outcome == Outcome::Passed,
                };
                Some((name, (stamp, passed)))
            })
            .collect();
        let passed = counted.values().filter(|(_, passed)| *passed).count();
        let tally = Tally { attempts: counted.len(), passed };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(run.path().to_owned(), counted);
        tally
    }

    /// Forgets all other runs.
    pub(super) fn keep(&self, runs: &[RunDir]) {
        let there: HashSet<&Path> = runs.iter().map(RunDir::path).collect();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|path, _| there.contains(path.as_path()));
    }
}

fn stamp(file: &Path) -> Option<Stamp> {
    if !is_own_file(file) {
        return None;
    }
    let about = fs::metadata(file).ok()?;
    Some((about.modified().ok()?, about.len()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::model::Coded as _;
    use crate::store::Runs;
    use serde_json::json;

    fn write(file: &Path, outcome: &str) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let record = json!({
            "format": 1, "task": "a", "category": "debug", "mode": "composite", "attempt": 1, "outcome": outcome,
            "ending": "done", "steps": 3, "passed_tests": 2, "total_tests": 2, "acting_s": 1.0, "judging_s": 2.0,
        });
        fs::write(file, record.to_string()).unwrap();
    }

    #[test]
    fn attempts_are_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let run = json!({
            "format": 1, "id": "one", "started_at": 1.5, "version": "0", "agent": "oracle", "mode": "composite",
            "tasks": ["a"], "limits": {},
        });
        fs::create_dir(folder.path().join("one")).unwrap();
        fs::write(folder.path().join("one/run.json"), run.to_string()).unwrap();
        let first = folder.path().join("one/attempts/a.composite.1").join(RECORD);
        write(&first, "passed");
        let runs = Runs::new(folder.path());
        let tally = || runs.tally(&runs.list()[0]);
        assert_eq!(tally(), Tally { attempts: 1, passed: 1 });
        // An attempt that can't be read any more still counts unless it has changed.
        let (written, len) = stamp(&first).unwrap();
        fs::write(&first, " ".repeat(usize::try_from(len).unwrap())).unwrap();
        fs::File::options().write(true).open(&first).unwrap().set_modified(written).unwrap();
        write(&folder.path().join("one/attempts/a.composite.2").join(RECORD), "failed");
        assert_eq!(tally(), Tally { attempts: 2, passed: 1 });
        write(&first, "failed");
        assert_eq!(tally(), Tally { attempts: 2, passed: 0 });
    }

    #[test]
    fn a_run_with_links_is_listed_without_what_they_lead_to_and_can_not_be_opened() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(folder.path(), crate::store::fakes::run(&["a"])).unwrap();
        let elsewhere = folder.path().join("elsewhere");
        write(&elsewhere.join(RECORD), "passed");
        let attempts = run.path().join(ATTEMPTS);
        fs::create_dir_all(attempts.join("a.2")).unwrap();
        symlink(&elsewhere, attempts.join("a.1")).unwrap();
        symlink(elsewhere.join(RECORD), attempts.join("a.2").join(RECORD)).unwrap();
        let runs = Runs::new(folder.path());
        assert_eq!(runs.list().iter().map(|run| runs.tally(run)).collect::<Vec<_>>(), [Tally::default()]);
        assert_eq!(runs.find(&run.record().id).unwrap_err().code(), "run_unreadable");
        fs::remove_dir_all(&attempts).unwrap();
        symlink(&elsewhere, &attempts).unwrap();
        assert_eq!(runs.list().iter().map(|run| runs.tally(run)).collect::<Vec<_>>(), [Tally::default()]);
    }
}
