//! The programs of Postgres. The ledger's tests start servers of their own with them, in temporary folders; a fleet of several
//! machines may have its database from the same package. `scratchbed setup --postgres` installs it.

use std::path::{Path, PathBuf};

use super::system::install;
use super::{Done, Place, SetupError};

/// Where Debian has the programs, a folder for each version.
const PROGRAMS: &str = "/usr/lib/postgresql";
/// Where Debian has the extensions, a folder for each version.
const EXTENSIONS: &str = "/usr/share/postgresql";
/// The package of the version that the Debian release has; 15 in Debian 12.
const PACKAGE: &str = "postgresql";
/// The extension that the queue of a fleet needs.
const EXTENSION: &str = "hstore.control";

/// Installs Postgres unless some version is there.
pub(super) fn ensure(_: &Place) -> Result<Done, SetupError> {
    match found() {
        Some(programs) => Ok(Done::Already(format!("Postgres is installed in {}", programs.display()))),
        None => install(vec![PACKAGE.to_owned()]),
    }
}

/// The folder with the programs of the newest version that can be used.
pub(super) fn found() -> Option<PathBuf> {
    newest(Path::new(PROGRAMS), Path::new(EXTENSIONS))
}

fn newest(programs: &Path, extensions: &Path) -> Option<PathBuf> {
    let versions = std::fs::read_dir(programs).ok()?.flatten().filter_map(|entry| {
        let version = entry.file_name().into_string().ok()?;
        let number: f64 = version.parse().ok()?;
        let bin = entry.path().join("bin");
        let is_whole = ["initdb", "postgres", "psql"].iter().all(|program| bin.join(program).is_file());
        let extension = extensions.join(&version).join("extension").join(EXTENSION);
        (is_whole && extension.is_file()).then_some((number, bin))
    });
    versions.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, bin)| bin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(root: &Path, version: &str, programs: &[&str], has_extension: bool) {
        let bin = root.join("lib").join(version).join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        for program in programs {
            std::fs::write(bin.join(program), "").unwrap();
        }
        let extensions = root.join("share").join(version).join("extension");
        std::fs::create_dir_all(&extensions).unwrap();
        if has_extension {
            std::fs::write(extensions.join(EXTENSION), "").unwrap();
        }
    }

    #[test]
    fn the_newest_whole_version_is_found() {
        let root = tempfile::tempdir().unwrap();
        let newest = || newest(&root.path().join("lib"), &root.path().join("share"));
        assert_eq!(newest(), None);
        let all = ["initdb", "postgres", "psql"];
        version(root.path(), "9.6", &all, true);
        version(root.path(), "15", &all, true);
        version(root.path(), "16", &["psql"], true);
        version(root.path(), "17", &all, false);
        assert_eq!(newest(), Some(root.path().join("lib/15/bin")));
    }
}
