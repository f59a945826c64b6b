//! Every error of the API as problem details (RFC 9457), with a stable code.

use axum::Json;
use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compile::ProjectSourceError;
use crate::judge::JudgeError;
use crate::model::{Blame, Coded, with_causes};
use crate::page::PageError;
use crate::session::{AttemptEnd, Over, SessionError, Viewer};
use crate::store::StoreError;
use crate::taskset::TasksetError;

pub const MEDIA_TYPE: &str = "application/problem+json";

/// An error reply. `code` is stable; `detail` and `hint` are for reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// `urn:scratchbed:problem:` followed by the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// The HTTP status in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened.
    pub detail: String,
    /// Stable, machine-readable name of the situation.
    pub code: String,
    /// What to do about it, when that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
    /// Seconds after which the same call may succeed; also in the `Retry-After` header.
    #[serde(skip)]
    retry_after: Option<u32>,
    /// What is logged and never sent.
    #[serde(skip)]
    inward: Option<String>,
}

/// What the log learns of a problem; travels as a response extension.
#[derive(Debug, Clone)]
pub struct Logged {
    pub code: String,
    /// The cause with its internals.
    pub cause: String,
}

impl Problem {
    /// A problem without a hint.
    pub fn new(status: StatusCode, code: impl Into<String>, detail: impl Into<String>) -> Self {
        let code = code.into();
        Self {
            kind: format!("urn:scratchbed:problem:{code}"),
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            code,
            hint: None,
            retry_after: None,
            inward: None,
        }
    }

    /// A fault of ours: the cause is logged, the caller only learns that there is one.
    pub fn internal(cause: impl Into<String>) -> Self {
        let mut problem =
            Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", "the testbed could not do this")
                .hinted("the log has the cause under this reply's x-request-id");
        problem.inward = Some(cause.into());
        problem
    }

    /// The server is stopping.
    pub fn shutting_down() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "shutting_down", "the testbed is shutting down").retry_after(5)
    }

    /// Says what to do about it.
    pub fn hinted(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says when to try again, in seconds.
    pub const fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// A problem from an error, with its hint. Its causes may name files of the server: they are only logged.
    pub fn of(status: StatusCode, error: &impl Coded) -> Self {
        let problem = Self { hint: error.hint(), ..Self::new(status, error.code(), error.to_string()) };
        problem.caused_by(error)
    }

    /// A fault of ours under the error's own code.
    pub(super) fn ours(error: &impl Coded) -> Self {
        let Self { kind, code, .. } = Self::of(StatusCode::INTERNAL_SERVER_ERROR, error);
        Self { kind, code, ..Self::internal(with_causes(error)) }
    }

    fn caused_by(mut self, error: &dyn std::error::Error) -> Self {
        self.inward = Some(with_causes(error));
        self
    }

    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let logged =
            Logged { code: self.code.clone(), cause: self.inward.clone().unwrap_or_else(|| self.detail.clone()) };
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        let mut response = (self.status(), Json(self)).into_response();
        response.headers_mut().extend(headers);
        response.extensions_mut().insert(logged);
        response
    }
}

impl From<SessionError> for Problem {
    fn from(error: SessionError) -> Self {
        let is_bound = Viewer::current().pass.is_some();
        let (status, hint, retry) = match &error {
            SessionError::Unknown(_) => (StatusCode::NOT_FOUND, Some("create one with POST /sessions"), None),
            SessionError::Ended(_) => (StatusCode::GONE, Some("create a new one with POST /sessions"), None),
            SessionError::Expired(_) => {
                (StatusCode::GONE, Some("create a new one; POST /sessions/{id}/keep-alive keeps one that waits"), None)
            }
            SessionError::Guest => (StatusCode::FORBIDDEN, Some("work in the session that you were given"), None),
            SessionError::OtherMode { .. } => (
                StatusCode::FORBIDDEN,
                Some("use the addresses or tools of that mode, which SCRATCHBED_MODE names"),
                None,
            ),
            SessionError::NotInAttempt(_) => {
                (StatusCode::FORBIDDEN, Some("observe and act in the session that you were given"), None)
            }
            SessionError::NotYours(_) => {
                (StatusCode::FORBIDDEN, Some("use the token that created it, or an administrator's"), None)
            }
            SessionError::Busy { retry_after_s } => (
                StatusCode::TOO_MANY_REQUESTS,
                Some("wait for the calls that you have in flight, then call again"),
                Some(*retry_after_s),
            ),
            SessionError::SessionBusy { retry_after_s, .. } => {
                (StatusCode::TOO_MANY_REQUESTS, Some("wait for each answer before the next call"), Some(*retry_after_s))
            }
            SessionError::TooManyStreams { .. } => (
                StatusCode::TOO_MANY_REQUESTS,
                Some("close a stream, or wait for the calls that wait; the other places are for others"),
                Some(5),
            ),
            SessionError::Full { .. } => {
                (StatusCode::TOO_MANY_REQUESTS, Some("delete a session, or wait until one expires"), Some(5))
            }
            SessionError::CallerFull { .. } => (
                StatusCode::TOO_MANY_REQUESTS,
                Some("delete one of your sessions; the other places are for others"),
                Some(5),
            ),
            SessionError::AttemptOver { over: Over::Ended(AttemptEnd::Submitted), .. } | SessionError::LogFull => {
                (StatusCode::CONFLICT, Some("look at it, export it, or create another session"), None)
            }
            // A program that works in an attempt of a run may neither export nor start over.
            SessionError::AttemptOver { over: Over::Ended(_), .. } if is_bound => {
                (StatusCode::CONFLICT, Some("nothing is left to do: end the program"), None)
            }
            SessionError::AttemptOver { .. } if is_bound => {
                (StatusCode::CONFLICT, Some("no more actions are carried out: end the program"), None)
            }
            SessionError::AttemptOver { over: Over::Ended(_), .. } => (
                StatusCode::CONFLICT,
                Some("look at it or export it; POST /sessions/{id}/reset starts the attempt over"),
                None,
            ),
            SessionError::AttemptOver { .. } => (
                StatusCode::CONFLICT,
                Some("`done` still ends it, and looking and exporting go on; POST /sessions/{id}/reset starts it over"),
                None,
            ),
            SessionError::ShuttingDown => return Self::shutting_down(),
            SessionError::Deadline { .. } => {
                (StatusCode::GATEWAY_TIMEOUT, Some("the call was broken off; observe before the next one"), None)
            }
            SessionError::LogBroken | SessionError::DiskFull | SessionError::Log(_) => (
                StatusCode::SERVICE_UNAVAILABLE,
                Some("the operator must make room on the disk; then the session goes on"),
                Some(10),
            ),
            SessionError::NotInTime { .. } => {
                (StatusCode::SERVICE_UNAVAILABLE, Some("call again; use fewer sessions if that lasts"), Some(5))
            }
            SessionError::NotRecovered { .. } => {
                (StatusCode::SERVICE_UNAVAILABLE, Some("the next call tries again"), Some(2))
            }
            SessionError::Project(_) | SessionError::LoadFailed { .. } => {
                (StatusCode::UNPROCESSABLE_ENTITY, Some("the session keeps the project it had"), None)
            }
            SessionError::Page(PageError::Lost(_)) => {
                (StatusCode::SERVICE_UNAVAILABLE, Some("the session goes on in a new page; call again"), Some(2))
            }
            SessionError::Page(PageError::Refused { message, hint, .. }) => {
                let problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, error.code(), message.clone());
                return Self { hint: hint.clone(), ..problem };
            }
            SessionError::Page(
                PageError::Timeout { .. }
                | PageError::Protocol { .. }
                | PageError::EditorNotReady { .. }
                | PageError::LaunchFailed { .. },
            ) => {
                let busy = "the browser did not answer in time";
                return Self::new(StatusCode::SERVICE_UNAVAILABLE, error.code(), busy)
                    .caused_by(&error)
                    .hinted("try again; on a machine with too much to do, use fewer sessions")
                    .retry_after(5);
            }
            SessionError::Page(_) => return Self::ours(&error),
        };
        Self { hint: hint.map(str::to_owned), retry_after: retry, ..Self::of(status, &error) }
    }
}

impl From<JudgeError> for Problem {
    fn from(error: JudgeError) -> Self {
        match &error {
            JudgeError::Project(_) | JudgeError::Unloadable { .. } => {
                Self::of(StatusCode::UNPROCESSABLE_ENTITY, &error).hinted("send an .sb3 file that the editor can load")
            }
            JudgeError::Script(_) => Self::internal(with_causes(&error)),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::ours(&error)
    }
}

impl From<TasksetError> for Problem {
    fn from(error: TasksetError) -> Self {
        match (&error, error.hint()) {
            (TasksetError::UnknownTask { .. }, Some(nearest)) => {
                Self::of(StatusCode::NOT_FOUND, &error).hinted(format!("{nearest}; `GET /tasks` lists all"))
            }
            _ => Self::internal(with_causes(&error)),
        }
    }
}

impl From<ProjectSourceError> for Problem {
    fn from(error: ProjectSourceError) -> Self {
        // Details name files and places in task texts, which belong in the log alone.
        let (status, detail) = match error.blame() {
            Blame::Input => (StatusCode::INTERNAL_SERVER_ERROR, "the task's project can't be built"),
            _ => (StatusCode::SERVICE_UNAVAILABLE, "no editor could build the task's project"),
        };
        Self::new(status, error.code(), detail).caused_by(&error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internals_are_logged_and_never_sent() {
        let problem = Problem::internal("secret path /x");
        assert!(!serde_json::to_string(&problem).unwrap().contains("secret"));
        let response = problem.into_response();
        assert_eq!(response.headers()[CONTENT_TYPE], MEDIA_TYPE);
        assert_eq!(response.extensions().get::<Logged>().unwrap().cause, "secret path /x");
    }

    #[test]
    fn a_full_house_says_when_to_come_back() {
        let response = Problem::from(SessionError::Full { limit: 2 }).into_response();
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        assert!(response.headers().contains_key(RETRY_AFTER));
    }
}
