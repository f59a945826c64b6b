//! Text recognition: words and their boxes in a screenshot.
//!
//! What lives here: preparing the models ([`prepare`]).
//! What does not: which element of the page a word belongs to (that is `perceive`), and taking the screenshot
//! (that is `page`).

mod error;
mod graph;
mod models;
mod onnx;

pub use error::OcrError;
pub use models::{Prepared, SOURCE_FOLDER, check, prepare};
