//! Why there is no answer.

use crate::agent::model::ModelError;
use crate::model::{Blame, Coded, Cost};

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AskError {
    #[error("{source}")]
    Model { source: ModelError, cost: Cost },
    /// The program could not be started.
    #[error("`{command}` can't be started: {reason}")]
    NoProgram { command: String, reason: String },
    /// The program ended with an error.
    #[error("the program failed ({status}): {message}")]
    ProgramFailed {
        status: String,
        /// The end of what it wrote to standard error.
        message: String,
        cost: Cost,
    },
    /// The program took too long and was ended.
    #[error("the program gave no answer within {seconds} seconds")]
    ProgramTooSlow { seconds: u64, cost: Cost },
}

impl AskError {
    /// Whether no question will ever be answered, so that asking on would make failures of nothing.
    pub const fn is_final(&self) -> bool {
        match self {
            Self::Model { source, .. } => {
                matches!(
                    source,
                    ModelError::Unauthorized { .. }
                        | ModelError::NoKey { .. }
                        | ModelError::BadEndpoint { .. }
                        | ModelError::BudgetExhausted(_)
                )
            }
            Self::NoProgram { .. } => true,
            Self::ProgramFailed { .. } | Self::ProgramTooSlow { .. } => false,
        }
    }

    pub fn cost(&self) -> Cost {
        match self {
            Self::Model { cost, .. } | Self::ProgramFailed { cost, .. } | Self::ProgramTooSlow { cost, .. } => *cost,
            Self::NoProgram { .. } => Cost::default(),
        }
    }
}

impl Coded for AskError {
    fn code(&self) -> &str {
        match self {
            Self::Model { source, .. } => source.code(),
            Self::NoProgram { .. } => "program_not_started",
            Self::ProgramFailed { .. } => "program_failed",
            Self::ProgramTooSlow { .. } => "program_too_slow",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Model { source, .. } => source.hint(),
            Self::NoProgram { .. } => Some("is the program there, and may it be run?".to_owned()),
            Self::ProgramFailed { .. } | Self::ProgramTooSlow { .. } => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Model { source, .. } => source.blame(),
            Self::NoProgram { .. } => Blame::Input,
            Self::ProgramFailed { .. } | Self::ProgramTooSlow { .. } => Blame::Testbed,
        }
    }
}
