//! What keeps faults from being forged.

use crate::bugs::BugsError;
use crate::judge::PlayError;
use crate::model::{Blame, Coded};
use crate::project::ProjectError;

/// Errors of the room. That a fault is not taken is none.
#[derive(Debug, thiserror::Error)]
pub enum ForgeError {
    /// A pool or benchmark can't be read or written.
    #[error(transparent)]
    Bugs(#[from] BugsError),
    /// A scenario can't be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A project can't be packed.
    #[error(transparent)]
    Project(#[from] ProjectError),
}

impl Coded for ForgeError {
    fn code(&self) -> &str {
        match self {
            Self::Bugs(error) => error.code(),
            Self::Play(error) => error.code(),
            Self::Project(_) => "project_invalid",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Bugs(error) => error.hint(),
            Self::Play(error) if error.is_passing() => {
                Some("run the same command again: it goes on where it was".to_owned())
            }
            _ => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Bugs(error) => error.blame(),
            Self::Play(error) => error.blame(),
            Self::Project(_) => Blame::Input,
        }
    }
}
