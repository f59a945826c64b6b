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
    // As any new file: the user's mask decides who may read it.
    write_as(path, bytes, 0o666)
}

/// The same for a file that nobody but its owner may read.
///
/// # Errors
/// As [`write_whole`].
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_as(path, bytes, 0o600)
}

fn write_as(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(mode)).tempfile_in(folder)?;
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
        let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode() & 0o600, 0o600);
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        write_private(&file, b"secret").unwrap();
        assert_eq!(mode(), 0o600);
        assert!(write_whole(&folder.path().join("absent/kept"), b"").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
