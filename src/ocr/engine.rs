//! The recognizer: models in memory, shared by all sessions of a process.

use std::path::Path;

use image::RgbaImage;
use rayon::prelude::*;
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;
use serde::Serialize;

use super::area::Area;
use super::cache::Cache;
use super::decode::{Reading, decode};
use super::error::OcrError;
use super::models;
use super::pixels::Plane;
use super::strokes::{Candidate, candidates};
use super::units::{LINE_HEIGHT, Strip, strips, units};

/// Text below this confidence is dropped: most of it is icons (ScratchWorld, appendix Q).
pub const MIN_CONFIDENCE: f32 = 0.5;

/// A word and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Word {
    /// Printable ASCII without spaces, never empty.
    pub text: String,
    /// The box around its strokes, in pixels of the picture.
    pub position: Area,
    /// Mean probability of its characters, from [`MIN_CONFIDENCE`] to 1.
    pub confidence: Option<f32>,
}

/// Reads words in pictures. Share it in an `Arc`; reading takes up to a second of both cores on a busy
/// machine, so call it from `spawn_blocking`.
pub struct Recognizer {
    model: rten::Model,
    alphabet: Vec<char>,
    cache: Cache,
}

impl std::fmt::Debug for Recognizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recognizer").finish_non_exhaustive()
    }
}

impl Recognizer {
    /// Loads what [`super::prepare`] has put into `cache_dir`.
    ///
    /// # Errors
    /// [`OcrError::NotPrepared`] when the models are absent or damaged, [`OcrError::Inference`] when the
    /// library refuses them.
    pub fn load(cache_dir: &Path) -> Result<Self, OcrError> {
        let bytes = models::recognition(cache_dir)?;
        let mut options = rten::ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let model = options.load(bytes).map_err(|e| OcrError::inference("loading the model", e))?;
        Ok(Self { model, alphabet: models::alphabet().collect(), cache: Cache::default() })
    }

    /// The words in a picture of any size, from top to bottom and left to right.
    ///
    /// # Errors
    /// [`OcrError::EmptyPicture`] without pixels, [`OcrError::Inference`] when the library fails.
    pub fn recognize(&self, image: &RgbaImage) -> Result<Vec<Word>, OcrError> {
        self.recognize_outside(image, &[])
    }

    /// Like [`Recognizer::recognize`], without the words that lie inside one of the `explained` boxes, which
    /// are not even read.
    ///
    /// # Errors
    /// As [`Recognizer::recognize`].
    pub fn recognize_outside(&self, image: &RgbaImage, explained: &[Area]) -> Result<Vec<Word>, OcrError> {
        let plane = Plane::of(image)?;
        let mut found = candidates(&plane);
        found.retain(|c| !explained.iter().any(|e| e.contains(&c.rect)));
        let readings = self.read(&strips(&units(&plane, &found)))?;
        Ok(words(&found, readings))
    }

    /// Forgets all that was read so far, so that the next reading shows what a first one costs.
    pub fn forget(&self) {
        self.cache.clear();
    }

    /// The readings of all words of all strips, with the words' indices. Each strip is read by itself, so that nothing
    /// else decides what is read in it.
    fn read(&self, strips: &[Strip]) -> Result<Vec<(usize, Reading)>, OcrError> {
        // A thread for each strip: sharing one strip out to several costs more than it wins.
        let read: Result<Vec<_>, _> = rten::thread_pool().run(|| strips.par_iter().map(|s| self.reading(s)).collect());
        let words = strips.iter().flat_map(|strip| strip.words.iter().copied());
        Ok(words.zip(read?.into_iter().flatten()).collect())
    }

    /// The readings of the words of a strip, kept or fresh.
    fn reading(&self, strip: &Strip) -> Result<Vec<Reading>, OcrError> {
        if let Some(kept) = self.cache.get(strip) {
            return Ok(kept);
        }
        let fail = |e: &dyn std::fmt::Display| OcrError::inference("reading a line", e);
        let grey = strip.pixels.iter().map(|v| f32::from(*v) / 255.0 - 0.5).collect::<Vec<_>>();
        let input = NdTensor::from_data([1, 1, LINE_HEIGHT, strip.width], grey);
        let output = self.model.run_one((&input).into(), None).map_err(|e| fail(&e))?;
        let output: NdTensor<f32, 3> = output.try_into().map_err(|e| fail(&e))?;
        let readings = decode(&output.slice([0]), &self.alphabet, &strip.spans);
        self.cache.put(strip, readings.clone());
        Ok(readings)
    }
}

/// Keeps the readings that are sure enough.
fn words(found: &[Candidate], mut readings: Vec<(usize, Reading)>) -> Vec<Word> {
    readings.sort_by_key(|(i, _)| *i);
    let sure = readings.into_iter().filter(|(_, r)| !r.text.is_empty() && r.confidence >= MIN_CONFIDENCE);
    sure.map(|(i, r)| Word { text: r.text, position: found[i].rect, confidence: Some(r.confidence) }).collect()
}
