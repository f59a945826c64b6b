//! What can go wrong while a report is made.

use std::path::PathBuf;

use crate::compile::BuildError;
use crate::project::ProjectError;
use crate::taskset::TasksetError;

/// Errors of the report room.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A project can't be built or drawn.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A built project can't be read.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The files of a task can't be read.
    #[error(transparent)]
    Tasks(#[from] TasksetError),
    /// A page can't be made from its template.
    #[error("the page {page} could not be made")]
    Template {
        /// Which page.
        page: String,
        /// Why.
        source: minijinja::Error,
    },
    /// A file of the report can't be written.
    #[error("could not write {}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl ReportError {
    /// Stable, machine-readable name of the situation.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Build(error) => error.code(),
            Self::Project(error) => error.code(),
            Self::Tasks(error) => error.code(),
            Self::Template { .. } => "page_not_made",
            Self::Write { .. } => "report_not_written",
        }
    }

    /// Whether the testbed broke, so that another try may succeed.
    #[must_use]
    pub const fn is_broken(&self) -> bool {
        matches!(self, Self::Build(BuildError::Page(_)))
    }
}
