//! What keeps a scan from going on. That a project is not taken is no error.

use std::path::PathBuf;

use crate::bugs::BugsError;
use crate::judge::PlayError;
use crate::model::{Blame, Coded};

/// Errors of the room.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// A source that was named is not there, or a folder can't be listed.
    #[error("{file}: {source}")]
    Source { file: PathBuf, source: std::io::Error },
    /// Nothing that could be a project is in the sources.
    #[error("there is no .sb3, .sb2 or .sb file and no project.txt in the sources")]
    NoProjects,
    /// The pool was made with other thresholds.
    #[error("the pool {pool} has the profile `{has}`, not `{wanted}`")]
    OtherProfile { pool: PathBuf, has: String, wanted: String },
    /// The pool can't be read or written.
    #[error(transparent)]
    Bugs(#[from] BugsError),
    /// No page can be had, whatever the project.
    #[error(transparent)]
    Play(#[from] PlayError),
}

impl Coded for IntakeError {
    fn code(&self) -> &str {
        match self {
            Self::Source { .. } => "no_source",
            Self::NoProjects => "no_projects",
            Self::OtherProfile { .. } => "other_profile",
            Self::Bugs(error) => error.code(),
            Self::Play(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NoProjects => {
                Some("`scratchbed setup --samples` fetches sample projects into .cache/samples".to_owned())
            }
            Self::OtherProfile { .. } => Some("profiles are never mixed: make another pool".to_owned()),
            Self::Bugs(error) => error.hint(),
            _ => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Bugs(error) => error.blame(),
            Self::Play(error) => error.blame(),
            _ => Blame::Input,
        }
    }
}
