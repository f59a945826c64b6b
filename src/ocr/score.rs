//! The proportion of visible words that are read, and the speed.

use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

use image::RgbaImage;
use serde::{Deserialize, Serialize};

use super::engine::{Recognizer, Word};
use super::error::OcrError;
use super::reference::OcrsReader;

/// The words of a picture, written down by a person.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// What counts as a word, in words.
    pub rule: String,
    /// Labels; each is split at spaces.
    pub lines: Vec<String>,
}

impl Expected {
    pub fn words(&self) -> Vec<&str> {
        self.lines.iter().flat_map(|l| l.split_whitespace()).collect()
    }
}

/// The result of a comparison. Words are compared with case folded, each as often as it occurs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OcrScore {
    /// Expected words that were read.
    pub found: usize,
    pub expected: usize,
    /// Words that were read and not expected: misreadings and icons.
    pub extra: usize,
    /// Expected words that were not read.
    pub missed: Vec<String>,
    /// Best time of a reading with nothing remembered, in milliseconds.
    pub milliseconds: f64,
    /// Time of reading the same picture again, in milliseconds.
    pub again_milliseconds: f64,
}

impl OcrScore {
    /// Expected words that were read, of all expected words: 0 to 1, and 1 if none was expected.
    #[expect(clippy::cast_precision_loss, reason = "a picture has less than 2^52 words")]
    pub fn share(&self) -> f64 {
        if self.expected == 0 { 1.0 } else { self.found as f64 / self.expected as f64 }
    }
}

/// Compares words that were read with those a person sees; the times are left at 0.
pub fn score(words: &[Word], expected: &[&str]) -> OcrScore {
    let mut open: HashMap<String, usize> = HashMap::new();
    for word in expected {
        *open.entry(word.to_lowercase()).or_default() += 1;
    }
    let mut found = 0;
    for word in words {
        if let Some(count) = open.get_mut(&word.text.to_lowercase()).filter(|c| **c > 0) {
            *count -= 1;
            found += 1;
        }
    }
    let mut missed: Vec<String> = open.into_iter().flat_map(|(w, n)| std::iter::repeat_n(w, n)).collect();
    missed.sort();
    let extra = words.len() - found;
    OcrScore { found, expected: expected.len(), extra, missed, milliseconds: 0.0, again_milliseconds: 0.0 }
}

/// Reads a picture `rounds` times with nothing remembered and compares the words with `expected`.
///
/// # Errors
/// As [`Recognizer::recognize`].
pub fn compare(
    recognizer: &Recognizer,
    picture: &RgbaImage,
    expected: &Expected,
    rounds: u32,
) -> Result<OcrScore, OcrError> {
    let timed = || {
        let start = Instant::now();
        recognizer.recognize(picture).map(|words| (words, start.elapsed().as_secs_f64() * 1e3))
    };
    let mut best = f64::INFINITY;
    for _ in 0..rounds.max(1) {
        recognizer.forget();
        best = best.min(timed()?.1);
    }
    let (words, again) = timed()?;
    Ok(OcrScore { milliseconds: best, again_milliseconds: again, ..score(&words, &expected.words()) })
}

/// Reads a picture `rounds` times with the `ocrs` crate's own pipeline, which remembers nothing.
///
/// # Errors
/// As [`OcrsReader::recognize`].
pub fn compare_reference(
    reader: &OcrsReader,
    picture: &RgbaImage,
    expected: &Expected,
    rounds: u32,
) -> Result<OcrScore, OcrError> {
    let mut best = f64::INFINITY;
    let mut words = Vec::new();
    for _ in 0..rounds.max(1) {
        let start = Instant::now();
        words = reader.recognize(picture)?;
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(OcrScore { milliseconds: best, again_milliseconds: best, ..score(&words, &expected.words()) })
}

/// Reads a picture and its words from files, for [`compare`].
///
/// # Errors
/// [`OcrError::Fixture`] when a file is absent or not what it should be.
pub fn load_fixture(picture: &Path, words: &Path) -> Result<(RgbaImage, Expected), OcrError> {
    let fail = |path: &Path, e: &dyn std::fmt::Display| OcrError::Fixture { path: path.into(), reason: e.to_string() };
    let image = image::open(picture).map_err(|e| fail(picture, &e))?.into_rgba8();
    let text = std::fs::read_to_string(words).map_err(|e| fail(words, &e))?;
    let expected = serde_json::from_str(&text).map_err(|e| fail(words, &e))?;
    Ok((image, expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::Area;

    fn word(text: &str) -> Word {
        Word { text: text.to_owned(), position: Area::new(0, 0, 1, 1), confidence: None }
    }

    #[test]
    fn each_word_counts_as_often_as_it_is_there() {
        let result = score(&[word("Turn"), word("10"), word("10")], &["turn", "10", "degrees"]);
        assert_eq!((result.found, result.expected, result.extra), (2, 3, 1));
        assert_eq!(result.missed, ["degrees"]);
        assert!((result.share() - 2.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn an_absent_picture_is_named() {
        let error = load_fixture(Path::new("no.png"), Path::new("no.json")).unwrap_err();
        assert!(error.to_string().contains("no.png"));
    }
}
