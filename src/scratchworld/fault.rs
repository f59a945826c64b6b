//! Errors in the reference server's format: a status and bare text, or a list of faulty parameters.

use axum::Json;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::http::Problem;
use crate::session::SessionError;
use crate::taskset::TasksetError;

/// Why a call gets no answer.
#[derive(Debug)]
pub enum Fault {
    /// Parameters that are missing or do not fit: status 422.
    Invalid(Vec<Value>),
    /// An error that our own API has too: its status, and its message without structure.
    Problem(Problem),
}

impl Fault {
    /// A situation with its status.
    pub fn new(status: StatusCode, code: &str, text: impl Into<String>) -> Self {
        Self::Problem(Problem::new(status, code, text))
    }

    /// A route that the reference has and that is not offered here.
    pub fn gone(text: &str) -> Self {
        Self::new(StatusCode::GONE, "not_offered", text)
    }

    /// A session that does not exist (any more), in the reference's words, quotation marks included.
    pub fn no_session(id: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "unknown_session", format!("'Session not found: {id}'"))
    }

    /// An error of a session, under the name that the caller gave.
    pub fn of_session(id: &str, error: SessionError) -> Self {
        match error {
            SessionError::Unknown(_) | SessionError::Ended(_) => Self::no_session(id),
            error => Self::Problem(error.into()),
        }
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        match self {
            Self::Invalid(faults) => {
                (StatusCode::UNPROCESSABLE_ENTITY, Json(json!({"detail": faults}))).into_response()
            }
            Self::Problem(problem) => {
                let text = match &problem.hint {
                    Some(hint) => format!("{} ({hint})", problem.detail),
                    None => problem.detail.clone(),
                };
                // What is logged, and `Retry-After`, stay the same.
                let (mut parts, _) = problem.into_response().into_parts();
                parts.headers.remove(CONTENT_TYPE);
                parts.headers.remove(CONTENT_LENGTH);
                Response::from_parts(parts, Body::from(text))
            }
        }
    }
}

impl From<Problem> for Fault {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<TasksetError> for Fault {
    fn from(error: TasksetError) -> Self {
        Self::Problem(error.into())
    }
}
