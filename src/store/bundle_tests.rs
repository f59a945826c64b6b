//! Tests of bundles that somebody made by hand.

use std::io::Write as _;

use serde_json::json;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::model::{Coded as _, sha256_hex};

/// A bundle without runs that lists these files and has those.
fn bundle(listed: &[(&str, &str)], held: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files: BTreeMap<&str, String> =
        listed.iter().map(|(name, text)| (*name, sha256_hex(text.as_bytes()))).collect();
    let record = json!({"format": 1, "version": "0", "made_at": 0.0, "runs": [], "files": files}).to_string();
    let mut zip = ZipWriter::new(File::create(folder.path().join("b.zip")).unwrap());
    for (name, text) in held.iter().copied().chain([(BUNDLE_FILE, record.as_str())]) {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    folder
}

fn opened(folder: &TempDir) -> Result<OpenedRuns, StoreError> {
    open_runs(&folder.path().join("b.zip"))
}

#[test]
fn only_what_the_record_lists_is_unpacked() {
    let listed = [("a/listed.txt", "one")];
    let folder = bundle(&listed, &[listed[0], ("stray.txt", "two")]);
    let opened = opened(&folder).unwrap();
    let unpacked = opened.unpacked().unwrap();
    assert_eq!(fs::read_to_string(unpacked.join("a/listed.txt")).unwrap(), "one");
    assert!(!unpacked.join("stray.txt").exists());
}

#[test]
fn what_is_missing_or_altered_is_said() {
    for held in [&[][..], &[("a", "two")]] {
        assert_eq!(opened(&bundle(&[("a", "one")], held)).unwrap_err().code(), "bundle_altered", "{held:?}");
    }
    let elsewhere = bundle(&[("../a", "one")], &[]);
    assert_eq!(opened(&elsewhere).unwrap_err().code(), "bundle_altered");
    assert!(!elsewhere.path().join("a").exists());
}

/// A packed record of many megabytes is small, and would take a multiple of that in memory.
#[test]
fn a_record_is_as_large_as_its_files_need_before_it_is_read() {
    let folder = bundle(&[("a", "one")], &[("a", "one")]);
    opened(&folder).unwrap();
    let spaces = " ".repeat(1 << 20);
    let write = |at: &str, record: &str| {
        let mut zip = ZipWriter::new(File::create(folder.path().join(at)).unwrap());
        zip.start_file(BUNDLE_FILE, SimpleFileOptions::default()).unwrap();
        zip.write_all(record.as_bytes()).unwrap();
        zip.finish().unwrap();
    };
    write("b.zip", &format!("{{{spaces}"));
    assert!(fs::metadata(folder.path().join("b.zip")).unwrap().len() < 10_000);
    let error = opened(&folder).unwrap_err();
    assert_eq!((error.code(), error.blame()), ("bundle_record_too_large", crate::model::Blame::Input), "{error}");
    write("b.zip", "{");
    assert_eq!(opened(&folder).unwrap_err().code(), "run_malformed", "a small one is read");
    write("b.zip", r#"{"format": 99, "more": []}"#);
    assert_eq!(opened(&folder).unwrap_err().code(), "run_format_newer");

    fs::write(folder.path().join(BUNDLE_FILE), format!("{{{spaces}")).unwrap();
    let few = UnpackLimits { files: 10, ..UnpackLimits::USUAL };
    assert_eq!(open_runs_within(folder.path(), few).unwrap_err().code(), "bundle_record_too_large", "unpacked, too");
}

#[test]
fn a_bundle_unpacks_to_so_much_and_no_more() {
    let text = "x".repeat(2000);
    let folder = bundle(&[("a", &text)], &[("a", &text)]);
    let within = |bytes| {
        let limits = UnpackLimits { bytes, ..UnpackLimits::USUAL };
        open_runs_within(&folder.path().join("b.zip"), limits)
    };
    let error = within(2000).unwrap_err();
    assert_eq!(error.code(), "bundle_too_large");
    assert!(error.hint().unwrap().contains("--large-bundles"));
    within(4000).unwrap();
}
