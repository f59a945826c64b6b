//! Who may not create anything, or for whom there is no place, has nothing read and nothing made.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response};
use scratchbed::http::{Access, AppState, Scope, app};
use scratchbed::model::{Mode, sha256_hex};
use scratchbed::scratchworld::{self, ScratchWorld, ScratchWorldOptions};
use scratchbed::session::{IssuedPass, Passes};
use tower::ServiceExt as _;

use crate::api::routes::{api_with, bytes, call, no_browser, post_json, problem};

/// Opens the session of one trial.
const TRIAL: &str = "trial-trial-trial";

/// A server with a token for a trial, and the token of an attempt.
fn server() -> (AppState, IssuedPass) {
    let access = Access::new("127.0.0.1:1".parse().unwrap(), None).unwrap();
    let access = access.admitting_digest(Scope::Guest, sha256_hex(TRIAL.as_bytes()), None).unwrap();
    let passes = Passes::default();
    let issued = passes.issue(Mode::Composite);
    (api_with(no_browser(), access.admitting_passes(passes)).into(), issued)
}

/// A creation with a body that never comes: whoever wanted it would wait for ever.
fn creation(address: &str, token: &str, content: &str) -> Request<Body> {
    let never = Body::from_stream(futures::stream::pending::<Result<Vec<u8>, std::io::Error>>());
    let request = Request::post(address).header("host", "localhost").header("content-type", content);
    request.header("authorization", format!("Bearer {token}")).body(never).unwrap()
}

async fn in_time(answer: impl Future<Output = Response<Body>>) -> Response<Body> {
    tokio::time::timeout(Duration::from_secs(20), answer).await.unwrap()
}

#[tokio::test]
async fn nothing_is_read_of_a_caller_that_works_in_the_session_it_was_given() {
    let (state, attempt) = server();
    let dialect = ScratchWorld::new(state.clone(), ScratchWorldOptions::default());
    for token in [TRIAL, attempt.token.as_str()] {
        for content in ["application/json", "application/octet-stream", "text/plain"] {
            let asked = creation("/sessions?nonsense=1", token, content);
            let refused = problem(in_time(async { app(state.clone()).oneshot(asked).await.unwrap() }).await).await;
            assert_eq!((refused.status, refused.code.as_str()), (403, "one_session_only"), "{content}");
        }
    }
    let asked = creation("/sessions?nonsense=1", TRIAL, "application/json");
    let refused = in_time(async { scratchworld::app(Arc::clone(&dialect)).oneshot(asked).await.unwrap() }).await;
    assert_eq!(refused.status(), 403);
    let text = String::from_utf8(bytes(refused).await).unwrap();
    assert!(text.contains("this token opens one session"), "{text}");
}

/// The projects of these servers can't be built, so whoever built one would say so.
#[tokio::test]
async fn no_project_is_built_where_there_is_no_place_for_its_session() {
    let access = Access::new("127.0.0.1:1".parse().unwrap(), None).unwrap();
    let refused = call(api_with(no_browser(), access), post_json("/sessions", r#"{"task": "stuck_ferry"}"#)).await;
    assert_eq!(problem(refused).await.code, "too_many_sessions");
}

#[tokio::test]
async fn what_an_agent_used_is_not_read_for_a_session_that_is_not_there() {
    let (state, _) = server();
    let asked = creation("/sessions/none/usage", TRIAL, "application/json");
    let refused = in_time(async { app(state).oneshot(asked).await.unwrap() }).await;
    assert_eq!(problem(refused).await.code, "unknown_session");
}
