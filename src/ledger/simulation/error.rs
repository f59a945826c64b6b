//! Why a simulation can't be carried out.

use scratchbed_model::{Blame, Coded};

use crate::LedgerError;

/// What a simulation needs and did not get. What does not hold of a ledger is no error: the report tells.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error("the processes of the fleet can't be started, or their files written: {0}")]
    Files(#[from] std::io::Error),
    #[error("what a process shall do can't be read: {0}")]
    Spec(#[from] serde_json::Error),
    #[error("of {wanted} slots only {joined} have joined")]
    NotJoined { joined: u64, wanted: u64 },
    #[error("{0}")]
    Ended(String),
}

impl Coded for SimulationError {
    fn code(&self) -> &str {
        match self {
            Self::Ledger(error) => error.code(),
            Self::Files(_) => "fleet_files_failed",
            Self::Spec(_) => "fleet_spec_unreadable",
            Self::NotJoined { .. } => "fleet_not_joined",
            Self::Ended(_) => "fleet_process_ended",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Ledger(error) => error.hint(),
            Self::NotJoined { .. } | Self::Ended(_) => {
                Some("does the database bear so many connections (max_connections)?".to_owned())
            }
            _ => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Ledger(error) => error.blame(),
            _ => Blame::Testbed,
        }
    }
}
