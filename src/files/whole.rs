//! Writing a file so that no reader ever sees half of it, not even after a power failure.

use std::fs::{File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Writes a whole file or nothing; it is on the disk when this returns. Its folder must be there.
///
/// # Errors
/// When it can't be written; what was there before stays.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As any new file: the user's mask decides who may read it.
    let open = Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().permissions(open).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_data()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("kept");
        for text in ["longer", "short"] {
            write_whole(&file, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
        assert!(write_whole(&folder.path().join("absent/kept"), b"").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
