//! The recognition models are built from the npm package once, and a damaged cache is noticed.

use std::fs;
use std::path::{Path, PathBuf};

use scratchbed::ocr::{self, SOURCE_FOLDER};

/// The model folder of the npm package in this checkout; `npm ci` in scratch-gui puts it there.
pub fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scratch-gui").join(SOURCE_FOLDER)
}

#[test]
fn a_second_call_redoes_nothing() {
    let cache = tempfile::tempdir().unwrap();
    let first = ocr::prepare(&source(), cache.path()).expect("run `npm ci` in scratch-gui first");
    assert_eq!(first.built, ["detection.onnx", "recognition.onnx", "recognition-ocrs.onnx", "manifest.json"]);
    let written = fs::metadata(cache.path().join("recognition.onnx")).unwrap().modified().unwrap();
    let second = ocr::prepare(&source(), cache.path()).unwrap();
    assert_eq!((second.built.len(), second.reason), (0, None));
    assert_eq!(fs::metadata(cache.path().join("recognition.onnx")).unwrap().modified().unwrap(), written);
}

#[test]
fn a_damaged_file_is_noticed_and_rebuilt() {
    let cache = tempfile::tempdir().unwrap();
    ocr::prepare(&source(), cache.path()).expect("run `npm ci` in scratch-gui first");
    let model = cache.path().join("recognition.onnx");
    let whole = fs::read(&model).unwrap();
    for damage in [&whole[..whole.len() / 2], b"".as_slice()] {
        fs::write(&model, damage).unwrap();
        let again = ocr::prepare(&source(), cache.path()).unwrap();
        assert!(again.reason.unwrap().contains("recognition.onnx is damaged"));
        assert!(fs::read(&model).unwrap() == whole, "the same bytes are built again");
    }
    fs::remove_file(cache.path().join("manifest.json")).unwrap();
    assert!(ocr::prepare(&source(), cache.path()).unwrap().reason.unwrap().contains("absent"));
}
