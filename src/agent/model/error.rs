//! Why a model gives no answer.

use super::meter::NotAdmitted;
use crate::model::{Blame, Coded};

/// What went wrong between a question and its answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The variable that should hold the key does not.
    #[error("the environment variable {variable} holds no key")]
    NoKey { variable: String },
    /// The address of the endpoint makes no sense.
    #[error("`{endpoint}` is no address of a model endpoint: {reason}")]
    BadEndpoint { endpoint: String, reason: String },
    /// The client could not be made.
    #[error("the HTTP client could not be made: {0}")]
    NoClient(String),
    /// The endpoint does not know the key.
    #[error("the endpoint refuses the key (status {status}): {message}")]
    Unauthorized { status: u16, message: String },
    /// The endpoint does not take the request.
    #[error("the endpoint refuses the request (status {status}): {message}")]
    Refused { status: u16, message: String },
    /// The endpoint refuses for its rate limit, or fails, again and again.
    #[error("the endpoint is too busy or broken (status {status}, {tries} tries): {message}")]
    Busy {
        /// The HTTP status of the last try.
        status: u16,
        tries: u32,
        message: String,
    },
    /// No answer came in time.
    #[error("no answer within {seconds} seconds ({tries} tries)")]
    TimedOut {
        /// The time limit of one request.
        seconds: u64,
        tries: u32,
    },
    /// No connection, or it broke.
    #[error("the endpoint could not be reached ({tries} tries): {reason}")]
    Unreachable { tries: u32, reason: String },
    /// The reply is not of the dialect.
    #[error("the endpoint's reply can't be read: {0}")]
    Unreadable(String),
    /// The answer is empty.
    #[error("the model's answer is empty")]
    Empty,
    /// A run is played again, and there was no such request in it.
    #[error("the recorded run has no answer to this request ({request})")]
    NotRecorded { request: String },
    /// What may be spent is spent: nothing was asked.
    #[error("{0}")]
    BudgetExhausted(String),
    /// The attempt has used what one attempt may: nothing was asked.
    #[error("{0}")]
    CapReached(String),
    /// The answer could not be kept, and is not used for that.
    #[error("the answer can't be kept: {0}")]
    NotKept(String),
}

impl From<NotAdmitted> for ModelError {
    fn from(refused: NotAdmitted) -> Self {
        match refused {
            NotAdmitted::Spent(reason) => Self::CapReached(reason),
            NotAdmitted::Owed(reason) => Self::BudgetExhausted(reason),
        }
    }
}

/// The code of a run, or a request, that has nothing left to spend.
pub const BUDGET_EXHAUSTED: &str = "budget_exhausted";

/// What providers say of a conversation that is longer than their model takes.
const TOO_LONG: [&str; 6] = [
    "context length",
    "context_length",
    "context window",
    "maximum context",
    "prompt is too long",
    "exceeds the maximum number of tokens",
];

impl ModelError {
    /// How many requests it took, as far as it tells.
    pub const fn tries(&self) -> u32 {
        match self {
            Self::Busy { tries, .. } | Self::TimedOut { tries, .. } | Self::Unreachable { tries, .. } => *tries,
            Self::NotRecorded { .. } | Self::NotKept(_) | Self::BudgetExhausted(_) | Self::CapReached(_) => 0,
            _ => 1,
        }
    }

    /// Whether the conversation was too long for the model.
    pub fn is_context(&self) -> bool {
        let Self::Refused { message, .. } = self else { return false };
        let message = message.to_lowercase();
        TOO_LONG.iter().any(|words| message.contains(words))
    }
}

impl Coded for ModelError {
    fn code(&self) -> &str {
        match self {
            Self::NoKey { .. } => "model_key_missing",
            Self::BadEndpoint { .. } => "model_endpoint_invalid",
            Self::NoClient(_) => "model_client_failed",
            Self::Unauthorized { .. } => "model_key_refused",
            Self::Refused { .. } => "model_request_refused",
            Self::Busy { .. } => "model_busy",
            Self::TimedOut { .. } => "model_timed_out",
            Self::Unreachable { .. } => "model_unreachable",
            Self::Unreadable(_) => "model_reply_unreadable",
            Self::Empty => "model_answer_empty",
            Self::NotRecorded { .. } => "answer_not_recorded",
            Self::BudgetExhausted(_) => BUDGET_EXHAUSTED,
            Self::CapReached(_) => "attempt_cap_reached",
            Self::NotKept(_) => "answer_not_kept",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoKey { variable } => {
                return Some(format!("set {variable}, or name another variable; endpoints without keys need none"));
            }
            Self::BadEndpoint { .. } => "give the base address, such as http://localhost:8000/v1",
            Self::Unauthorized { .. } => "is it the key of this endpoint?",
            Self::Refused { .. } => "does the endpoint have a model of this name?",
            Self::Busy { .. } => "try again later; what is done is kept",
            Self::TimedOut { .. } => "allow more time, or ask for less at once",
            Self::Unreachable { .. } => "is it running, and is the address right?",
            Self::Unreadable(_) => "does the address speak this dialect? It usually ends in /v1",
            Self::NotRecorded { .. } => "run it with the version, tasks and options of the recorded run",
            Self::CapReached(_) => "one attempt may use more if its limits say so; that is another arm",
            Self::BudgetExhausted(_) => "allow more, with --max-usd or --max-run-tokens",
            Self::NoClient(_) | Self::Empty | Self::NotKept(_) => return None,
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        match self {
            Self::NoKey { .. }
            | Self::BadEndpoint { .. }
            | Self::Unauthorized { .. }
            | Self::Refused { .. }
            | Self::BudgetExhausted(_)
            | Self::CapReached(_) => Blame::Input,
            _ => Blame::Testbed,
        }
    }
}
