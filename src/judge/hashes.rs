//! What a verdict depends on, as digests and versions.

use super::page_run;
use crate::model::{Hashes, sha256_hex};
use crate::taskset::EvaluationSources;

/// Names and pins the editor.
const EDITOR_PACKAGE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scratch-gui/package.json"));

/// Digests of the project and the script, versions of editor and browser.
pub(super) fn hashes(sb3: &[u8], sources: &EvaluationSources, browser: &str) -> Hashes {
    Hashes { project: sha256_hex(sb3), script: sources.digest(), editor: editor(), browser: browser.to_owned() }
}

/// One digest of all that runs an evaluation script in the page: the clock, the second VM, the trace. Verdicts of
/// judges with different digests may differ.
pub fn engine() -> String {
    let texts: String = page_run::sources().collect();
    sha256_hex(texts.as_bytes())
}

/// The pinned version of the editor's package, such as `15.1.1`; empty if the package file does not name one.
pub fn editor() -> String {
    let package: serde_json::Value = serde_json::from_str(EDITOR_PACKAGE).unwrap_or_default();
    package["dependencies"]["@scratch/scratch-gui-standalone"].as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_editor_is_pinned_to_one_version() {
        let version = editor();
        assert!(
            version.split('.').count() == 3 && version.chars().all(|c| c.is_ascii_digit() || c == '.'),
            "{version}"
        );
    }
}
