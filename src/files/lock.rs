//! Locks between processes: who reads a file, changes what it says and writes it again must be alone with it meanwhile.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Waits until nobody else holds the lock of this file, and holds it until the returned file is dropped, at the latest with the end of the
/// process. The file is made where it is missing, and stays; its folder must be there. The lock is no part of what is locked, since a
/// file that is written whole is another one afterwards. Who asks for a lock that the same thread holds waits for ever.
///
/// # Errors
/// When the file can be neither made nor read, or its file system has no locks.
pub fn hold_lock(path: &Path) -> io::Result<File> {
    let file = match OpenOptions::new().create(true).truncate(false).write(true).open(path) {
        // That of another user: to lock it, it need only be read.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => File::open(path)?,
        opened => opened?,
    };
    file.lock()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_lock_is_held_by_one_at_a_time_and_free_once_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("kept.lock");
        let held = hold_lock(&file).unwrap();
        let other = || OpenOptions::new().write(true).open(&file).unwrap();
        assert!(other().try_lock().is_err());
        drop(held);
        assert!(other().try_lock().is_ok());
        assert!(hold_lock(&folder.path().join("absent/kept.lock")).is_err());
    }

    #[test]
    fn whoever_adds_to_a_file_under_its_lock_loses_nothing_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let (file, lock) = (folder.path().join("kept"), folder.path().join("kept.lock"));
        fs::write(&file, "").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _lock = hold_lock(&lock).unwrap();
                    let before = fs::read_to_string(&file).unwrap();
                    crate::files::write_whole(&file, format!("{before}x").as_bytes()).unwrap();
                });
            }
        });
        assert_eq!(fs::read_to_string(&file).unwrap(), "xxxxxxxx");
    }
}
