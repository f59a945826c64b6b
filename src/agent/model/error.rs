//! Why a model gives no answer.

/// What went wrong between a question and its answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The variable that should hold the key does not.
    #[error("the environment variable {variable} holds no key")]
    NoKey {
        /// Its name.
        variable: String,
    },
    /// The address of the endpoint makes no sense.
    #[error("`{endpoint}` is no address of a model endpoint: {reason}")]
    BadEndpoint {
        /// What was given.
        endpoint: String,
        /// Why.
        reason: String,
    },
    /// The client could not be made.
    #[error("the HTTP client could not be made: {0}")]
    NoClient(String),
    /// The endpoint does not know the key.
    #[error("the endpoint refuses the key (status {status}): {message}")]
    Unauthorized {
        /// The HTTP status.
        status: u16,
        /// What the endpoint says.
        message: String,
    },
    /// The endpoint does not take the request.
    #[error("the endpoint refuses the request (status {status}): {message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What the endpoint says.
        message: String,
    },
    /// The endpoint wants fewer requests, or is in trouble, time and again.
    #[error("the endpoint is too busy or broken (status {status}, {tries} tries): {message}")]
    Busy {
        /// The HTTP status of the last try.
        status: u16,
        /// How many requests were made.
        tries: u32,
        /// What the endpoint says.
        message: String,
    },
    /// No answer came in time.
    #[error("no answer within {seconds} seconds ({tries} tries)")]
    TimedOut {
        /// The time limit of one request.
        seconds: u64,
        /// How many requests were made.
        tries: u32,
    },
    /// No connection, or it broke.
    #[error("the endpoint could not be reached ({tries} tries): {reason}")]
    Unreachable {
        /// How many requests were made.
        tries: u32,
        /// Why.
        reason: String,
    },
    /// The reply is not of the dialect.
    #[error("the endpoint's reply can't be read: {0}")]
    Unreadable(String),
    /// The model said nothing.
    #[error("the model's answer is empty")]
    Empty,
}

impl ModelError {
    /// Stable, machine-readable name of the situation.
    #[must_use]
    pub const fn code(&self) -> &'static str {
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
        }
    }

    /// What to do about it, when that is known.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
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
            Self::NoClient(_) | Self::Empty => return None,
        };
        Some(hint.to_owned())
    }

    /// Whether the user's arguments are to blame, rather than the way to the endpoint.
    #[must_use]
    pub const fn is_input(&self) -> bool {
        matches!(self, Self::NoKey { .. } | Self::BadEndpoint { .. } | Self::Unauthorized { .. } | Self::Refused { .. })
    }
}
