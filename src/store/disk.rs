//! The disk as this room writes to it. All writing of runs and logs goes through here, so that a test can let any step
//! of it fail, and can find out what would be there had the power failed at any moment. Reading does not.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::StoreError;
use crate::files::{has_room, make_private_folder, write_private, write_whole};

/// What is done to a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Folder,
    /// A folder is removed with all that is in it.
    Remove,
    /// A folder's names are synced to the disk.
    SyncFolder,
    /// A file is opened, and made if it is not there.
    File,
    Append,
    /// A file is truncated to this length.
    Cut(u64),
    /// A file's bytes are synced to the disk.
    SyncFile,
    /// A file is written under another name, synced and renamed.
    Whole,
    /// It is asked whether there is room for more.
    Room,
}

/// Sees each step in advance, and may refuse it.
pub(super) trait Watch: Debug + Send + Sync {
    fn step(&self, step: Step, path: &Path, bytes: &[u8]) -> io::Result<()>;
}

/// The disk; cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Disk {
    /// Set in tests only.
    pub(super) watch: Option<Arc<dyn Watch>>,
}

impl Disk {
    /// Makes a folder that must not be there yet, in one that is. Its name is on the disk once that one is synced. It is for its
    /// owner alone: runs have secret seeds, and what other agents made.
    pub(super) fn make_folder(&self, path: &Path) -> Result<(), StoreError> {
        self.step(Step::Folder, path, &[]).map_err(StoreError::unwritable(path))?;
        make_private_folder(path).map_err(StoreError::unwritable(path))
    }

    /// Makes a folder and those above it, if they do not exist, and syncs their names to the disk.
    pub(super) fn make_lasting_folders(&self, path: &Path) -> Result<(), StoreError> {
        if path.is_dir() {
            return Ok(());
        }
        self.make_lasting_folders(parent(path))?;
        self.make_folders(path)?;
        self.sync_folder(parent(path))
    }

    /// Makes a folder and those above it, if they do not exist.
    pub(super) fn make_folders(&self, path: &Path) -> Result<(), StoreError> {
        if path.is_dir() {
            return Ok(());
        }
        self.make_folders(parent(path))?;
        match self.make_folder(path) {
            // Another process was faster.
            Err(StoreError::Unwritable { source, .. })
                if source.kind() == io::ErrorKind::AlreadyExists && path.is_dir() =>
            {
                Ok(())
            }
            made => made,
        }
    }

    /// Removes a folder with all that is in it.
    pub(super) fn remove_folder(&self, path: &Path) -> Result<(), StoreError> {
        self.step(Step::Remove, path, &[]).map_err(StoreError::unwritable(path))?;
        fs::remove_dir_all(path).map_err(StoreError::unwritable(path))
    }

    /// Has the disk know the names in a folder.
    pub(super) fn sync_folder(&self, path: &Path) -> Result<(), StoreError> {
        self.step(Step::SyncFolder, path, &[]).map_err(StoreError::unwritable(path))?;
        File::open(path).and_then(|folder| folder.sync_all()).map_err(StoreError::unwritable(path))
    }

    /// Writes a whole file or nothing, and on the disk when this returns: readers never see half of one.
    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        self.write_by(write_whole, path, bytes)
    }

    fn write_by(&self, write: fn(&Path, &[u8]) -> io::Result<()>, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        self.step(Step::Whole, path, bytes).map_err(StoreError::unwritable(path))?;
        write(path, bytes).map_err(StoreError::unwritable(path))?;
        // The folder is synced already; a test may want to know what would be there if it was not.
        self.step(Step::SyncFolder, parent(path), &[]).map_err(StoreError::unwritable(parent(path)))
    }

    /// Names a whole file a second time, with these bytes in it, and syncs that name to the disk.
    pub(super) fn link(&self, file: &Path, name: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        self.step(Step::Whole, name, bytes).map_err(StoreError::unwritable(name))?;
        fs::hard_link(file, name).map_err(StoreError::unwritable(name))?;
        self.sync_folder(parent(name))
    }

    /// Writes a record for people and programs: indented, with a final line end.
    pub(super) fn write_json(&self, path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
        self.write(path, &indented(path, value)?)
    }

    /// The same for a record with a secret seed, which no other user of the machine may read.
    pub(super) fn write_private_json(&self, path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
        self.write_by(write_private, path, &indented(path, value)?)
    }

    /// A file that is appended to; a `new` one must not be there yet.
    pub(super) fn append_to(&self, path: &Path, new: bool) -> Result<Appended, StoreError> {
        self.step(Step::File, path, &[]).map_err(StoreError::unwritable(path))?;
        let mut options = OpenOptions::new();
        let options = if new { options.create_new(true) } else { options.create(true) };
        let file = options.append(true).open(path).map_err(StoreError::unwritable(path))?;
        Ok(Appended { path: path.to_owned(), file, disk: self.clone() })
    }

    /// Whether there is room for one more attempt.
    pub(super) fn has_room(&self, path: &Path) -> bool {
        self.step(Step::Room, path, &[]).is_ok() && has_room(path)
    }

    fn step(&self, step: Step, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.watch.as_ref().map_or(Ok(()), |watch| watch.step(step, path, bytes))
    }
}

/// A file that is appended to.
#[derive(Debug)]
pub(super) struct Appended {
    path: PathBuf,
    file: File,
    disk: Disk,
}

impl Appended {
    /// Appends; what was written stays even if the program dies next. After a failure some of it may be there.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.disk.step(Step::Append, &self.path, bytes) {
            // As a full disk does it.
            self.file.write_all(&bytes[..bytes.len() / 2])?;
            return Err(error);
        }
        self.file.write_all(bytes)
    }

    /// Truncates the file to this length.
    pub(super) fn cut(&self, len: u64) -> io::Result<()> {
        self.disk.step(Step::Cut(len), &self.path, &[])?;
        self.file.set_len(len)
    }

    /// Syncs what was appended to the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.disk.step(Step::SyncFile, &self.path, &[])?;
        self.file.sync_all()
    }

    /// Takes the file for this process, as long as it is open here; `false` if another one has it.
    pub(super) fn lock(&self) -> io::Result<bool> {
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Bytes that are in it.
    pub(super) fn len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// A record as text; errors name `path`.
fn indented(path: &Path, value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    let malformed = |source| StoreError::Malformed { path: path.to_owned(), source };
    let mut text = serde_json::to_vec_pretty(value).map_err(malformed)?;
    text.push(b'\n');
    Ok(text)
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
