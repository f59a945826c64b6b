//! A call whose body or address is wrong is refused before a page is taken for it. Here no page can be had, so that every other call
//! fails.

use std::path::PathBuf;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use scratchbed::http::AppState;
use scratchbed::model::EditorGeneration;
use scratchbed::page::LaunchOptions;
use scratchbed::scratchworld::{self, ScratchWorld, ScratchWorldOptions};
use scratchbed::session::{BrowserPool, Fleet, FleetOptions, SessionOptions, Sessions};
use serde_json::json;
use tower::ServiceExt as _;

use crate::api::routes::{api_over, bytes, call, post_json, problem, request};
use crate::support::launch_options;

/// A server with a place for a session, on a machine without a browser.
pub fn without_browser() -> AppState {
    let launch = LaunchOptions { chromium: Some(PathBuf::from("/nowhere/chromium")), ..launch_options() };
    let options = FleetOptions { editor_url: String::new(), editor: EditorGeneration::Current, warm: 0 };
    let fleet = Fleet::start(BrowserPool::new(launch, 1), options);
    api_over(Sessions::new(fleet, SessionOptions { limit: 1, idle: Duration::from_secs(600) })).into()
}

fn project(body: &'static [u8]) -> Request<Body> {
    request("POST", "/sessions").header("content-type", "application/octet-stream").body(Body::from(body)).unwrap()
}

#[tokio::test]
async fn a_broken_creation_is_refused_where_no_page_can_be_had() {
    let state = without_browser();
    for (broken, status, code) in [
        (project(b"142 letters of nonsense"), 422, "broken_archive"),
        (project(b""), 422, "broken_archive"),
        (post_json("/sessions", "{"), 400, "malformed_json"),
        (post_json("/sessions", r#"{"lease_s": 0}"#), 422, "invalid_body"),
        (post_json("/sessions", r#"{"task": "unheard_of"}"#), 404, "unknown_task"),
    ] {
        let refused = problem(call(state.clone(), broken).await).await;
        assert_eq!((refused.status, refused.code.as_str()), (status, code));
    }
    let right = call(state.clone(), post_json("/sessions", "{}")).await;
    assert!(right.status().is_server_error(), "no page can be had: {}", right.status());
    assert_eq!(state.sessions.count().await, 0);
}

#[tokio::test]
async fn the_dialect_makes_no_session_for_what_is_not_there() {
    let options = ScratchWorldOptions { evaluate: true, ..ScratchWorldOptions::default() };
    let dialect = ScratchWorld::new(without_browser(), options);
    let missing = json!({"task_name": "unheard_of", "evaluation_method": "browser"}).to_string();
    for (asked, said) in [
        (
            request("POST", "/load_project?project_name=unheard_of.sb3").body(Body::empty()).unwrap(),
            "Project not found",
        ),
        (post_json("/evaluate", missing), "Evaluation script not found"),
    ] {
        let at = asked.uri().to_string();
        let refused = scratchworld::app(dialect.clone()).oneshot(asked).await.unwrap();
        let text = String::from_utf8(bytes(refused).await).unwrap();
        assert!(text.contains(said), "{at}: {text}");
    }
}
