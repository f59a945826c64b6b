//! Why a repair that a caller asks for is not made, shown or ended.

use super::served::{RepairAgent, RepairState};
use crate::model::{Blame, Coded};
use crate::store::StoreError;

/// What the caller may look at.
const LISTS: &str = "GET /repairs lists what it offers";

/// Why there is no repair.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    #[error("this server offers no benchmark `{}`", .0.escape_debug())]
    UnknownBenchmark(String),
    #[error("`{bench}` has no case `{}`", .case.escape_debug())]
    UnknownCase { bench: String, case: String },
    #[error("this server offers no model `{}`", .0.escape_debug())]
    UnknownModel(String),
    /// A name was left out, and it is not clear which is meant.
    #[error("`{member}` is left out, and this server offers {offered} of them")]
    NameRequired { member: &'static str, offered: usize },
    #[error("the agent `{0}` asks no model")]
    ModelNotAsked(RepairAgent),
    /// Something is out of its range.
    #[error("{0}")]
    Bad(String),
    /// The command that makes repairs would refuse it, for a reason that has a code of its own.
    #[error("{message}")]
    Wrong { code: String, message: String, hint: Option<String> },
    #[error("{0} repairs go on, and no more may at a time")]
    Full(usize),
    #[error("no repair `{}`", .0.escape_debug())]
    Unknown(String),
    #[error("the repair `{id}` is over: {state}")]
    Over { id: String, state: RepairState },
    #[error("the server is about to end")]
    Closing,
    /// Its process could not be started.
    #[error("the repair could not be begun: {0}")]
    NotBegun(String),
    /// Its run can't be read.
    #[error(transparent)]
    Run(#[from] StoreError),
    #[error("{0}")]
    Machine(String),
}

impl Coded for RepairError {
    fn code(&self) -> &str {
        match self {
            Self::UnknownBenchmark(_) => "unknown_benchmark",
            Self::UnknownCase { .. } => "unknown_case",
            Self::UnknownModel(_) => "unknown_model",
            Self::NameRequired { .. } => "name_required",
            Self::ModelNotAsked(_) => "model_not_asked",
            Self::Bad(_) => "bad_repair",
            Self::Wrong { code, .. } => code,
            Self::Full(_) => "too_many_repairs",
            Self::Unknown(_) => "unknown_repair",
            Self::Over { .. } => "repair_over",
            Self::Closing => "shutting_down",
            Self::NotBegun(_) => "repair_not_begun",
            Self::Run(error) => error.code(),
            Self::Machine(_) => "internal_error",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::UnknownBenchmark(_)
            | Self::UnknownCase { .. }
            | Self::UnknownModel(_)
            | Self::NameRequired { .. } => LISTS,
            Self::ModelNotAsked(_) => "leave `model` out, or ask for the agent `model`",
            Self::Wrong { hint, .. } => return hint.clone(),
            Self::Full(_) => "wait until one is over, or end one with DELETE /repairs/{id}",
            Self::Unknown(_) => "GET /repairs lists them",
            Self::NotBegun(_) => "try again; the server's log has the cause",
            Self::Run(error) => return error.hint(),
            Self::Bad(_) | Self::Over { .. } | Self::Closing | Self::Machine(_) => return None,
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Closing | Self::NotBegun(_) | Self::Run(_) | Self::Machine(_) => Blame::Testbed,
            _ => Blame::Caller,
        }
    }
}
