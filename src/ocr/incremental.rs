//! Reading one session's pictures one after another.
//!
//! Finding words takes a few milliseconds on the whole picture; reading them is what takes long. So every
//! picture is searched whole, and only lines whose pixels were not read before are read. The places are those
//! of a full reading; the text of a shape that is hard to read (mostly an icon) can differ, because lines are
//! read several at once and the model sees them together (see [`super::units`]). A picture that equals the
//! last one is not even searched.

use std::sync::Arc;

use image::RgbaImage;

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
    #[must_use]
    pub fn new(recognizer: Arc<Recognizer>) -> Self {
        Self { recognizer, last: None }
    }

    /// The words of the picture, but for those inside one of the `explained` boxes (what the page itself
    /// tells). Leaving words out changes which words are read together, and so, rarely, how a word is read.
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
}
