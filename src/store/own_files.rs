//! What is read and written in the folder of a run lies in it: others may have made the run, a link in it leads to the files of whoever
//! reads it, and a pipe is never read to its end. Runs are looked through when they are opened.

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

/// Refuses a folder that holds something besides files and folders, however deep: links, devices, pipes. What vanishes meanwhile holds none.
///
/// # Errors
/// [`StoreError::Unreadable`] with the path of what was found, and when the folder can't be read.
pub(super) fn refuse_links_in(folder: &Path) -> Result<(), StoreError> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = found(fs::read_dir(&folder)).map_err(StoreError::unreadable(&folder))?;
        for entry in entries.into_iter().flatten() {
            let entry = entry.map_err(StoreError::unreadable(&folder))?;
            let Some(kind) = found(entry.file_type()).map_err(StoreError::unreadable(&folder))? else { continue };
            if kind.is_dir() {
                folders.push(entry.path());
            } else if !kind.is_file() {
                return Err(no_own_file(&entry.path()));
            }
        }
    }
    Ok(())
}

/// The error about what is no file or folder of a run.
pub(super) fn no_own_file(path: &Path) -> StoreError {
    let reason = io::Error::other("it is a link, a device or a pipe, or too large, and no file or folder of the run");
    StoreError::unreadable(path)(reason)
}

/// `None` for what is not there.
fn found<T>(of: io::Result<T>) -> io::Result<Option<T>> {
    match of {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}
