//! Why there is no answer.

use crate::agent::model::ModelError;
use crate::model::Cost;

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AskError {
    /// The model gave none.
    #[error("{source}")]
    Model {
        /// Why.
        source: ModelError,
        /// What trying cost.
        cost: Cost,
    },
    /// The program could not be started.
    #[error("`{command}` can't be started: {reason}")]
    NoProgram {
        /// The command.
        command: String,
        /// Why.
        reason: String,
    },
    /// The program ended with an error.
    #[error("the program failed ({status}): {message}")]
    ProgramFailed {
        /// How it ended.
        status: String,
        /// The end of what it wrote to standard error.
        message: String,
        /// What trying cost.
        cost: Cost,
    },
    /// The program took too long and was ended.
    #[error("the program gave no answer within {seconds} seconds")]
    ProgramTooSlow {
        /// The limit.
        seconds: u64,
        /// What trying cost.
        cost: Cost,
    },
}

impl AskError {
    /// Whether no question will ever be answered, so that asking on would make failures of nothing.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        match self {
            Self::Model { source, .. } => {
                matches!(
                    source,
                    ModelError::Unauthorized { .. } | ModelError::NoKey { .. } | ModelError::BadEndpoint { .. }
                )
            }
            Self::NoProgram { .. } => true,
            Self::ProgramFailed { .. } | Self::ProgramTooSlow { .. } => false,
        }
    }

    /// What trying cost.
    #[must_use]
    pub fn cost(&self) -> Cost {
        match self {
            Self::Model { cost, .. } | Self::ProgramFailed { cost, .. } | Self::ProgramTooSlow { cost, .. } => *cost,
            Self::NoProgram { .. } => Cost::default(),
        }
    }

    /// Stable name of the situation.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Model { source, .. } => source.code(),
            Self::NoProgram { .. } => "program_not_started",
            Self::ProgramFailed { .. } => "program_failed",
            Self::ProgramTooSlow { .. } => "program_too_slow",
        }
    }

    /// What to do about it, when that is known.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Model { source, .. } => source.hint(),
            Self::NoProgram { .. } => Some("is the program there, and may it be run?".to_owned()),
            Self::ProgramFailed { .. } | Self::ProgramTooSlow { .. } => None,
        }
    }
}
