//! The file that keeps compiled code: a line of JSON with what it belongs to, then V8's data.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::write_whole;
use crate::model::sha256_hex;

/// The first line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    format: u32,
    /// Product string of the browser that compiled the script.
    browser: String,
    /// SHA-256 of the script.
    script: String,
    /// SHA-256 of the code.
    code: String,
}

const FORMAT: u32 = 2;

/// The compiled code of one script.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::page) struct CompiledScript {
    /// Product string of the browser that compiled it; no other can use it.
    pub(super) browser: String,
    /// V8's data.
    pub(super) code: Vec<u8>,
}

impl CompiledScript {
    /// Reads the file; `None` if there is none, if it is damaged, or if it was compiled from another script than this one.
    /// Such a file is removed.
    pub(super) fn read(file: &Path, script: &Path) -> Option<Self> {
        let bytes = fs::read(file).ok();
        let found = bytes.and_then(|bytes| Self::parse(bytes, &digest(script).ok()?));
        if found.is_none() && fs::remove_file(file).is_ok() {
            tracing::debug!(file = %file.display(), "compiled code that does not match was removed");
        }
        found
    }

    /// `script` is the digest that it must have been compiled from.
    fn parse(mut bytes: Vec<u8>, script: &str) -> Option<Self> {
        let code = bytes.split_off(bytes.iter().position(|&byte| byte == b'\n')? + 1);
        let header: Header = serde_json::from_slice(&bytes).ok()?;
        let is_whole = header.format == FORMAT && header.script == script && header.code == sha256_hex(&code);
        is_whole.then_some(Self { browser: header.browser, code })
    }

    /// Keeps V8's data that a browser compiled from a script.
    ///
    /// # Errors
    /// When a file can't be read or written.
    pub(super) fn write(file: &Path, script: &Path, browser: &str, data: &[u8]) -> io::Result<()> {
        let header =
            Header { format: FORMAT, browser: browser.to_owned(), script: digest(script)?, code: sha256_hex(data) };
        fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
        write_whole(file, &[format!("{}\n", serde_json::to_string(&header)?).as_bytes(), data].concat())
    }
}

fn digest(script: &Path) -> io::Result<String> {
    Ok(sha256_hex(&fs::read(script)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_comes_back_for_the_script_it_was_compiled_from_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let [file, script, other] = ["below/editor.code", "editor.js", "other.js"].map(|name| folder.path().join(name));
        fs::write(&script, "let one;").unwrap();
        fs::write(&other, "let two;").unwrap();
        CompiledScript::write(&file, &script, "Chrome/1.2", b"data").unwrap();
        let kept = CompiledScript::read(&file, &script).unwrap();
        assert_eq!((kept.browser.as_str(), kept.code.as_slice()), ("Chrome/1.2", &b"data"[..]));
        assert_eq!(CompiledScript::read(&file, &other), None, "scripts of one length are told apart");
        assert!(!file.exists(), "what does not match is thrown away");
        assert_eq!(CompiledScript::read(&file, &script), None);
    }

    #[test]
    fn a_damaged_file_is_thrown_away() {
        let folder = tempfile::tempdir().unwrap();
        let [file, script] = ["editor.code", "editor.js"].map(|name| folder.path().join(name));
        fs::write(&script, "let one;").unwrap();
        CompiledScript::write(&file, &script, "Chrome/1.2", &[7; 400]).unwrap();
        let whole = fs::read(&file).unwrap();
        let mut flipped = whole.clone();
        flipped[whole.len() - 9] ^= 1;
        let cut = &whole[..whole.len() - 4];
        for damaged in [&flipped, cut, b"", b"no header\n", b"{\"format\": 3}\n\x07\x07"] {
            fs::write(&file, damaged).unwrap();
            assert_eq!(CompiledScript::read(&file, &script), None, "{} bytes", damaged.len());
            assert!(!file.exists());
        }
    }
}
