//! What can go wrong with run directories.

use std::path::{Path, PathBuf};

/// Errors of the store room.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file or folder can't be written.
    #[error("{} can't be written", .path.display())]
    Unwritable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file or folder can't be read.
    #[error("{} can't be read", .path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A record does not have the declared shape.
    #[error("{} is no record of this format", .path.display())]
    Malformed {
        /// Which.
        path: PathBuf,
        /// Where it departs.
        source: serde_json::Error,
    },
    /// There is no run in the folder to go on with.
    #[error("{} holds no run", .path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// Another process works on the run.
    #[error("{} is being worked on by another process", .path.display())]
    InUse {
        /// The run's folder.
        path: PathBuf,
    },
    /// The run was begun by an older program, whose records say too little to go on with it.
    #[error("{} has format {found}, and this program goes on with runs of format {known} alone", .path.display())]
    OlderFormat { path: PathBuf, found: u32, known: u32 },
    /// A record was written by a newer program.
    #[error("{} has format {found}, this program reads up to {known}", .path.display())]
    NewerFormat {
        /// Which.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest that is known.
        known: u32,
    },
}

impl StoreError {
    pub(super) fn unwritable(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Unwritable { path: path.to_owned(), source }
    }

    pub(super) fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Unreadable { path: path.to_owned(), source }
    }

    /// Stable name of the situation.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unwritable { .. } => "run_unwritable",
            Self::Unreadable { .. } => "run_unreadable",
            Self::Malformed { .. } => "run_malformed",
            Self::NoRun { .. } => "no_run",
            Self::InUse { .. } => "run_in_use",
            Self::OlderFormat { .. } => "run_format_older",
            Self::NewerFormat { .. } => "run_format_newer",
        }
    }
}
