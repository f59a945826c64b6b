//! What is read and written in the folder of a run lies in it: others may have made the run, and a link in it leads to the files of whoever
//! reads it.

use std::fs;
use std::io;
use std::path::Path;

use super::StoreError;

/// Bytes of the largest file of an attempt that is read whole: a packed project may have 128 MiB of costumes and sounds, and its
/// `project.json` with them.
const MOST_BYTES: u64 = 160 << 20;

/// Returns true for a file that is no link and no device, and not too large to be read whole.
pub(super) fn is_own_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.is_file() && data.len() <= MOST_BYTES)
}

/// Returns true for a folder that is no link to one.
pub(super) fn is_own_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.is_dir())
}

/// Refuses a link; what is not there is none.
///
/// # Errors
/// [`StoreError::Unreadable`] of a link.
pub(super) fn refuse_link(path: &Path) -> Result<(), StoreError> {
    if !fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink()) {
        return Ok(());
    }
    Err(StoreError::unreadable(path)(io::Error::other("it is a link, and no file or folder of the run")))
}

/// Refuses a folder with a link right in it; one that is not there has none.
///
/// # Errors
/// [`StoreError::Unreadable`] of a link, and when the folder can't be read.
pub(super) fn refuse_links_in(folder: &Path) -> Result<(), StoreError> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder).map_err(StoreError::unreadable(folder))? {
        refuse_link(&entry.map_err(StoreError::unreadable(folder))?.path())?;
    }
    Ok(())
}
