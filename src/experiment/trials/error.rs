//! Why there is no result.

use crate::agent::AskError;
use crate::model::{Blame, Coded};
use crate::store::StoreError;

/// Why a trial came to nothing, for reasons that are not the agent's.
#[derive(Debug, thiserror::Error)]
pub enum Spoiled {
    /// The testbed broke; another try may not meet that.
    #[error("{0}")]
    Testbed(String),
    /// No trial can be had like this.
    #[error(transparent)]
    Stop(#[from] TrialsError),
}

impl From<StoreError> for Spoiled {
    fn from(error: StoreError) -> Self {
        Self::Stop(error.into())
    }
}

/// Why a run can't go on. What it has recorded is kept.
#[derive(Debug, thiserror::Error)]
pub enum TrialsError {
    /// The run's folder can't be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The agent can't be asked at all.
    #[error(transparent)]
    Agent(#[from] AskError),
    /// Call after call has failed.
    #[error("{count} calls in a row have failed, the last one so: {last}")]
    NobodyAnswers {
        /// How many.
        count: u32,
        /// What the last one said.
        last: String,
    },
    /// An item is wrong.
    #[error("{item}: {reason}")]
    Item {
        /// The item.
        item: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Coded for TrialsError {
    fn code(&self) -> &str {
        match self {
            Self::Store(error) => error.code(),
            Self::Agent(error) => error.code(),
            Self::NobodyAnswers { .. } => "calls_fail",
            Self::Item { .. } => "invalid_item",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Agent(error) => error.hint(),
            Self::NobodyAnswers { .. } => {
                Some("when it answers again, go on with --resume RUN --retry-failed-calls".to_owned())
            }
            Self::Store(_) | Self::Item { .. } => None,
        }
    }

    fn blame(&self) -> Blame {
        if matches!(self, Self::Agent(_) | Self::Item { .. }) { Blame::Input } else { Blame::Testbed }
    }
}
