//! The last try at each attempt of a run: earlier ones did not count, and those that were broken off are not complete.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::attempt_dir::RECORD;
use super::own_files::is_own_file;
use super::run_dir::ATTEMPTS;
use super::runs::is_plain;
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

    /// A file that an attempt has kept beside its record, if [`Self::path_of`] finds it.
    pub fn file_of<D>(&self, record: &AttemptRecord<D>, file: &str) -> Option<Vec<u8>> {
        fs::read(self.path_of(record, file)?).ok()
    }

    /// Where a file lies that an attempt has kept beside its record. `None` where it is not there, and of what no attempt keeps: the name
    /// may be out of a record that others made. So it leads to no other folder and to no link, folder, device or file of over 160 MiB.
    pub fn path_of<D>(&self, record: &AttemptRecord<D>, file: &str) -> Option<PathBuf> {
        let path = self.path().join(Self::place(record)).join(file);
        (is_plain(file) && is_own_file(&path)).then_some(path)
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

    #[test]
    fn a_name_out_of_a_record_leads_to_no_file_but_those_of_its_attempt() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(folder.path(), crate::store::fakes::run(&["a"])).unwrap();
        let item: ItemId = "a".parse().unwrap();
        let attempt = run.begin(&item, 1, 0).unwrap();
        attempt.keep("f1.png", b"a picture").unwrap();
        let secret = folder.path().join("secret");
        fs::write(&secret, "of the reader").unwrap();
        symlink(&secret, attempt.path().join("link.png")).unwrap();
        symlink("/dev/zero", attempt.path().join("zero.png")).unwrap();
        fs::create_dir(attempt.path().join("folder.png")).unwrap();
        fs::File::create(attempt.path().join("huge.png")).unwrap().set_len(1 << 30).unwrap();
        let record: AttemptRecord<()> =
            serde_json::from_value(serde_json::json!({"format": 2, "item": "a", "attempt": 1,
            "retry": 0, "outcome": "failed", "error": null, "cost": crate::model::Cost::default(), "detail": null}))
            .unwrap();
        assert_eq!(run.file_of(&record, "f1.png").as_deref(), Some(b"a picture".as_slice()));
        let absolute = secret.to_string_lossy();
        for name in ["link.png", "zero.png", "folder.png", "huge.png", "absent.png", "", ".", "..", "../../run.json"] {
            assert_eq!(run.path_of(&record, name), None, "{name}");
        }
        assert_eq!(run.path_of(&record, &absolute), None);
        assert_eq!(run.path_of(&record, "../../../secret"), None);
    }
}
