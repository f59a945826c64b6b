//! What the holder of an attempt's pass may call, and the record of what it was refused.

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::problem::{Logged, Problem};
use crate::model::Mode;
use crate::session::{Pass, SessionError, Viewer};

/// Refused for what was called, not for how: a misspelt action is a mistake.
const MISTAKES: [&str; 1] = ["unknown_action"];

/// Answers a request of a pass's holder: only what belongs to its attempt is carried out.
pub async fn answer(pass: &Pass, viewer: Viewer, request: Request, next: Next) -> Response {
    let call = format!("{} {}", request.method(), request.uri().path());
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str).unwrap_or_default();
    let response = if belongs(request.method(), path, pass.mode()) {
        viewer.scope(next.run(request)).await
    } else {
        Problem::from(SessionError::NotInAttempt(call.clone())).into_response()
    };
    note(pass, &call, &response);
    pass.answered();
    response
}

/// Whether the sessions' own checks decide about the call. Which session and which mode is theirs; a way to see or change
/// the project besides the mode's actions and observations is refused here.
fn belongs(method: &Method, path: &str, mode: Mode) -> bool {
    match path {
        // A second session is refused as such.
        "/health" | "/mcp" | "/mcp/{mode}" | "/sessions" | "/sessions/{id}/keep-alive" | "/sessions/{id}/usage" => true,
        "/sessions/{id}" => method == Method::GET,
        "/sessions/{id}/screenshot" => mode == Mode::Primitive,
        path => ["act/", "primitive/", "composite/", "observation/"]
            .iter()
            .any(|part| path.strip_prefix("/sessions/{id}/").is_some_and(|rest| rest.starts_with(part))),
    }
}

fn note(pass: &Pass, call: &str, response: &Response) {
    let Some(Logged { code, .. }) = response.extensions().get::<Logged>() else { return };
    let status = response.status();
    let refused = [StatusCode::FORBIDDEN, StatusCode::NOT_FOUND, StatusCode::CONFLICT, StatusCode::GONE];
    if status.is_server_error() {
        pass.troubled(code);
    } else if refused.contains(&status) && !MISTAKES.contains(&code.as_str()) {
        pass.refused(call, code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::routes;

    /// Every route is either part of an attempt or not, and new ones are not by themselves.
    #[test]
    fn an_attempt_is_looking_and_acting_and_nothing_else() {
        let open: Vec<String> = routes::all()
            .iter()
            .filter(|route| belongs(&route.operation.method, &route.operation.path, Mode::Composite))
            .map(|route| format!("{} {}", route.operation.method, route.operation.path))
            .filter(|call| !["/act/", "/primitive", "/composite"].iter().any(|part| call.contains(part)))
            .collect();
        assert_eq!(
            open,
            [
                "GET /health",
                "POST /sessions",
                "GET /sessions",
                "GET /sessions/{id}",
                "POST /sessions/{id}/keep-alive",
                "POST /sessions/{id}/usage"
            ]
        );
        assert!(belongs(&Method::GET, "/sessions/{id}/screenshot", Mode::Primitive));
        assert!(belongs(&Method::GET, "/sessions/{id}/observation/primitive", Mode::Primitive));
    }
}
