//! Whether a file is on a disk of this machine: SQLite's locks don't hold on network file systems.

use std::path::Path;

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
    fn the_nearest_mount_decides() {
        let mounts = "/dev/vda / ext4 rw 0 0\nserver:/x /home nfs4 rw 0 0\n/dev/vdb /home/a\\040b ext4 rw 0 0\n";
        let kind = |folder: &str| network_kind(mounts, Path::new(folder));
        assert_eq!(kind("/var/lib"), None);
        assert_eq!(kind("/home/me/runs").as_deref(), Some("nfs4"));
        assert_eq!(kind("/home/a b/runs"), None);
    }
}
