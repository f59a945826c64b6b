//! The npm packages: the Scratch editor, the notation parser, the recognition models and the checking tools, exactly as
//! pinned by the committed lockfile.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::run::run;
use super::{Done, Place, SetupError, write_whole};
use crate::model::sha256_hex;

/// The oldest Node.js that the packages accept.
const NODE_MAJOR: u32 = 20;
/// npm empties the folder first, so a stamp inside it can't outlive what it vouches for.
const STAMP: &str = ".scratchbed-lockfile.sha256";
pub(super) const EDITOR: &str = "@scratch/scratch-gui-standalone";

/// Installs the packages unless they are those of the lockfile.
pub(super) fn ensure(place: &Place) -> Result<Done, SetupError> {
    check_node()?;
    let wanted = lockfile_digest(place)?;
    let stamp = place.checkout.node_modules().join(STAMP);
    if std::fs::read_to_string(&stamp).is_ok_and(|text| text.trim() == wanted) {
        return Ok(Done::Already(format!("npm packages are those of the lockfile (editor {})", version(place))));
    }
    run("npm", Command::new("npm").arg("ci").current_dir(place.checkout.scratch_gui()))?;
    write_whole(&stamp, wanted.as_bytes())?;
    Ok(Done::Now(format!("fetched the npm packages of the lockfile (editor {})", version(place))))
}

/// The editor's pinned version and the installed one, where they can be read.
pub(super) fn editor_versions(place: &Place) -> (Option<String>, Option<String>) {
    let pinned = json(place.checkout.scratch_gui().join("package.json"));
    let installed = json(place.checkout.node_modules().join(EDITOR).join("package.json"));
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    (text(pinned.pointer("/dependencies").and_then(|all| all.get(EDITOR))), text(installed.get("version")))
}

fn version(place: &Place) -> String {
    editor_versions(place).1.unwrap_or_else(|| "of unknown version".into())
}

fn json(path: PathBuf) -> Value {
    std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

fn lockfile_digest(place: &Place) -> Result<String, SetupError> {
    let path = place.checkout.scratch_gui().join("package-lock.json");
    let bytes = std::fs::read(&path).map_err(SetupError::file("reading", &path))?;
    Ok(sha256_hex(&bytes))
}

pub(super) fn check_node() -> Result<(), SetupError> {
    let found = run("node", Command::new("node").arg("--version"))?.trim().to_owned();
    match major(&found) {
        Some(major) if major >= NODE_MAJOR => Ok(()),
        _ => Err(SetupError::ProgramTooOld { program: "node", found, wanted: NODE_MAJOR }),
    }
}

/// The first number of `v20.19.1`.
fn major(version: &str) -> Option<u32> {
    version.trim_start_matches('v').split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Checkout;

    #[test]
    fn node_versions_are_read() {
        assert_eq!(major("v20.19.1"), Some(20));
        assert_eq!(major("22"), Some(22));
        assert_eq!(major("nonsense"), None);
    }

    #[test]
    fn the_digest_is_of_the_content() {
        let root = tempfile::tempdir().unwrap();
        let place = Place { checkout: Checkout::at(root.path()), chromium: None };
        assert!(lockfile_digest(&place).is_err());
        std::fs::create_dir(place.checkout.scratch_gui()).unwrap();
        std::fs::write(place.checkout.scratch_gui().join("package-lock.json"), b"abc").unwrap();
        let digest = lockfile_digest(&place).unwrap();
        assert_eq!(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
