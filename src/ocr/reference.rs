//! The unmodified pipeline of the `ocrs` crate on the same models, as a baseline for this room's own.
//!
//! `scratchbed bench ocr` runs both on one picture in one run, so that anyone who doubts the decision in
//! docs/adr/0008 can repeat it. Its words carry no confidence, since the crate provides none.

use std::path::Path;

use image::{DynamicImage, RgbaImage};
use ocrs::{ImageSource, OcrEngine, OcrEngineParams, TextItem as _, TextLine};

use super::area::Area;
use super::engine::Word;
use super::error::OcrError;
use super::models;

/// Reads pictures with `ocrs` from detection to decoding.
pub struct OcrsReader {
    engine: OcrEngine,
}

impl std::fmt::Debug for OcrsReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OcrsReader").finish_non_exhaustive()
    }
}

impl OcrsReader {
    /// Loads what [`super::prepare`] has put into `cache_dir`.
    ///
    /// # Errors
    /// [`OcrError::NotPrepared`] when the models are absent or damaged, [`OcrError::Inference`] when the
    /// library refuses them.
    pub fn load(cache_dir: &Path) -> Result<Self, OcrError> {
        let model = |bytes: Vec<u8>| rten::Model::load(bytes).map_err(|e| OcrError::inference("loading the model", e));
        let (detection, recognition) = models::of_ocrs(cache_dir)?;
        let params = OcrEngineParams {
            detection_model: Some(model(detection)?),
            recognition_model: Some(model(recognition)?),
            alphabet: Some(models::alphabet().collect()),
            ..OcrEngineParams::default()
        };
        let engine = OcrEngine::new(params).map_err(|e| OcrError::inference("starting ocrs", e))?;
        Ok(Self { engine })
    }

    /// The words in a picture of any size, line by line.
    ///
    /// # Errors
    /// [`OcrError::Inference`] when the library fails.
    pub fn recognize(&self, image: &RgbaImage) -> Result<Vec<Word>, OcrError> {
        let fail = |e: &dyn std::fmt::Display| OcrError::inference("reading with ocrs", e);
        let rgb = DynamicImage::ImageRgba8(image.clone()).into_rgb8();
        let source = ImageSource::from_bytes(rgb.as_raw(), rgb.dimensions()).map_err(|e| fail(&e))?;
        let input = self.engine.prepare_input(source).map_err(|e| fail(&e))?;
        let boxes = self.engine.detect_words(&input).map_err(|e| fail(&e))?;
        let lines = self.engine.find_text_lines(&input, &boxes);
        let lines = self.engine.recognize_text(&input, &lines).map_err(|e| fail(&e))?;
        Ok(lines.iter().flatten().flat_map(words).collect())
    }
}

fn words(line: &TextLine) -> Vec<Word> {
    let word = |word: ocrs::TextWord<'_>| {
        let hull = word.bounding_rect();
        let position = Area::new(hull.left(), hull.top(), hull.width(), hull.height());
        Word { text: word.to_string(), position, confidence: None }
    };
    line.words().map(word).filter(|word| !word.text.is_empty()).collect()
}
