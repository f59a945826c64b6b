//! The HTTP API as a client meets it; without a browser, and without a port where `call` is used.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response};
use scratchbed::compile::{BuildError, InitialProjects, ProjectSourceError};
use scratchbed::http::editor::EditorFiles;
use scratchbed::http::{Access, Api, AppState, Problem, app, editor_app};
use scratchbed::mcp::{Backend, routes};
use scratchbed::model::EditorGeneration;
use scratchbed::session::{BrowserPool, Fleet, FleetOptions, SessionOptions, Sessions};
use scratchbed::taskset::{TaskEntry, TaskSet};
use serde_json::Value;
use tower::ServiceExt as _;

use crate::api::refused_bodies::without_browser;
use crate::support::{launch_options, root};

/// For tests that create no session from a task.
#[derive(Debug)]
struct NoProjects;

#[async_trait::async_trait]
impl InitialProjects for NoProjects {
    async fn initial(&self, task: &TaskEntry) -> Result<Vec<u8>, ProjectSourceError> {
        let message = "/a/path nobody should see".to_owned();
        let source = BuildError::Refused { code: "bad_script".to_owned(), message, hint: None };
        Err(ProjectSourceError { task: task.task.id.clone(), source })
    }
}

/// The token with which tests get verdicts.
pub const JUDGE_TOKEN: &str = "0123456789abcdef";

/// An API over these sessions, for callers on this machine.
pub fn api_over(sessions: Sessions) -> Api {
    let address: SocketAddr = "127.0.0.1:0".parse().unwrap();
    api_with(sessions, Access::new(address, None).unwrap().judging(JUDGE_TOKEN).unwrap())
}

/// An API over these sessions, for whom `access` lets in.
pub fn api_with(sessions: Sessions, access: Access) -> Api {
    let tasks = TaskSet::read(root()).unwrap();
    Api::new(sessions, tasks, Arc::new(NoProjects), EditorFiles::of_checkout(root(), EditorGeneration::Current), access)
}

/// Sessions that never get as far as a browser.
pub fn no_browser() -> Sessions {
    let options = FleetOptions { editor_url: String::new(), editor: EditorGeneration::Current, warm: 0 };
    let fleet = Fleet::start(BrowserPool::new(launch_options(), 1), options);
    Sessions::new(fleet, SessionOptions { limit: 0, idle: Duration::from_secs(600) })
}

/// The same with MCP in its sessions.
pub fn with_mcp(api: Api, extended: bool) -> Api {
    let (access, judge) = (api.access.clone(), api.judge.clone());
    let may_judge = Arc::new(move |given: Option<&str>| access.may_judge(given));
    let backend = Backend::new(api.sessions.clone(), api.tasks.clone(), api.projects.clone(), judge, may_judge);
    api.mounting(routes(&Arc::new(backend.extending(extended))))
}

fn api() -> AppState {
    api_over(no_browser()).into()
}

pub async fn call(state: impl Into<AppState>, request: Request<Body>) -> Response<Body> {
    app(state.into()).oneshot(request).await.unwrap()
}

pub fn request(method: &str, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path).header("host", "localhost")
}

pub fn post_json(path: &str, body: impl Into<Body>) -> Request<Body> {
    request("POST", path).header("content-type", "application/json").body(body.into()).unwrap()
}

pub async fn bytes(response: Response<Body>) -> Vec<u8> {
    axum::body::to_bytes(response.into_body(), 64 << 20).await.unwrap().to_vec()
}

/// The problem document of a reply, which must be one in every respect.
pub async fn problem(response: Response<Body>) -> Problem {
    assert_eq!(response.headers()["content-type"], "application/problem+json");
    assert!(response.headers().contains_key("x-request-id"));
    let status = response.status().as_u16();
    let problem: Problem = serde_json::from_slice(&bytes(response).await).unwrap();
    assert_eq!(problem.status, status);
    assert_eq!(problem.kind, format!("urn:scratchbed:problem:{}", problem.code));
    problem
}

async fn refused(request: Request<Body>) -> (u16, String) {
    let problem = problem(call(api(), request).await).await;
    (problem.status, problem.code)
}

fn code(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[tokio::test]
async fn every_kind_of_bad_request_has_its_code() {
    let act = "/sessions/none/act/primitive";
    let empty = Body::empty;
    assert_eq!(refused(request("GET", "/nowhere").body(empty()).unwrap()).await, code(404, "not_found"));
    assert_eq!(refused(request("GET", "/host/nothing.js").body(empty()).unwrap()).await, code(404, "not_found"));
    assert_eq!(refused(request("PATCH", "/sessions").body(empty()).unwrap()).await, code(405, "method_not_allowed"));
    assert_eq!(refused(request("GET", "/sessions/%ff").body(empty()).unwrap()).await, code(400, "bad_request"));
    assert_eq!(refused(post_json(act, "{")).await, code(400, "malformed_json"));
    assert_eq!(refused(post_json(act, &b"\"\xff\""[..])).await, code(400, "bad_utf8"));
    assert_eq!(refused(post_json(act, "{\"api\":\"click\",\"x\":1}")).await, code(422, "invalid_body"));
    assert_eq!(refused(post_json(act, "[]")).await, code(422, "invalid_body"));
    assert_eq!(refused(post_json(act, "{\"api\":\"fly\"}")).await, code(404, "unknown_action"));
    assert_eq!(refused(post_json("/sessions/none/composite/fly", "{}")).await, code(404, "unknown_action"));
    assert_eq!(refused(post_json(act, "{\"api\":\"click\"}")).await, code(404, "unknown_session"));
    assert_eq!(refused(post_json("/sessions", "{\"task\":\"../x\"}")).await, code(422, "invalid_body"));
    assert_eq!(refused(post_json("/sessions", "{\"task\":\"unheard_of\"}")).await, code(404, "unknown_task"));
    assert_eq!(refused(post_json("/sessions", "")).await, code(429, "too_many_sessions"));
}

#[tokio::test]
async fn bodies_are_of_a_known_kind_and_bounded() {
    let put = |kind: &str, body: Vec<u8>| {
        request("PUT", "/sessions/none/project").header("content-type", kind).body(Body::from(body)).unwrap()
    };
    assert_eq!(refused(put("application/json", vec![])).await, code(415, "unsupported_media_type"));
    assert_eq!(refused(put("text/html", vec![])).await, code(415, "unsupported_media_type"));
    let form = request("POST", "/sessions").header("content-type", "application/x-www-form-urlencoded");
    assert_eq!(refused(form.body(Body::from("a=b")).unwrap()).await, code(415, "unsupported_media_type"));
    let unsaid = request("POST", "/sessions").body(Body::from("{}")).unwrap();
    assert_eq!(refused(unsaid).await, code(415, "unsupported_media_type"));
    let too_long = format!("{{\"api\":\"{}\"}}", "x".repeat(2 << 20));
    let act = "/sessions/none/act/primitive";
    assert_eq!(refused(post_json(act, too_long.clone())).await, code(413, "body_too_large"));
    // The same without a declared length.
    let chunks = futures::stream::iter(too_long.into_bytes().chunks(65536).map(<[u8]>::to_vec).collect::<Vec<_>>());
    let stream = Body::from_stream(futures::StreamExt::map(chunks, Ok::<_, std::io::Error>));
    assert_eq!(refused(post_json(act, stream)).await, code(413, "body_too_large"));
    assert_eq!(refused(put("application/octet-stream", vec![0; (64 << 20) + 1])).await, code(413, "body_too_large"));
    assert_eq!(refused(put("application/octet-stream", vec![0; 9])).await, code(404, "unknown_session"));
}

#[tokio::test]
async fn hints_name_what_there_is() {
    let unknown = problem(call(api(), post_json("/sessions/none/primitive/fly", "{}")).await).await;
    assert!(unknown.hint.unwrap().contains("drag_and_drop"));
    let task = problem(call(api(), post_json("/sessions", "{\"task\":\"unheard_of\"}")).await).await;
    assert!(task.hint.unwrap().contains("`GET /tasks` lists all"));
    let hint = problem(call(api(), post_json("/sessions", "{\"task\":\"stuck_fery\"}")).await).await.hint.unwrap();
    assert!(hint.contains("names are stuck_ferry, ") && hint.len() < 160, "{hint}");
    let method = call(api(), request("PUT", "/sessions").body(Body::empty()).unwrap()).await;
    assert!(method.headers()["allow"].to_str().unwrap().contains("POST"));
    assert!(problem(method).await.hint.unwrap().contains("POST"));
    let full = call(api(), post_json("/sessions", "{}")).await;
    assert!(full.headers().contains_key("retry-after"));
}

#[tokio::test]
async fn a_task_that_cannot_be_built_does_not_tell_where_it_lies() {
    let response = call(without_browser(), post_json("/sessions", "{\"task\":\"stuck_ferry\"}")).await;
    let text = String::from_utf8(bytes(response).await).unwrap();
    assert!(text.contains("task_unbuildable") && !text.contains("nobody should see"), "{text}");
}

#[tokio::test]
async fn foreign_names_and_origins_are_refused_on_every_address() {
    for path in ["/sessions", "/editor", "/docs/", "/nowhere"] {
        let rebound = Request::get(path).header("host", "rebound.example").body(Body::empty()).unwrap();
        assert_eq!(refused(rebound).await, code(403, "host_not_allowed"), "{path}");
        let foreign = request("GET", path).header("origin", "http://elsewhere.example").body(Body::empty()).unwrap();
        assert_eq!(refused(foreign).await, code(403, "cross_origin"), "{path}");
    }
}

#[tokio::test]
async fn a_server_for_other_machines_wants_its_token() {
    let token = "0123456789abcdef";
    let state = || api_with(no_browser(), Access::new("0.0.0.0:1".parse().unwrap(), Some(token)).unwrap());
    let ask = |path: &str| Request::get(path).header("host", "testbed.example");
    let without = problem(call(state(), ask("/sessions").body(Body::empty()).unwrap()).await).await;
    assert_eq!((without.status, without.code.as_str()), (401, "token_required"));
    let with = ask("/sessions").header("authorization", format!("Bearer {token}")).body(Body::empty()).unwrap();
    assert_eq!(call(state(), with).await.status(), 200);
    let editor = editor_app(state().into()).oneshot(ask("/editor").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(editor.status(), 200, "the editor is the same for everybody");
}

#[tokio::test]
async fn a_server_that_is_stopping_refuses_every_call() {
    let state = api();
    state.drain().await;
    let refused = call(state, post_json("/sessions", "{}")).await;
    assert_eq!(refused.headers()["connection"], "close");
    assert_eq!(problem(refused).await.code, "shutting_down");
}

#[tokio::test]
async fn tasks_are_listed_without_what_would_give_them_away() {
    let response = call(api(), request("GET", "/tasks").body(Body::empty()).unwrap()).await;
    let text = String::from_utf8(bytes(response).await).unwrap();
    let list: Value = serde_json::from_str(&text).unwrap();
    assert!(list["tasks"].as_array().unwrap().len() >= 4);
    for word in ["golden", "oracle", "evaluation", "second"] {
        assert!(list["tasks"].as_array().unwrap().iter().all(|task| task.get(word).is_none()), "{word}");
    }
    let one = call(api(), request("GET", "/tasks/stuck_ferry").body(Body::empty()).unwrap()).await;
    let one: Value = serde_json::from_slice(&bytes(one).await).unwrap();
    assert_eq!(one["category"], "debug");
    assert!(one["instruction"].as_str().unwrap().len() > 20);
}

#[tokio::test]
async fn the_editor_for_a_person_has_an_origin_of_its_own() {
    let state = api();
    let nowhere = call(state.clone(), request("GET", "/editor").body(Body::empty()).unwrap()).await;
    assert_eq!(problem(nowhere).await.code, "no_editor");
    let state: AppState = Arc::new(api_over(no_browser()).with_editor_at(4321));
    let ask = |host: &str| Request::get("/editor").header("host", host).body(Body::empty()).unwrap();
    for (host, place) in [("localhost:80", "http://localhost:4321/editor"), ("[::1]", "http://[::1]:4321/editor")] {
        let sent_on = call(state.clone(), ask(host)).await;
        assert_eq!((sent_on.status().as_u16(), sent_on.headers()["location"].to_str().unwrap()), (307, place));
    }
    for path in ["/sessions", "/health", "/openapi.json", "/live"] {
        let answer =
            editor_app(state.clone()).oneshot(request("GET", path).body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(answer.status(), 404, "{path} is not of the editor's origin");
    }
    let foreign = request("GET", "/editor").header("origin", "http://elsewhere.example").body(Body::empty()).unwrap();
    assert_eq!(problem(editor_app(state).oneshot(foreign).await.unwrap()).await.code, "cross_origin");
}

#[tokio::test]
async fn a_person_finds_the_editor_and_the_api_page_and_nothing_comes_from_elsewhere() {
    for path in ["/", "/editor", "/docs/", "/docs/swagger-ui-bundle.js", "/docs/swagger-initializer.js"] {
        let app = if path == "/editor" { editor_app(api()) } else { app(api()) };
        let response = app.oneshot(request("GET", path).body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let policy = response.headers()["content-security-policy"].to_str().unwrap();
        let own = policy.starts_with("default-src 'self'") || policy.starts_with("default-src 'none'");
        assert!(own && !policy.contains("http"), "{path}: {policy}");
    }
    let start = call(api(), request("GET", "/docs/swagger-initializer.js").body(Body::empty()).unwrap()).await;
    let text = String::from_utf8(bytes(start).await).unwrap();
    assert!(text.contains("/openapi.json") && text.contains("\"validatorUrl\": \"none\""), "{text}");
}
