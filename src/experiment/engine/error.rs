//! Why an experiment can't go on.

use crate::experiment::RunError;
use crate::ledger::LedgerError;
use crate::model::{Blame, Coded};

/// What is decided stays decided; the same call goes on later.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error("{arm}: {source}")]
    Arm { arm: String, source: RunError },
    /// The ledger has an arm that this process did not prepare.
    #[error("the arm `{0}` of the ledger is not among those that were asked for")]
    UnknownArm(String),
}

impl Coded for EngineError {
    fn code(&self) -> &str {
        match self {
            Self::Ledger(error) => error.code(),
            Self::Arm { source, .. } => source.code(),
            Self::UnknownArm(_) => "unknown_arm",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Ledger(error) => error.hint(),
            Self::Arm { source, .. } => source.hint(),
            Self::UnknownArm(_) => Some("repeat the experiment's file as it was, with all its arms".to_owned()),
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Ledger(error) => error.blame(),
            Self::Arm { source, .. } => source.blame(),
            Self::UnknownArm(_) => Blame::Input,
        }
    }
}
