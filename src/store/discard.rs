//! How much room files take, and attempts whose files are somewhere else by now: their folders go, and what no other attempt has of
//! the shared files.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::attempt_dir::SHARED;
use super::disk::Disk;
use super::{RunDir, StoreError};
use crate::model::ItemId;

impl RunDir {
    /// Removes the folder of a try, if it is there, and shared files that only it had. A file that another attempt begins to share
    /// at that moment is written anew by it.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn discard(&self, item: &ItemId, attempt: u32, retry: u32) -> Result<(), StoreError> {
        let folder = self.path().join(Self::place_of(item, attempt, retry));
        if folder.is_dir() {
            Disk::default().remove_folder(&folder)?;
        }
        for entry in fs::read_dir(self.path().join(SHARED)).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.metadata().is_ok_and(|about| about.nlink() == 1) {
                fs::remove_file(&path).map_err(StoreError::unwritable(&path))?;
            }
        }
        Ok(())
    }
}

/// Bytes of all files in a folder; what several names share is counted once. What can't be read counts nothing.
pub fn bytes_in(folder: &Path) -> u64 {
    let mut sum = 0.0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(about) if about.is_dir() => folders.push(entry.path()),
                Ok(about) if about.is_file() => sum += share(about.len(), about.nlink()),
                _ => {}
            }
        }
    }
    whole(sum)
}

#[expect(clippy::cast_precision_loss, reason = "sizes of files need no more")]
fn share(bytes: u64, names: u64) -> f64 {
    bytes as f64 / names.max(1) as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a sum of sizes")]
fn whole(sum: f64) -> u64 {
    sum.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fakes;

    #[test]
    fn what_another_attempt_shares_stays() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(folder.path(), fakes::run(&["a"])).unwrap();
        let item: ItemId = "a".parse().unwrap();
        for (attempt, own) in [(1, b"one"), (2, b"two")] {
            let dir = run.begin(&item, attempt, 0).unwrap();
            dir.keep_once("both.png", b"both").unwrap();
            dir.keep_once("own.png", own).unwrap();
        }
        let shared = || fs::read_dir(run.path().join(SHARED)).unwrap().count();
        assert_eq!(shared(), 3);
        assert_eq!(bytes_in(&run.path().join(SHARED)) + bytes_in(&run.path().join("attempts")), 10, "4 + 3 + 3");
        run.discard(&item, 1, 0).unwrap();
        run.discard(&item, 1, 0).unwrap();
        assert_eq!(shared(), 2);
        assert!(!run.path().join("attempts/a.1").exists());
        assert_eq!(fs::read(run.path().join("attempts/a.2/both.png")).unwrap(), b"both");
    }
}
