//! Why what agents have learned can't be had.

use std::path::PathBuf;

use crate::model::{Blame, Coded};

/// What is wrong with a memory.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// There is no memory in the folder.
    #[error("{} holds no memory", .path.display())]
    Absent { path: PathBuf },
    /// A file of it can't be read as text.
    #[error("{} can't be read", .path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// The files are not those that the folder's name promises.
    #[error("{} was changed: its digest is {found}", .path.display())]
    Changed { path: PathBuf, found: String },
}

impl Coded for MemoryError {
    fn code(&self) -> &str {
        match self {
            Self::Absent { .. } => "no_memory",
            Self::Unreadable { .. } => "memory_unreadable",
            Self::Changed { .. } => "memory_changed",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Absent { .. } => "name a run, or one of the folders in its `memory`",
            Self::Unreadable { .. } => "a memory is a folder with text files, without folders in it",
            Self::Changed { .. } => "copy it to a folder of another name to use it as it is now",
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}
