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

/// Tells the pass how a call went. Whether an error voids the attempt is a matter of its code, not of its status: a caller
/// can bring about most statuses.
fn note(pass: &Pass, call: &str, response: &Response) {
    let Some(Logged { code, .. }) = response.extensions().get::<Logged>() else { return };
    let refused = [StatusCode::FORBIDDEN, StatusCode::NOT_FOUND, StatusCode::CONFLICT, StatusCode::GONE];
    pass.failed(code);
    if refused.contains(&response.status()) && !MISTAKES.contains(&code.as_str()) {
        pass.refused(call, code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::routes;
    use crate::model::Coded as _;
    use crate::model::codes::{CODES, voids};
    use crate::session::Passes;
    use crate::session::error_kinds::every_kind;

    /// What voids an attempt after this answer, if anything does.
    fn voided_by(problem: Problem) -> Option<String> {
        let pass = Passes::default().issue(Mode::Composite).pass.clone();
        note(&pass, "POST /sessions/s/composite/add_block", &problem.into_response());
        pass.voided_by()
    }

    /// Whatever the status: 5xx can be had by asking.
    #[test]
    fn an_answer_voids_an_attempt_by_its_code_and_never_by_its_status() {
        for code in CODES.iter().flat_map(|(_, codes)| *codes) {
            for status in [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE, StatusCode::GATEWAY_TIMEOUT]
            {
                let wanted = code.voids.then(|| code.code.to_owned());
                assert_eq!(voided_by(Problem::new(status, code.code, "d")), wanted, "{status}");
            }
        }
        assert_eq!(voided_by(Problem::internal("a panic")), None);
        assert_eq!(voided_by(Problem::shutting_down()).as_deref(), Some("shutting_down"));
        for error in every_kind() {
            let wanted = voids(error.code()).then(|| error.code().to_owned());
            let told = error.to_string();
            assert_eq!(voided_by(error.into()), wanted, "{told}");
        }
    }

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
