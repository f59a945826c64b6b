//! Values by the digest of all that decides them: answers that were paid for, probes that were made, verdicts. One file
//! each, written before anything is done with the value.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::StoreError;
use super::disk::Disk;
use super::run_dir::read;

/// Letters of a digest that name its folder.
const FOLDER: usize = 2;

/// A folder of such values.
#[derive(Debug, Clone)]
pub struct ByDigest {
    folder: PathBuf,
    /// Whether nobody but the owner of the files may read them.
    is_private: bool,
}

impl ByDigest {
    /// The values below a folder, which need not be there yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), is_private: false }
    }

    /// The same for values that no other user of the machine may read.
    pub fn private(folder: impl Into<PathBuf>) -> Self {
        Self { is_private: true, ..Self::new(folder) }
    }

    /// Where they lie.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn file(&self, digest: &str) -> PathBuf {
        let part: String = digest.chars().take(FOLDER).collect();
        self.folder.join(part).join(format!("{digest}.json"))
    }

    /// The value of a digest; `None` where there is none yet.
    ///
    /// # Errors
    /// When its file can't be read.
    pub fn get<T: DeserializeOwned>(&self, digest: &str) -> Result<Option<T>, StoreError> {
        let file = self.file(digest);
        if file.is_file() { read(&file).map(Some) } else { Ok(None) }
    }

    /// Keeps a value. One that is there already stays.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn put(&self, digest: &str, value: &impl Serialize) -> Result<(), StoreError> {
        if self.file(digest).is_file() { Ok(()) } else { self.replace(digest, value) }
    }

    /// Keeps a value in place of one that is there.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn replace(&self, digest: &str, value: &impl Serialize) -> Result<(), StoreError> {
        let (disk, file) = (Disk::default(), self.file(digest));
        if let Some(folder) = file.parent() {
            disk.make_folders(folder)?;
        }
        if self.is_private { disk.write_private_json(&file, value) } else { disk.write_json(&file, value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_kept_once_and_found_by_its_digest() {
        let place = tempfile::tempdir().unwrap();
        let store = ByDigest::new(place.path().join("answers"));
        assert_eq!(store.get::<String>("abcd").unwrap(), None);
        store.put("abcd", &"one").unwrap();
        store.put("abcd", &"two").unwrap();
        assert_eq!(store.get::<String>("abcd").unwrap().as_deref(), Some("one"));
        store.replace("abcd", &"three").unwrap();
        assert_eq!(store.get::<String>("abcd").unwrap().as_deref(), Some("three"));
        assert!(place.path().join("answers/ab/abcd.json").is_file());
        std::fs::write(place.path().join("answers/ab/abcd.json"), "{").unwrap();
        assert!(store.get::<String>("abcd").is_err());
    }
}
