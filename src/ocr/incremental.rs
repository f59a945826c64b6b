//! Reads one session's pictures one after another.
//!
//! Finding words takes a few milliseconds on the whole picture; reading them is what takes long. So every
//! picture is searched whole, and only strips whose pixels were not read before are read (see
//! [`super::units`]): the words are those of a full reading. A picture that equals the last one is not even
//! searched.

use std::sync::Arc;

use image::{RgbaImage, imageops};

use super::area::Area;
use super::engine::{Recognizer, Word};
use super::error::OcrError;

/// Reads the pictures of one session.
#[derive(Debug)]
pub struct Reader {
    recognizer: Arc<Recognizer>,
    last: Option<Last>,
}

#[derive(Debug)]
struct Last {
    image: RgbaImage,
    explained: Vec<Area>,
    words: Vec<Word>,
}

impl Reader {
    /// A reader that has seen nothing yet.
    pub fn new(recognizer: Arc<Recognizer>) -> Self {
        Self { recognizer, last: None }
    }

    /// The words of the picture, but for those inside one of the `explained` boxes (what the page itself
    /// reports). Leaving words out changes which words are read together, and so, rarely, how a word is read.
    ///
    /// # Errors
    /// As [`Recognizer::recognize`]; the next picture is read as if this one had not been.
    pub fn read(&mut self, image: &RgbaImage, explained: &[Area]) -> Result<Vec<Word>, OcrError> {
        if let Some(last) = self.last.as_ref().filter(|l| l.explained == explained && l.image == *image) {
            return Ok(last.words.clone());
        }
        let words = self.recognizer.recognize_outside(image, explained)?;
        self.last = Some(Last { image: image.clone(), explained: explained.to_vec(), words: words.clone() });
        Ok(words)
    }

    /// Whether this part of a picture is, to the pixel, that of the picture that was read last.
    pub fn has_seen(&self, image: &RgbaImage, part: Area) -> bool {
        let Some(last) = self.last.as_ref().filter(|last| last.image.dimensions() == image.dimensions()) else {
            return false;
        };
        let cut = |picture: &RgbaImage| {
            let Area { x, y, width, height } = part;
            let [x, y, width, height] = [x, y, width, height].map(|it| u32::try_from(it).unwrap_or(0));
            imageops::crop_imm(picture, x, y, width, height).to_image()
        };
        cut(&last.image) == cut(image)
    }
}
