//! What can go wrong while a report is made.

use std::path::PathBuf;

use crate::compile::BuildError;
use crate::model::{Blame, Coded};
use crate::project::ProjectError;
use crate::store::StoreError;
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
    /// A run can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Of this benchmark there are no tables.
    #[error("runs of `{benchmark}` have no tables")]
    NoTables { benchmark: String },
    /// A table can't be written as CSV.
    #[error("the table could not be written")]
    Csv(#[from] csv::Error),
    /// A page can't be made from its template.
    #[error("the page {page} could not be made")]
    Template { page: String, source: minijinja::Error },
    /// A file of the report can't be written.
    #[error("could not write {}", .path.display())]
    Write { path: PathBuf, source: std::io::Error },
}

impl Coded for ReportError {
    fn code(&self) -> &str {
        match self {
            Self::Build(BuildError::Page(error)) => error.code(),
            Self::Build(error) => error.code(),
            Self::Project(error) => error.code(),
            Self::Tasks(error) => error.code(),
            Self::Store(error) => error.code(),
            Self::NoTables { .. } => "no_tables",
            Self::Csv(_) => "table_not_written",
            Self::Template { .. } => "page_not_made",
            Self::Write { .. } => "report_not_written",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Build(error) => error.hint(),
            Self::Store(error) => error.hint(),
            _ => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Build(error) => error.blame(),
            Self::Store(error) => error.blame(),
            Self::Write { .. } | Self::Csv(_) => Blame::Testbed,
            Self::Project(_) | Self::Tasks(_) | Self::NoTables { .. } | Self::Template { .. } => Blame::Input,
        }
    }
}

impl ReportError {
    /// Whether the testbed broke, so that another try may succeed.
    pub const fn is_broken(&self) -> bool {
        matches!(self, Self::Build(BuildError::Page(_)))
    }
}
