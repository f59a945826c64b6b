//! Why a run can't begin or go on.

use std::path::PathBuf;

use crate::agent::AskError;
use crate::model::{Blame, Coded};
use crate::store::StoreError;

/// What a run has recorded is kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The agent can't be asked.
    #[error(transparent)]
    Agent(#[from] AskError),
    /// Call after call has failed.
    #[error("{count} calls in a row have failed, the last one with: {last}")]
    NoAnswers { count: u32, last: String },
    #[error("{item}: {reason}")]
    Item { item: String, reason: String },
    /// A run to resume was requested in another way.
    #[error("{} was requested differently: {what}", .path.display())]
    Differs { path: PathBuf, what: String },
}

impl Coded for RunError {
    fn code(&self) -> &str {
        match self {
            Self::Store(error) => error.code(),
            Self::Agent(error) => error.code(),
            Self::NoAnswers { .. } => "calls_fail",
            Self::Item { .. } => "invalid_item",
            Self::Differs { .. } => "run_differs",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Agent(error) => error.hint(),
            Self::NoAnswers { .. } => {
                Some("when it answers again, continue with --resume RUN --retry-failed-calls".to_owned())
            }
            Self::Differs { .. } => Some("repeat the arguments of that run, or start a new one".to_owned()),
            Self::Store(error) => error.hint(),
            Self::Item { .. } => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Store(error) => error.blame(),
            Self::Agent(_) | Self::Item { .. } | Self::Differs { .. } => Blame::Input,
            Self::NoAnswers { .. } => Blame::Testbed,
        }
    }
}
