//! Where the file of a ledger lies, and who may read it: SQLite's locks don't hold on network file systems, and a ledger has the
//! secret seeds of judgements.

use std::fs::{OpenOptions, Permissions, metadata, set_permissions};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::LedgerError;

/// Types of file systems, as `/proc/self/mounts` names them, whose locks other machines don't see.
const NETWORK: [&str; 10] = ["nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "ceph", "lustre", "9p", "glusterfs"];

/// Refuses a file on a network disk. Where the mounts can't be read, nothing is refused.
pub(super) fn refuse_network_disk(file: &Path) -> Result<(), LedgerError> {
    let Ok(mounts) = std::fs::read_to_string("/proc/self/mounts") else { return Ok(()) };
    let folder = file.parent().and_then(|folder| folder.canonicalize().ok());
    match folder.and_then(|folder| network_kind(&mounts, &folder)) {
        Some(kind) => Err(LedgerError::OnNetworkDisk { path: file.display().to_string(), kind }),
        None => Ok(()),
    }
}

/// Makes the file of a ledger if there is none, and keeps all from it but its owner, and a group that was let in. `SQLite` gives the
/// files beside it the same rights. Where this process may not do so, opening the ledger tells.
pub(super) fn make_private(file: &Path) {
    let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
    for file in std::iter::once(file.to_owned()).chain(beside(file)) {
        let Ok(found) = metadata(&file) else { continue };
        let mode = found.permissions().mode();
        if mode & 0o007 != 0 {
            let _ = set_permissions(&file, Permissions::from_mode(mode & 0o770));
        }
    }
}

/// The files that `SQLite` keeps beside one.
fn beside(file: &Path) -> [PathBuf; 2] {
    ["-wal", "-shm"].map(|end| {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    })
}

/// The kind of the network file system that a folder is on: that of the longest mount point above it.
fn network_kind(mounts: &str, folder: &Path) -> Option<String> {
    let of = |line: &str| {
        let mut words = line.split(' ').skip(1);
        Some((words.next()?.replace("\\040", " "), words.next()?.to_owned()))
    };
    let above = mounts.lines().filter_map(of).filter(|(point, _)| folder.starts_with(point));
    let (_, kind) = above.max_by_key(|(point, _)| point.len())?;
    NETWORK.contains(&kind.as_str()).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_owner_and_a_group_that_was_let_in_read_a_ledger() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ledger.sqlite");
        let mode = |file: &Path| metadata(file).unwrap().permissions().mode() & 0o777;
        make_private(&file);
        assert_eq!(mode(&file), 0o600);
        let log = &beside(&file)[0];
        std::fs::write(log, "x").unwrap();
        for file in [&file, log] {
            set_permissions(file, Permissions::from_mode(0o664)).unwrap();
        }
        make_private(&file);
        assert_eq!((mode(&file), mode(log)), (0o660, 0o660));
    }

    #[test]
    fn the_nearest_mount_decides() {
        let mounts = "/dev/vda / ext4 rw 0 0\nserver:/x /home nfs4 rw 0 0\n/dev/vdb /home/a\\040b ext4 rw 0 0\n";
        let kind = |folder: &str| network_kind(mounts, Path::new(folder));
        assert_eq!(kind("/var/lib"), None);
        assert_eq!(kind("/home/me/runs").as_deref(), Some("nfs4"));
        assert_eq!(kind("/home/a b/runs"), None);
    }
}
