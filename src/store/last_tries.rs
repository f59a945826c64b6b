//! The last try at each attempt of a run: earlier ones did not count, and those that were broken off are not complete.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::attempt_dir::RECORD;
use super::run_dir::ATTEMPTS;
use super::{RunDir, StoreError};
use crate::model::{AttemptRecord, ItemId};

/// The last try at an attempt.
#[derive(Debug, Clone)]
pub struct Try<D> {
    /// The name of its folder in the run.
    pub name: String,
    pub record: AttemptRecord<D>,
    pub path: PathBuf,
}

impl RunDir {
    /// The last try at each attempt, in the order of the run's items; attempts at other items, if there are any, come last.
    ///
    /// # Errors
    /// When one can't be read or is of a newer format.
    pub fn last_tries<D: DeserializeOwned>(&self) -> Result<Vec<Try<D>>, StoreError> {
        let items = &self.record().items;
        let mut last: BTreeMap<(usize, ItemId, u32), Try<D>> = BTreeMap::new();
        for (name, record) in self.attempts::<D>()? {
            let place = items.iter().position(|item| *item == record.item).unwrap_or(usize::MAX);
            let key = (place, record.item.clone(), record.attempt);
            if last.get(&key).is_none_or(|earlier| earlier.record.retry <= record.retry) {
                let path = self.path().join(ATTEMPTS).join(&name);
                last.insert(key, Try { name, record, path });
            }
        }
        Ok(last.into_values().collect())
    }

    /// A file that an attempt has kept beside its record, if it is there.
    pub fn file_of<D>(&self, record: &AttemptRecord<D>, file: &str) -> Option<Vec<u8>> {
        fs::read(self.path().join(Self::place(record)).join(file)).ok()
    }

    /// The names of the folders of all complete tries. None of them is read.
    ///
    /// # Errors
    /// When the folder can't be read.
    pub fn complete(&self) -> Result<BTreeSet<String>, StoreError> {
        let folder = self.path().join(ATTEMPTS);
        if !folder.is_dir() {
            return Ok(BTreeSet::new());
        }
        let mut found = BTreeSet::new();
        for entry in fs::read_dir(&folder).map_err(StoreError::unreadable(&folder))? {
            let entry = entry.map_err(StoreError::unreadable(&folder))?;
            if entry.path().join(RECORD).is_file() {
                found.insert(entry.file_name().to_string_lossy().into_owned());
            }
        }
        Ok(found)
    }

    /// The tries that were begun and not completed: item, attempt and retry, as their folders are named.
    ///
    /// # Errors
    /// When the folder can't be read.
    pub fn broken_off(&self) -> Result<Vec<(ItemId, u32, u32)>, StoreError> {
        let folder = self.path().join(ATTEMPTS);
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for entry in fs::read_dir(&folder).map_err(StoreError::unreadable(&folder))? {
            let entry = entry.map_err(StoreError::unreadable(&folder))?;
            if !entry.path().join(RECORD).is_file() {
                found.extend(parts(&entry.file_name().to_string_lossy()));
            }
        }
        found.sort();
        Ok(found)
    }

    /// Whether a complete attempt lies in the folder of a run, whatever else does.
    pub fn has_attempts(path: &Path) -> bool {
        let mut entries = fs::read_dir(path.join(ATTEMPTS)).into_iter().flatten().flatten();
        entries.any(|entry| entry.path().join(RECORD).is_file())
    }
}

/// Item, attempt and retry of a folder's name.
fn parts(name: &str) -> Option<(ItemId, u32, u32)> {
    let retried = name.rsplit_once(".r").and_then(|(first, retry)| Some((first, retry.parse().ok()?)));
    let (first, retry) = retried.unwrap_or((name, 0));
    let (item, attempt) = first.rsplit_once('.')?;
    Some((item.parse().ok()?, attempt.parse().ok()?, retry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_tries_tell_which_they_are() {
        let of = |name: &str| parts(name).map(|(item, attempt, retry)| (item.to_string(), attempt, retry));
        assert_eq!(of("kite_gusts.2"), Some(("kite_gusts".to_owned(), 2, 0)));
        assert_eq!(of("a.r2.1.r3"), Some(("a.r2".to_owned(), 1, 3)));
        assert_eq!((of("unpacking"), of(".x"), of("a.b")), (None, None, None));
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(folder.path(), crate::store::fakes::run(&["a"])).unwrap();
        assert!(!RunDir::has_attempts(run.path()));
        let item: ItemId = "a".parse().unwrap();
        run.begin(&item, 1, 1).unwrap();
        assert_eq!(run.broken_off().unwrap(), [(item, 1, 1)]);
        assert!(!RunDir::has_attempts(run.path()), "it is not complete");
    }
}
