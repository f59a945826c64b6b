//! Text recognition: words and their boxes in a screenshot.
//!
//! [`prepare`] makes the models once; [`Recognizer`] reads a picture; [`Reader`] reads a session's pictures one
//! after another and shares the lines read before; [`mod@score`] says how well. What does not live here: which
//! element of the page a word belongs to (`perceive`), and taking the screenshot (`page`).
//!
//! # What is ours and why
//! The models are PaddleOCR's PP-OCRv4, run by `rten`, the inference library of the `ocrs` crate. The pipeline
//! of `ocrs` itself ([`OcrsReader`]) reads far fewer of the 88 words on the editor's default page, because its
//! detection joins labels and misses most single digits, and it gives no confidence; `scratchbed bench ocr` runs
//! both side by side. So three of its steps are done here:
//! - finding words, from the pixels ([`strokes`]): a few milliseconds instead of 0.2 s, and all 88;
//! - drawing words for the model ([`units`]), one contrast and size for all, with remembered results ([`cache`]);
//! - decoding with a confidence ([`decode`]).
//!
//! The graphs are edited for this when they are prepared ([`graph`], [`faster`]).

mod area;
mod cache;
mod convolution;
mod decode;
mod engine;
mod error;
mod faster;
mod graph;
mod incremental;
mod models;
mod onnx;
mod pixels;
mod reference;
mod score;
mod strokes;
mod units;

pub use area::Area;
pub use engine::{MIN_CONFIDENCE, Recognizer, Word};
pub use error::OcrError;
pub use incremental::Reader;
pub use models::{Prepared, SOURCE_FOLDER, check, prepare};
pub use reference::OcrsReader;
pub use score::{Expected, OcrScore, compare, compare_reference, load_fixture, score};
