//! Why a fault or a repair can't be shown.

use crate::compile::BuildError;
use crate::judge::PlayError;
use crate::model::{Blame, Coded};
use crate::project::ProjectError;
use crate::project::edit::EditError;

/// Errors of the room of fault views.
#[derive(Debug, thiserror::Error)]
pub enum FaultViewError {
    /// A project can't be drawn.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A project can't be read or packed.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// A scenario can't be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A patch does not fit its project.
    #[error("the patch of {id} does not fit its project")]
    Patch { id: String, source: EditError },
    /// Pictures show a program only while it does what it does without them.
    #[error("{id} did something else in {scenario} when it was played again for its pictures")]
    Unsteady { id: String, scenario: String },
}

impl Coded for FaultViewError {
    fn code(&self) -> &str {
        match self {
            Self::Build(BuildError::Page(error)) => error.code(),
            Self::Build(error) => error.code(),
            Self::Project(error) => error.code(),
            Self::Play(error) => error.code(),
            Self::Patch { .. } => "patch_unfit",
            Self::Unsteady { .. } => "unsteady",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Build(error) => error.hint(),
            _ => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Build(error) => error.blame(),
            Self::Play(error) => error.blame(),
            Self::Unsteady { .. } => Blame::Testbed,
            Self::Project(_) | Self::Patch { .. } => Blame::Input,
        }
    }
}

impl FaultViewError {
    /// Whether the testbed broke, so that another try may succeed.
    pub const fn is_broken(&self) -> bool {
        matches!(self, Self::Build(error) if error.is_broken())
    }

    /// Whether it says nothing of what was to be shown: the testbed broke, and would for any other project.
    pub const fn is_of_testbed(&self) -> bool {
        match self {
            Self::Build(error) => error.is_broken(),
            Self::Play(error) => !error.is_of_project(),
            _ => false,
        }
    }
}
