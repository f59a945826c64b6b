//! The repairs of a server on disk: a file each, which is written when it begins and when it is over, and the log of its process beside it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use scratchbed::benchmarks::trajectories::{RepairState, RepairStatus, RepairTrouble};
use scratchbed::files::write_whole;

/// Repairs by their names, which sort by time.
#[derive(Debug)]
pub struct Records {
    folder: PathBuf,
    all: Mutex<BTreeMap<String, RepairStatus>>,
}

impl Records {
    /// Reads those of a folder, which is made. What went on when a server was killed was cut off.
    ///
    /// # Errors
    /// When the disk refuses. A file that can't be read is passed over.
    pub fn open(folder: &Path) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let records = Self { folder: folder.to_owned(), all: Mutex::default() };
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                match read(&path) {
                    Ok(status) => drop(records.all().insert(status.id.clone(), status)),
                    Err(error) => tracing::warn!(%error, file = %path.display(), "a repair can't be read"),
                }
            }
        }
        let cut_off: Vec<RepairStatus> = records.list().into_iter().filter(goes_on).collect();
        for status in cut_off {
            records.keep(ended(&status, RepairState::Cancelled, Some(server_ended())))?;
        }
        Ok(records)
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, RepairStatus>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All, the newest first.
    pub fn list(&self) -> Vec<RepairStatus> {
        self.all().values().rev().cloned().collect()
    }

    /// One of them.
    pub fn find(&self, id: &str) -> Option<RepairStatus> {
        self.all().get(id).cloned()
    }

    /// Writes one down.
    ///
    /// # Errors
    /// When the disk refuses; it is known all the same.
    pub fn keep(&self, status: RepairStatus) -> std::io::Result<()> {
        let text = serde_json::to_vec_pretty(&status)?;
        let path = self.folder.join(format!("{}.json", status.id));
        self.all().insert(status.id.clone(), status);
        write_whole(&path, &text)
    }

    /// Where the process of a repair says what it says.
    pub fn log(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.log"))
    }
}

/// The same once it is over.
pub fn ended(status: &RepairStatus, state: RepairState, error: Option<RepairTrouble>) -> RepairStatus {
    RepairStatus { state, error, ..status.clone() }
}

/// What is told of a repair that was cut off with its server.
pub fn server_ended() -> RepairTrouble {
    RepairTrouble { code: "server_ended".to_owned(), message: "the server ended before the repair did".to_owned() }
}

fn goes_on(status: &RepairStatus) -> bool {
    status.state == RepairState::Running
}

fn read(path: &Path) -> std::io::Result<RepairStatus> {
    Ok(serde_json::from_slice(&std::fs::read(path)?)?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn status(id: &str, state: &str) -> RepairStatus {
        let asked = json!({"case": "c", "mode": "fixed", "agent": "oracle"});
        serde_json::from_value(json!({"id": id, "state": state, "asked": asked, "who": "w", "asked_at": 1.0})).unwrap()
    }

    #[test]
    fn what_went_on_when_the_server_died_was_cut_off_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let records = Records::open(folder.path()).unwrap();
        for (id, state) in [("1", "running"), ("2", "ended")] {
            records.keep(status(id, state)).unwrap();
        }
        std::fs::write(folder.path().join("3.json"), "{").unwrap();
        let again = Records::open(folder.path()).unwrap();
        let told: Vec<_> = again.list().into_iter().map(|status| (status.id, status.state)).collect();
        assert_eq!(told, [("2".to_owned(), RepairState::Ended), ("1".to_owned(), RepairState::Cancelled)]);
        assert_eq!(again.find("1").unwrap().error, Some(server_ended()));
        assert_eq!(Records::open(folder.path()).unwrap().find("1"), again.find("1"), "it is on disk");
    }
}
