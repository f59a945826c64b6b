//! Everything besides its text that a built project depends on.

use super::{BUILD_SCRIPTS, NOTATION_CATALOGUE};
use crate::model::sha256_hex;

/// The editor's package, with its version.
const EDITOR_PACKAGE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scratch-gui/package.json"));

/// One digest of the builder, of what it runs in the page, and of the editor's version: builders with the same digest
/// make the same project of a text.
pub fn fingerprint() -> String {
    let scripts = BUILD_SCRIPTS.sources().chain(NOTATION_CATALOGUE.sources());
    let texts: Vec<&str> = [env!("SCRATCHBED_BUILDER"), EDITOR_PACKAGE].into_iter().chain(scripts).collect();
    sha256_hex(texts.join("\n").as_bytes())
}
