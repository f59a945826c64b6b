//! What can go wrong while a text becomes a project.

use std::path::PathBuf;

use crate::page::PageError;
use crate::project::ProjectError;
use crate::project::text::TextError;
use crate::taskset::TasksetError;

/// Errors of the build room.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The text can't be read from its file.
    #[error("could not read {}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file that the project is made from can't be read.
    #[error(transparent)]
    Files(#[from] TasksetError),
    /// The text has a fault outside of its scripts.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A script has a fault, or the editor refuses it.
    #[error("{message}")]
    Script {
        /// Stable name of the situation.
        code: String,
        /// What is wrong, with the line.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// What came out is no sound project.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The editor drew something that is no picture.
    #[error("the stage could not be drawn")]
    NoPicture,
    /// The page failed.
    #[error(transparent)]
    Page(PageError),
}

impl From<PageError> for BuildError {
    fn from(error: PageError) -> Self {
        match error {
            PageError::Refused { code, message, hint } => Self::Script { code, message, hint },
            other => Self::Page(other),
        }
    }
}

impl BuildError {
    /// The stable name of the situation.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Read { .. } => "unreadable_text",
            Self::Files(error) => error.code(),
            Self::Text(error) => error.code(),
            Self::Script { code, .. } => code,
            Self::Project(error) => error.code(),
            Self::NoPicture => "no_picture",
            Self::Page(_) => "page_failed",
        }
    }

    /// What to do about it, where that is known.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Script { hint, .. } => hint.as_deref(),
            Self::Project(error) => error.hint(),
            Self::Text(_) => Some("docs/PROJECT-TEXT.md describes the format"),
            Self::Read { .. } | Self::Files(_) | Self::NoPicture | Self::Page(_) => None,
        }
    }
}
