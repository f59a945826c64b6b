//! The reply to every action: a failed one is a reply too, with status 200.

use std::time::{Instant, SystemTime};

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::state::Scope;
use crate::model::Coded;

/// Why an action failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// One of the reference's codes.
    pub code: &'static str,
    pub message: String,
    /// More, for the log.
    pub details: Option<Value>,
}

impl Failure {
    /// A failure without details.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: None }
    }
}

impl Coded for Failure {
    /// Our own code where the registry refused, else the reference's.
    fn code(&self) -> &str {
        let own = self.details.as_ref().and_then(|details| details.get("code")?.as_str());
        own.unwrap_or(self.code)
    }
}

/// An action with its arguments, as asked for and as carried out.
#[derive(Debug, Clone, Default)]
pub struct Acted {
    pub api: String,
    /// The arguments as asked for.
    pub requested: Map<String, Value>,
    /// The arguments as carried out.
    pub executed: Map<String, Value>,
}

pub fn reply(scope: &Scope, acted: Acted, outcome: Result<Value, Failure>, started: Instant) -> Response {
    let Acted { api, requested, executed } = acted;
    let (success, data, error) = match outcome {
        Ok(data) => (true, data, Value::Null),
        Err(Failure { code, message, details }) => {
            tracing::debug!(code, message, "action failed");
            let mut error = json!({"code": code, "message": message});
            if let Some(details) = details {
                error["details"] = details;
            }
            (false, json!({}), error)
        }
    };
    let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let timestamp = humantime::format_rfc3339_millis(SystemTime::now()).to_string();
    Json(json!({
        "success": success,
        "requested_action": {"api": api, "args": requested},
        "executed_action": {"api": api, "args": executed},
        "data": data,
        "error": error,
        "meta": {"session_id": scope.name(), "timestamp": timestamp, "duration_ms": duration_ms},
    }))
    .into_response()
}
