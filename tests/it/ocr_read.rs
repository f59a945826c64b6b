//! Reading the fixture pictures: how many words, which sizes, and one picture after another.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use image::RgbaImage;
use image::imageops;
use scratchbed::ocr::{self, Area, Reader, Recognizer, Word};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn fixture(name: &str) -> PathBuf {
    root().join("tests/fixtures/ocr").join(name)
}

fn picture(name: &str) -> RgbaImage {
    image::open(fixture(name)).expect("the fixture pictures are in git").into_rgba8()
}

/// A recognizer with the models of this checkout, its memory its own.
pub fn recognizer() -> Recognizer {
    static CACHE: OnceLock<PathBuf> = OnceLock::new();
    let cache = CACHE.get_or_init(|| {
        let cache = root().join(".cache/ocr");
        let source = root().join("scratch-gui").join(ocr::SOURCE_FOLDER);
        ocr::prepare(&source, &cache).expect("run `npm ci` in scratch-gui first");
        cache
    });
    Recognizer::load(cache).unwrap()
}

fn texts(words: &[Word]) -> Vec<&str> {
    words.iter().map(|w| w.text.as_str()).collect()
}

#[test]
fn most_words_of_the_default_page_are_read() {
    let (picture, expected) = ocr::load_fixture(&fixture("default.png"), &fixture("default.words.json")).unwrap();
    assert_eq!(expected.words().len(), 88);
    let words = recognizer().recognize(&picture).unwrap();
    let score = ocr::score(&words, &expected.words());
    assert!(score.found >= 84, "found {} of {}, missed {:?}", score.found, score.expected, score.missed);
    assert!(score.extra <= 14, "{} words that are not there: {:?}", score.extra, texts(&words));
}

#[test]
fn a_word_is_where_it_stands() {
    let words = recognizer().recognize(&picture("default.png")).unwrap();
    let tab = words.iter().find(|w| w.text == "Costumes").unwrap();
    assert!(Area::new(128, 66, 62, 20).contains(&tab.position), "{:?}", tab.position);
    assert!(tab.confidence.unwrap() >= ocr::MIN_CONFIDENCE);
}

#[test]
fn white_on_orange_and_menus_are_read() {
    let reader = recognizer();
    let control = reader.recognize(&picture("control.png")).unwrap();
    for label in ["wait", "repeat", "forever"] {
        assert!(texts(&control).contains(&label), "{label} in {:?}", texts(&control));
    }
    let menu = reader.recognize(&picture("menu.png")).unwrap();
    assert!(texts(&menu).contains(&"Load"), "{:?}", texts(&menu));
}

#[test]
fn any_size_is_read() {
    let reader = recognizer();
    let whole = picture("default.png");
    let part = imageops::crop_imm(&whole, 100, 10, 100, 30).to_image();
    assert_eq!(texts(&reader.recognize(&part).unwrap()), ["Settings"]);
    let mut large = RgbaImage::from_pixel(1900, 1003, image::Rgba([255, 255, 255, 255]));
    imageops::replace(&mut large, &part, 1700, 950);
    assert_eq!(texts(&reader.recognize(&large).unwrap()), ["Settings"]);
    for (width, height) in [(1, 1), (1, 300), (300, 2)] {
        assert!(reader.recognize(&RgbaImage::new(width, height)).unwrap().is_empty());
    }
    assert_eq!(reader.recognize(&RgbaImage::new(0, 4)).unwrap_err().code(), "ocr_empty_picture");
}

#[test]
fn what_the_page_explains_is_not_read() {
    let panel = Area::new(0, 93, 62, 627);
    let words = recognizer().recognize_outside(&picture("default.png"), &[panel]).unwrap();
    assert!(words.iter().all(|w| !panel.contains(&w.position)));
    assert!(texts(&words).contains(&"Costumes") && !texts(&words).contains(&"Operators"));
}

#[test]
fn reading_picture_after_picture_gives_what_a_full_reading_gives() {
    let full = recognizer();
    let mut reader = Reader::new(Arc::new(recognizer()));
    for name in ["default.png", "dropdown.png", "default.png", "dragged.png", "control.png", "menu.png"] {
        let picture = picture(name);
        full.forget();
        let expected = full.recognize(&picture).unwrap();
        let words = reader.read(&picture, &[]).unwrap();
        let alike = |w: &Word| expected.iter().any(|e| e.text == w.text && e.position == w.position);
        let same = words.iter().filter(|w| alike(w)).count();
        let most = words.len().max(expected.len());
        assert!(same * 100 >= most * 93, "{name}: {same} of {most} words alike");
        assert_eq!(reader.read(&picture, &[]).unwrap(), words, "the same picture again");
    }
}
