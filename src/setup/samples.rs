//! The sample projects of Scratch 1.4, from the Debian package that has them: a first source for pools whose licence is known.
//! `scratchbed setup --samples` unpacks them without installing the package.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use serde_json::json;

use super::run::run;
use super::{Done, Place, SetupError, write_whole};
use crate::model::pluralise_as;

/// The package, and where it has the projects.
const PACKAGE: &str = "scratch";
const PROJECTS: &str = "usr/share/scratch/Projects";
/// Projects in the package.
const COUNT: usize = 79;
/// Written last: it says that the rest is whole.
const LICENCE: &str = "licence.json";

/// Fetches the projects unless they are there.
pub(super) fn ensure(place: &Place) -> Result<Done, SetupError> {
    let folder = place.checkout.samples();
    if folder.join(LICENCE).is_file() && count(&folder) >= COUNT {
        return Ok(Done::Already(format!("{COUNT} sample projects are in {}", folder.display())));
    }
    let cache = place.checkout.cache();
    let unpacked = tempfile::tempdir_in(&cache).map_err(SetupError::file("making a folder in", &cache))?;
    fetch(unpacked.path())?;
    let target = folder.join("scratch-1.4");
    let moved = || {
        if target.exists() {
            fs::remove_dir_all(&target)?;
        }
        fs::create_dir_all(&folder)?;
        fs::rename(unpacked.path().join("package").join(PROJECTS), &target)
    };
    moved().map_err(SetupError::file("writing", &target))?;
    let today: String = humantime::format_rfc3339_seconds(SystemTime::now()).to_string().chars().take(10).collect();
    write_whole(&folder.join(LICENCE), format!("{:#}\n", licence(&today)).as_bytes())?;
    let projects = pluralise_as(count(&folder), "sample project is", "sample projects are");
    Ok(Done::Now(format!("{projects} in {}", folder.display())))
}

/// Downloads the package and unpacks it below `package`.
fn fetch(folder: &Path) -> Result<(), SetupError> {
    run("apt-get", Command::new("apt-get").args(["download", PACKAGE]).current_dir(folder))?;
    let entries = fs::read_dir(folder).map_err(SetupError::file("reading", folder))?;
    let archives = entries.flatten().map(|entry| entry.path());
    for archive in archives.filter(|path| path.extension().is_some_and(|ending| ending == "deb")) {
        run("dpkg-deb", Command::new("dpkg-deb").arg("-x").arg(archive).arg(folder.join("package")))?;
    }
    Ok(())
}

/// What the package's copyright file says of the projects.
fn licence(today: &str) -> serde_json::Value {
    json!({
        "source": "Scratch 1.4, sample projects",
        "url": "https://packages.debian.org/scratch",
        "spdx": "CC-BY-SA-3.0",
        "attribution": "Copyright 2011 Massachusetts Institute of Technology",
        "retrieved": today,
        "share_alike": true,
        "publish": true,
    })
}

/// Projects in a folder and the folders in it.
fn count(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let of = |path: &Path| {
        if path.is_dir() { count(path) } else { usize::from(path.extension().is_some_and(|e| e == "sb")) }
    };
    entries.map(|entry| of(&entry.path())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Checkout;

    #[test]
    fn samples_that_are_there_are_not_fetched_again() {
        let root = tempfile::tempdir().unwrap();
        let place = Place { checkout: Checkout::at(root.path()), chromium: None };
        let folder = place.checkout.samples().join("scratch-1.4/Games");
        fs::create_dir_all(&folder).unwrap();
        for number in 0..COUNT {
            fs::write(folder.join(format!("{number}.sb")), b"").unwrap();
        }
        assert_eq!(count(&place.checkout.samples()), COUNT);
        fs::write(place.checkout.samples().join(LICENCE), licence("2026-01-01").to_string()).unwrap();
        assert!(matches!(ensure(&place), Ok(Done::Already(_))));
    }
}
