//! Virtual environments for tests, exactly as pinned by their lock files: that of `clients/python`, made by
//! `scratchbed setup --python`, and that of the S3 server which tests of fleets start, made by `scratchbed setup --s3`.

use std::path::Path;
use std::process::Command;

use super::run::run;
use super::system::install;
use super::{Done, Place, SetupError, write_whole};
use crate::model::sha256_hex;

/// The oldest Python 3 that the client takes.
const MINOR: u32 = 10;
/// What Debian needs for `python3 -m venv`; the second brings pip.
const DEBIAN_PACKAGES: [&str; 2] = ["python3", "python3-venv"];
/// Says the version, and fails where a virtual environment can't be made with pip inside.
const PROBE: &str = "import sys, venv, ensurepip; print(sys.version_info[1])";
/// What the environment was made from; written last, so that it never vouches for half of one.
const STAMP: &str = ".scratchbed-lock.sha256";

/// Makes the environment of the client's tests unless it is that of its lock file.
pub(super) fn ensure(place: &Place) -> Result<Done, SetupError> {
    environment(&place.checkout.python_lock(), &place.checkout.python())
}

/// Makes the environment of the S3 server likewise.
pub(super) fn ensure_s3(place: &Place) -> Result<Done, SetupError> {
    environment(&place.checkout.s3_lock(), &place.checkout.s3())
}

fn environment(lock: &Path, folder: &Path) -> Result<Done, SetupError> {
    let wanted = digest(lock)?;
    let stamp = folder.join(STAMP);
    let ready = std::fs::read_to_string(&stamp).is_ok_and(|text| text.trim() == wanted);
    if ready && folder.join("bin/python").exists() {
        return Ok(Done::Already(format!("{} is that of its lock file", folder.display())));
    }
    ensure_python()?;
    run("python3", Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    run("pip", pip(folder).args(["--require-hashes", "--requirement"]).arg(lock))?;
    write_whole(&stamp, wanted.as_bytes())?;
    Ok(Done::Now(format!("made {} from its lock file", folder.display())))
}

/// A Python that can make virtual environments; installs one where it is missing and we may.
fn ensure_python() -> Result<(), SetupError> {
    let minor = match probe() {
        Ok(minor) => minor,
        Err(SetupError::ProgramMissing { .. } | SetupError::CommandFailed { .. }) => {
            install(DEBIAN_PACKAGES.map(str::to_owned).to_vec())?;
            probe()?
        }
        Err(error) => return Err(error),
    };
    if minor >= MINOR {
        return Ok(());
    }
    Err(SetupError::PythonTooOld { found: format!("3.{minor}"), wanted: format!("3.{MINOR}") })
}

fn probe() -> Result<u32, SetupError> {
    let text = run("python3", Command::new("python3").args(["-c", PROBE]))?;
    Ok(text.trim().parse().unwrap_or_default())
}

fn pip(folder: &Path) -> Command {
    let mut command = Command::new(folder.join("bin/python"));
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]);
    command
}

/// Digest of what the environment is made from.
fn digest(lock: &Path) -> Result<String, SetupError> {
    std::fs::read(lock).map(|bytes| sha256_hex(&bytes)).map_err(SetupError::file("reading", lock))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Checkout;

    #[test]
    fn an_environment_counts_only_with_the_stamp_of_its_lock_file() {
        let root = tempfile::tempdir().unwrap();
        let place = Place { checkout: Checkout::at(root.path()), chromium: None };
        let lock = root.path().join("clients/python/requirements/test.txt");
        assert!(matches!(digest(&lock), Err(SetupError::File { .. })));
        std::fs::create_dir_all(lock.parent().unwrap()).unwrap();
        std::fs::write(&lock, "one==1\n").unwrap();
        let bin = place.checkout.python().join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::write(bin.join("python"), "").unwrap();
        write_whole(&place.checkout.python().join(STAMP), digest(&lock).unwrap().as_bytes()).unwrap();
        assert!(matches!(ensure(&place), Ok(Done::Already(_))));
    }

    #[test]
    fn the_lock_file_pins_every_package_and_names_no_registry() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/python/requirements");
        for name in ["test.txt", "fuzz.txt", "fleet.txt"] {
            let text = std::fs::read_to_string(folder.join(name)).unwrap();
            assert!(!text.contains("://") && !text.contains("--index"), "{name}");
            for line in text.lines().filter(|line| !line.starts_with(' ')) {
                assert!(line.contains("=="), "{name}: {line}");
            }
        }
    }
}
