//! Whether a disk has room for more.

use std::path::Path;

/// Bytes that stay free.
const FREE_BYTES: u64 = 200 << 20;

/// Whether the disk of a folder has room for one more session or attempt. What can't be asked is taken to have it: the first write
/// tells then.
pub fn has_room(folder: &Path) -> bool {
    has_room_for(folder, 0)
}

/// Whether the disk of a folder has room for this many bytes, as [`has_room`].
pub fn has_room_for(folder: &Path, bytes: u64) -> bool {
    has_bytes(folder, bytes.saturating_add(FREE_BYTES))
}

fn has_bytes(folder: &Path, bytes: u64) -> bool {
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
