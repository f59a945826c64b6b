//! Reading the fixture pictures: how many words, which sizes, and one picture after another.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use image::RgbaImage;
use image::imageops;
use scratchbed::model::Coded as _;
use scratchbed::ocr::{self, Area, Reader, Recognizer, Word};

use crate::support::{of_the_day, root};

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
fn what_is_read_in_a_picture_does_not_depend_on_what_was_read_before() {
    let names = ["default.png", "dropdown.png", "dragged.png", "control.png", "menu.png"];
    let names = of_the_day(&names, 3);
    let alone: Vec<Vec<Word>> = names.iter().map(|name| recognizer().recognize(&picture(name)).unwrap()).collect();
    let shared = Arc::new(recognizer());
    let forwards: Vec<usize> = (0..names.len()).collect();
    let backwards: Vec<usize> = forwards.iter().rev().copied().collect();
    // As one session after another, and as one session.
    for order in [forwards, backwards] {
        shared.forget();
        let mut one = Reader::new(Arc::clone(&shared));
        for i in &order {
            let (name, alone) = (names[*i], &alone[*i]);
            let picture = picture(name);
            assert_eq!(shared.recognize(&picture).unwrap(), *alone, "{name} in {order:?}");
            assert_eq!(one.read(&picture, &[]).unwrap(), *alone, "{name} in {order:?}");
            assert_eq!(one.read(&picture, &[]).unwrap(), *alone, "{name}, looked at twice");
        }
    }
}
