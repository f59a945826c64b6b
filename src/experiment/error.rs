//! Why a run can't begin or go on.

use std::path::PathBuf;

use super::engine::entry::MOST_CELLS;
use crate::agent::AskError;
use crate::agent::model::{BUDGET_EXHAUSTED, ModelError};
use crate::ledger::LedgerError;
use crate::model::{Blame, Coded, pluralise_as};
use crate::store::StoreError;

/// What a run has recorded is kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The agent can't be asked.
    #[error(transparent)]
    Agent(#[from] AskError),
    /// Call after call has failed.
    #[error("{count} calls in a row have failed, the last one with: {last}")]
    NoAnswers { count: u32, last: String },
    /// What may be spent is spent. Attempts that it cut off are not recorded: they are owed.
    #[error("{reason}; {complete} of {} complete", pluralise_as(*all, "attempt is", "attempts are"))]
    BudgetExhausted { reason: String, complete: usize, all: usize },
    /// It was asked to end before all was done.
    #[error("the run was stopped; {complete} of {} complete", pluralise_as(*all, "attempt is", "attempts are"))]
    Stopped { complete: usize, all: usize },
    #[error("{item}: {reason}")]
    Item { item: String, reason: String },
    /// A run to resume was requested in another way.
    #[error("{} was requested differently: {what}", .path.display())]
    Differs { path: PathBuf, what: String },
    /// Items of all arms, as often as each is attempted, are too many.
    #[error("{items} items, each attempted {epochs} times, are too many: {MOST_CELLS} attempts are the most")]
    TooManyCells { items: u64, epochs: u32 },
}

impl RunError {
    /// The budget does not allow an attempt to go on.
    pub const fn spent(reason: String) -> Self {
        Self::BudgetExhausted { reason, complete: 0, all: 0 }
    }

    /// Why the budget does not allow more, if that is what ended an attempt.
    pub(super) fn budget(&self) -> Option<&str> {
        match self {
            Self::BudgetExhausted { reason, .. }
            | Self::Agent(AskError::Model { source: ModelError::BudgetExhausted(reason), .. }) => Some(reason),
            _ => None,
        }
    }
}

impl Coded for RunError {
    fn code(&self) -> &str {
        match self {
            Self::Store(error) => error.code(),
            Self::Ledger(error) => error.code(),
            Self::Agent(error) => error.code(),
            Self::Stopped { .. } => "run_stopped",
            Self::BudgetExhausted { .. } => BUDGET_EXHAUSTED,
            Self::NoAnswers { .. } => "calls_fail",
            Self::Item { .. } => "invalid_item",
            Self::Differs { .. } => "run_differs",
            Self::TooManyCells { .. } => "too_many_cells",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Agent(error) => error.hint(),
            Self::BudgetExhausted { .. } => {
                Some("what is done is kept: continue with --resume RUN and a larger budget".to_owned())
            }
            Self::NoAnswers { .. } => {
                Some("when it answers again, continue with --resume RUN --retry-failed-calls".to_owned())
            }
            Self::Differs { .. } => Some("repeat the arguments of that run, or start a new one".to_owned()),
            Self::Stopped { .. } => Some("continue with --resume RUN".to_owned()),
            Self::TooManyCells { .. } => Some("name fewer items, or attempt each less often".to_owned()),
            Self::Store(error) => error.hint(),
            Self::Ledger(error) => error.hint(),
            Self::Item { .. } => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Store(error) => error.blame(),
            Self::Ledger(error) => error.blame(),
            Self::Agent(_)
            | Self::BudgetExhausted { .. }
            | Self::Stopped { .. }
            | Self::Item { .. }
            | Self::Differs { .. }
            | Self::TooManyCells { .. } => Blame::Input,
            Self::NoAnswers { .. } => Blame::Testbed,
        }
    }
}
