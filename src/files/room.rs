//! Whether a disk has room for one more session or attempt.

use std::path::Path;

/// Bytes that must be free for one more.
const FREE_BYTES: u64 = 200 << 20;

/// Whether the disk of a folder has room. What can't be asked is taken to have it: the first write tells then.
pub fn has_room(folder: &Path) -> bool {
    has_bytes(folder, FREE_BYTES)
}

/// Whether the disk of a folder has this many bytes free, as [`has_room`].
pub fn has_bytes(folder: &Path, bytes: u64) -> bool {
    let disk = nix::sys::statvfs::statvfs(folder);
    disk.map_or(true, |disk| disk.blocks_available().saturating_mul(disk.fragment_size()) >= bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_has_room_up_to_what_is_free_on_it() {
        let folder = tempfile::tempdir().unwrap();
        assert!(has_bytes(folder.path(), 1) && !has_bytes(folder.path(), u64::MAX));
        assert!(has_bytes(&folder.path().join("not-there"), u64::MAX));
    }
}
