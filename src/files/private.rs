//! Folders that are for their owner alone.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

/// Only the owner lists, enters and changes such a folder.
const OWNER_ONLY: u32 = 0o700;

/// Makes a folder that nobody but its owner may enter, in one that is there. All folders with secrets are made here or by
/// [`make_private_folders`]: those of runs with their secret seeds, of ledgers, of artefacts.
///
/// # Errors
/// When it can't be made, or something of its name is there.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(OWNER_ONLY).create(path)
}

/// The same with those above it that are missing. A folder that is there stays as it is: whoever made it may have let others in.
///
/// # Errors
/// When one can't be made.
pub fn make_private_folders(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(OWNER_ONLY).create(path)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn new_folders_are_for_their_owner_alone_and_others_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let shared = folder.path().join("shared");
        fs::create_dir(&shared).unwrap();
        fs::set_permissions(&shared, Permissions::from_mode(0o750)).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        make_private_folders(&shared.join("a/b")).unwrap();
        make_private_folders(&shared.join("a/b")).unwrap();
        make_private_folder(&shared.join("a/b/c")).unwrap();
        assert_eq!(["a", "a/b", "a/b/c"].map(|name| mode(&shared.join(name))), [0o700; 3]);
        assert_eq!(mode(&shared), 0o750);
        assert_eq!(make_private_folder(&shared).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert!(make_private_folders(Path::new("")).is_ok(), "the folder of a file that is named alone");
    }
}
