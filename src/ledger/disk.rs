//! Where the file of a ledger lies, and who may read it: SQLite's locks don't hold on network file systems, and a ledger has the
//! secret seeds of judgements.

use std::fs::{OpenOptions, Permissions, metadata, set_permissions};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::LedgerError;
use super::exposure::{Exposure, Trusted};

/// Types of file systems, as `/proc/self/mounts` names them, whose locks other machines don't see.
const NETWORK: [&str; 10] = ["nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "ceph", "lustre", "9p", "glusterfs"];

/// What all users may do who are neither the owner nor in the group.
const OTHERS: u32 = 0o007;

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
/// files beside it the same rights. Whether it can be written, opening the ledger tells. The file is where no link leads elsewhere.
///
/// # Errors
/// [`LedgerError::Exposed`] where others may read or write one of these files, or own one, and this process can't keep them from it.
pub(super) fn make_private(file: &Path, trusted: Trusted) -> Result<(), LedgerError> {
    // A file that is there is not opened: closing it again would drop the locks that this process has on it.
    if metadata(file).is_err() {
        let _ = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(file);
    }
    for file in std::iter::once(file.to_owned()).chain(beside(file)) {
        let Ok(found) = metadata(&file) else { continue };
        if !trusted.is(found.uid()) {
            return Err(Exposure::Owned.of(&file));
        }
        if found.mode() & OTHERS == 0 {
            continue;
        }
        let _ = set_permissions(&file, Permissions::from_mode(found.mode() & 0o777 & !OTHERS));
        if metadata(&file).is_ok_and(|found| found.mode() & OTHERS != 0) {
            return Err(Exposure::Open.of(&file));
        }
    }
    Ok(())
}

/// The files that `SQLite` keeps beside one.
fn beside(file: &Path) -> [PathBuf; 3] {
    ["-wal", "-shm", "-journal"].map(|end| {
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
    use crate::Ledger;

    #[test]
    fn only_its_owner_and_a_group_that_was_let_in_read_a_ledger() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ledger.sqlite");
        let mode = |file: &Path| metadata(file).unwrap().permissions().mode() & 0o777;
        let private = || make_private(&file, Trusted::here()).unwrap();
        private();
        assert_eq!(mode(&file), 0o600);
        let log = &beside(&file)[0];
        std::fs::write(log, "x").unwrap();
        for file in [&file, log] {
            set_permissions(file, Permissions::from_mode(0o664)).unwrap();
        }
        private();
        assert_eq!((mode(&file), mode(log)), (0o660, 0o660));
    }

    #[tokio::test]
    async fn a_ledger_that_others_can_exchange_is_refused_and_one_behind_a_link_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let open = folder.path().join("open");
        std::fs::create_dir(&open).unwrap();
        let link = folder.path().join("link.sqlite");
        std::os::unix::fs::symlink(open.join("ledger.sqlite"), &link).unwrap();
        for mode in [0o777, 0o1777, 0o702] {
            set_permissions(&open, Permissions::from_mode(mode)).unwrap();
            for file in [&open.join("ledger.sqlite"), &link] {
                let error = Ledger::open(file).await.unwrap_err();
                assert!(matches!(error, LedgerError::Exposed { .. }), "{mode:o}: {error}");
            }
            assert!(!open.join("ledger.sqlite").exists(), "nothing is made there");
        }
        set_permissions(&open, Permissions::from_mode(0o755)).unwrap();
        let _open = Ledger::open(&link).await.unwrap();
        let mode = metadata(open.join("ledger.sqlite")).unwrap().mode() & 0o777;
        assert_eq!(mode, 0o600, "readers of the folder can't read it");
    }

    #[test]
    fn a_file_of_another_user_is_no_ledger_of_ours() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ledger.sqlite");
        make_private(&file, Trusted::here()).unwrap();
        if std::os::unix::fs::chown(&file, Some(4_000_001), None).is_ok() {
            let error = make_private(&file, Trusted::here()).unwrap_err();
            assert!(matches!(error, LedgerError::Exposed { why: Exposure::Owned, .. }), "{error}");
        }
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
