//! Tests of unpacking what others packed.

use std::io::{Cursor, Write as _};

use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::model::Coded as _;

const SMALL: UnpackLimits = UnpackLimits { files: 4, bytes: 1 << 20, ratio: 200 };

fn refused(path: &Path, reason: &str) -> StoreError {
    StoreError::NoBundle { path: path.to_owned(), reason: reason.to_owned() }
}

fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn open(zip: &[u8], limits: UnpackLimits) -> Result<Unpacker<'static, Cursor<Vec<u8>>>, StoreError> {
    Unpacker::open(Cursor::new(zip.to_vec()), Path::new("b.zip"), limits, refused)
}

/// Why an archive is not opened.
fn reason(zip: &[u8]) -> String {
    match open(zip, SMALL).map(|_| ()).unwrap_err() {
        StoreError::NoBundle { reason, .. } => reason,
        other => panic!("{other}"),
    }
}

/// The code with which a file is not unpacked.
fn code(zip: &[u8], limits: UnpackLimits, name: &str) -> String {
    let folder = TempDir::new().unwrap();
    let error = open(zip, limits).unwrap().unpack(name, &folder.path().join("file")).unwrap_err();
    error.code().to_owned()
}

#[test]
fn names_that_lead_elsewhere_stand_twice_or_are_links_are_refused_before_anything_is_written() {
    for name in ["../out", "/out", "a/../../out", "./a", "a//b"] {
        assert_eq!(reason(&zip_of(&[(name, b"x")])), "a file would lie outside", "{name}");
    }
    let mut twice = zip_of(&[("run.json", b"first"), ("run.jsoN", b"second")]);
    while let Some(at) = twice.windows(8).position(|part| part == b"run.jsoN") {
        twice[at + 7] = b'n';
    }
    assert_eq!(reason(&twice), "two of its files have the same name");
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink("a", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    assert_eq!(reason(&zip.finish().unwrap().into_inner()), "\"a\" is a link");
    let many: Vec<_> = ["a", "b", "c", "d", "e"].into_iter().map(|name| (name, &b"x"[..])).collect();
    assert_eq!(reason(&zip_of(&many)), "it has too many files");
    assert!(open(&zip_of(&[("a/b", b"x"), ("c\\d", b"y")]), SMALL).is_ok());
}

#[test]
fn what_is_too_large_is_not_unpacked_whatever_the_archive_says() {
    let half = vec![1; 700 << 10];
    let archive = zip_of(&[("a", &half), ("b", &half)]);
    let folder = TempDir::new().unwrap();
    let mut unpacker = open(&archive, SMALL).unwrap();
    let names = unpacker.names();
    assert_eq!(unpacker.check_room(names.iter(), folder.path()).unwrap_err().code(), "bundle_too_large");
    assert!(unpacker.unpack("a", &folder.path().join("a")).unwrap());
    assert_eq!(unpacker.unpack("b", &folder.path().join("b")).unwrap_err().code(), "bundle_too_large");
    assert!(!unpacker.unpack("c", &folder.path().join("c")).unwrap(), "there is none");
    let zeros = zip_of(&[("a", &vec![0; (65 << 20) + 1])]);
    let roomy = UnpackLimits { bytes: 1 << 30, ..SMALL };
    assert!(zeros.len() < 1 << 20);
    assert_eq!(code(&zeros, roomy, "a"), "no_bundle");
    let trusted = UnpackLimits { ratio: u64::MAX, ..roomy };
    assert!(open(&zeros, trusted).unwrap().unpack("a", &folder.path().join("zeros")).unwrap());
}

#[test]
fn the_disk_is_asked_before_anything_is_written() {
    let unpacker = open(&zip_of(&[("a", b"x")]), SMALL).unwrap();
    // A file system without a free byte.
    let error = unpacker.check_room(unpacker.names().iter(), Path::new("/proc")).unwrap_err();
    assert_eq!((error.code(), error.hint().is_some()), ("disk_full", true));
}

#[test]
fn a_small_file_is_read_within_its_bound() {
    let mut unpacker = open(&zip_of(&[("a", b"four")]), SMALL).unwrap();
    assert_eq!(unpacker.read("a", 4).unwrap().unwrap(), b"four");
    assert_eq!(unpacker.read("b", 4).unwrap(), None);
    assert!(unpacker.read("a", 3).is_err());
}
