//! What keeps examples from being exported.

use std::path::PathBuf;

use crate::agent::TemplateError;
use crate::bugs::BugsError;
use crate::model::{Blame, Coded};
use crate::project::ProjectError;

/// Errors of the room.
#[derive(Debug, thiserror::Error)]
pub enum MendError {
    #[error(transparent)]
    Bugs(#[from] BugsError),
    /// A benchmark that was not parted.
    #[error("{0} has no folds")]
    NoFolds(PathBuf),
    /// Folds of an older state of the benchmark.
    #[error("the folds of {0} are those of other instances than it has now")]
    OldFolds(PathBuf),
    /// Tuning on one half would tell about the other.
    #[error("`{id}` is in the exported fold, and `{other}`, which is like it, in the other")]
    SharedGroup { id: String, other: String },
    /// A question would tell the answer.
    #[error("the question about `{id}` tells {what}")]
    Leak { id: String, what: String },
    /// A buggy or gold project can't be read.
    #[error("the project of `{id}` can't be read: {source}")]
    Project { id: String, source: ProjectError },
    #[error(transparent)]
    Template(#[from] TemplateError),
}

impl Coded for MendError {
    fn code(&self) -> &str {
        match self {
            Self::Bugs(error) => error.code(),
            Self::NoFolds(_) => "no_folds",
            Self::OldFolds(_) => "folds_outdated",
            Self::SharedGroup { .. } => "folds_share_group",
            Self::Leak { .. } => "example_leaks",
            Self::Project { .. } => "project_invalid",
            Self::Template(_) => "prompt_invalid",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Bugs(error) => error.hint(),
            Self::NoFolds(bench) | Self::OldFolds(bench) => {
                Some(format!("part it with `scratchbed bugs folds {}`", bench.display()))
            }
            Self::SharedGroup { .. } => Some("`scratchbed bugs folds BENCH` keeps groups together".to_owned()),
            Self::Leak { .. } => {
                Some("nothing was written; `scratchbed bugs show BENCH ID --truth` shows both".to_owned())
            }
            _ => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Bugs(error) => error.blame(),
            Self::Template(_) => Blame::Testbed,
            _ => Blame::Input,
        }
    }
}
