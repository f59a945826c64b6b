//! Attempts that were made for the run of another experiment: the folder of one is there twice, its files once where the file
//! system has hard links.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::attempt_dir::RECORD;
use super::disk::Disk;
use super::run_dir::ATTEMPTS;

/// What says where an attempt comes from.
const TAKEN: &str = "taken_from.json";
/// What a folder is called while it is filled.
const UNFINISHED: &str = "taking";

/// Where an attempt was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenFrom {
    pub experiment: String,
    pub arm: String,
    /// The attempt's id in the ledger.
    pub attempt: String,
    /// The secret seed of the run that it was made for, under which it was judged; absent where that had none. For people: under which
    /// seed it is judged again, the verdicts of the checkout say.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub judge_seed: Option<u64>,
}

impl TakenFrom {
    /// Where the attempt in this folder was made, if not here.
    pub fn read(attempt: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(attempt.join(TAKEN)).ok()?).ok()
    }

    /// Brings a complete attempt into the folder of a run, and keeps beside it where it comes from. Whether it was new. `None`
    /// when it is not there.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn bring(&self, attempt: &Path, run: &Path) -> Result<Option<bool>, StoreError> {
        let Some(name) = attempt.file_name().filter(|_| attempt.join(RECORD).is_file()) else { return Ok(None) };
        let place = run.join(ATTEMPTS).join(name);
        if place.join(RECORD).is_file() {
            return Ok(Some(false));
        }
        let (disk, draft) = (Disk::default(), run.join(UNFINISHED));
        for folder in [&draft, &place] {
            if folder.is_dir() {
                disk.remove_folder(folder)?;
            }
        }
        disk.make_folders(&run.join(ATTEMPTS))?;
        copy(&disk, attempt, &draft)?;
        // It may have the secret seed of another run.
        disk.write_private_json(&draft.join(TAKEN), self)?;
        fs::rename(&draft, &place).map_err(StoreError::unwritable(&place))?;
        disk.sync_folder(&run.join(ATTEMPTS))?;
        Ok(Some(true))
    }
}

/// Names each file of a folder a second time, or copies it.
fn copy(disk: &Disk, from: &Path, to: &Path) -> Result<(), StoreError> {
    disk.make_folders(to)?;
    for entry in fs::read_dir(from).map_err(StoreError::unreadable(from))? {
        let entry = entry.map_err(StoreError::unreadable(from))?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(StoreError::unreadable(&path))?;
        if kind.is_dir() {
            copy(disk, &path, &target)?;
        } else if kind.is_file() && fs::hard_link(&path, &target).is_err() {
            fs::copy(&path, &target).map_err(StoreError::unwritable(&target))?;
        }
    }
    disk.sync_folder(to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RunRecord;
    use crate::store::{RunDir, fakes};

    #[test]
    fn an_attempt_lies_in_two_runs_and_says_where_it_was_made() {
        let folder = tempfile::tempdir().unwrap();
        let run = |id: &str, judge_seed| {
            let record = RunRecord { id: id.to_owned(), judge_seed, ..fakes::run(&["a"]) };
            RunDir::create(folder.path(), record).unwrap()
        };
        let (one, other) = (run("one", Some(5)), run("other", Some(6)));
        let attempt = one.path().join("attempts/a.1");
        let (experiment, arm, id) = ("e".to_owned(), "one".to_owned(), "e:1#1".to_owned());
        let taken = TakenFrom { experiment, arm, attempt: id, judge_seed: one.record().judge_seed };
        assert_eq!(taken.bring(&attempt, other.path()).unwrap(), None, "nothing is there");
        fs::create_dir_all(attempt.join("session")).unwrap();
        fs::write(attempt.join("session/log"), "log").unwrap();
        assert_eq!(taken.bring(&attempt, other.path()).unwrap(), None, "it is not complete");
        fs::write(attempt.join(RECORD), "{}").unwrap();
        assert_eq!(taken.bring(&attempt, other.path()).unwrap(), Some(true));
        assert_eq!(taken.bring(&attempt, other.path()).unwrap(), Some(false));
        let brought = other.path().join("attempts/a.1");
        assert_eq!(fs::read_to_string(brought.join("session/log")).unwrap(), "log");
        assert_eq!((TakenFrom::read(&brought), TakenFrom::read(&attempt)), (Some(taken), None));
        assert!(!other.path().join(UNFINISHED).exists());
    }
}
