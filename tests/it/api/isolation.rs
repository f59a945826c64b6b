//! Every route and tool has a row in the table of who may, and answers as it says: here where no session is needed, with
//! a session in `browser_isolation`.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use scratchbed::http::{Access, AppState, Scope, app, openapi_document};
use scratchbed::mcp::tools;
use scratchbed::model::{Mode, sha256_hex};
use scratchbed::scratchworld::{self, ScratchWorld, ScratchWorldOptions};
use scratchbed::session::{Sessions, Start};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::api::routes::{api_with, bytes, no_browser, with_mcp};
use crate::api::security::{ADMIN, AGENT, RESEARCHER};
use crate::support::route_table::{CALLERS, Caller, DIALECT, Fate, May, ROUTES, TOOLS, by_name};

/// Holds a token as [`AGENT`] does, and is another one.
const OTHER: &str = "other-other-other";

/// Both dialects and MCP over the same sessions.
pub struct Doors {
    pub state: AppState,
    dialect: Arc<ScratchWorld>,
    /// What calls that bring a project bring.
    pub project: Vec<u8>,
}

impl Doors {
    pub fn over(sessions: Sessions) -> Self {
        let access = Access::new("127.0.0.1:1".parse().unwrap(), Some(AGENT)).unwrap();
        let access = access.admitting(Scope::Agent, OTHER).unwrap();
        let access = access.judging(RESEARCHER).unwrap().admitting(Scope::Admin, ADMIN).unwrap();
        let state = Arc::new(with_mcp(api_with(sessions, access), true));
        let dialect = ScratchWorld::new(state.clone(), ScratchWorldOptions::default());
        Self { state, dialect, project: b"no zip".to_vec() }
    }

    /// Begins a session that belongs to [`Caller::Owner`]; its name.
    pub async fn begin(&self, task: Option<&str>) -> String {
        let owner = Some(sha256_hex(AGENT.as_bytes()));
        let start = Start { owner, task: task.map(str::to_owned), ..Start::default() };
        self.state.sessions.create(start).await.unwrap().id
    }

    /// Calls a route of our own API.
    pub async fn own(&self, caller: Caller, route: &str, id: &str) -> Fate {
        fate(app(self.state.clone()), request(Api::Own, caller, route, id, &self.project)).await
    }

    /// How a route of our own API refuses an action or a project, if it does.
    pub async fn refusal(&self, caller: Caller, route: &str, id: &str) -> Option<(u16, String)> {
        let mut request = request(Api::Own, caller, route, id, &self.project);
        if route.contains("primitive/click") {
            *request.body_mut() = Body::from(json!({"x": 1, "y": 1}).to_string());
        } else if route.contains("/act/") {
            let (api, args) = if route.contains("primitive") {
                ("click", json!({"x": 1, "y": 1}))
            } else {
                ("add_variable", json!({"name": "v", "scope": "all"}))
            };
            *request.body_mut() = Body::from(json!({"api": api, "args": args}).to_string());
        }
        let response = app(self.state.clone()).oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        if status < 400 {
            return None;
        }
        let problem: Value = serde_json::from_slice(&bytes(response).await).unwrap();
        Some((status, problem["code"].as_str().unwrap_or_default().to_owned()))
    }

    /// Calls a route of the reference's dialect.
    pub async fn dialect(&self, caller: Caller, route: &str, id: &str) -> Fate {
        fate(scratchworld::app(Arc::clone(&self.dialect)), request(Api::Dialect, caller, route, id, &self.project))
            .await
    }

    /// Calls a tool on a connection of its own.
    pub async fn tool(&self, caller: Caller, tool: &str, id: &str) -> Fate {
        let (mode, _) = tool.split_once(' ').unwrap();
        let Some(connection) = self.connect(caller, mode).await else { return Fate::TokenRequired };
        let text = self.call_tool(caller, tool, &connection, id).await;
        let end = with_token(Request::delete(format!("/mcp/{mode}")), caller).header("mcp-session-id", connection);
        app(self.state.clone()).oneshot(end.body(Body::empty()).unwrap()).await.unwrap();
        // The reply's text says what went wrong.
        assert!(text.contains("\"result\""), "{tool}: {text}");
        match () {
            () if text.contains("unknown_session") => Fate::NoSession,
            () if text.contains("not_your_session") => Fate::Forbidden,
            () => Fate::Answered,
        }
    }

    /// Begins an MCP connection; `None` where a token is required.
    pub async fn connect(&self, caller: Caller, mode: &str) -> Option<String> {
        let params =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let begun = self.message(caller, mode, None, &begin).await;
        if begun.status() == 401 {
            return None;
        }
        let connection = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.message(caller, mode, Some(&connection), &ready).await;
        Some(connection)
    }

    /// Calls a tool on a connection; the text of the answer.
    pub async fn call_tool(&self, caller: Caller, tool: &str, connection: &str, id: &str) -> String {
        let (mode, name) = tool.split_once(' ').unwrap();
        let arguments = if ["list_tasks", "start_task"].contains(&name) { json!({}) } else { json!({"session": id}) };
        let params = json!({"name": name, "arguments": arguments});
        let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        let text = bytes(self.message(caller, mode, Some(connection), &call).await).await;
        String::from_utf8(text).unwrap()
    }

    async fn message(&self, caller: Caller, mode: &str, connection: Option<&str>, message: &Value) -> Response<Body> {
        let request =
            with_token(Request::post(format!("/mcp/{mode}")), caller).header("content-type", "application/json");
        let request = request.header("accept", "application/json, text/event-stream");
        let request = connection.into_iter().fold(request, |request, name| request.header("mcp-session-id", name));
        let request = request.body(Body::from(message.to_string())).unwrap();
        app(self.state.clone()).oneshot(request).await.unwrap()
    }
}

fn with_token(request: axum::http::request::Builder, caller: Caller) -> axum::http::request::Builder {
    let token = match caller {
        Caller::Nobody => return request.header("host", "localhost"),
        Caller::OtherAgent => OTHER,
        Caller::Owner => AGENT,
        Caller::Researcher => RESEARCHER,
        Caller::Admin => ADMIN,
    };
    request.header("host", "localhost").header("authorization", format!("Bearer {token}"))
}

/// Which API a call is for: some addresses are in both.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Api {
    Own,
    Dialect,
}

/// A call that is well-formed wherever it goes.
fn request(api: Api, caller: Caller, route: &str, id: &str, project: &[u8]) -> Request<Body> {
    let (method, path) = route.split_once(' ').unwrap();
    let of_task = path.starts_with("/tasks");
    let parts = path.split('/').map(|part| match part {
        "{id}" if of_task => "stuck_ferry",
        "{id}" => id,
        part if part.starts_with('{') => "0",
        part => part,
    });
    let path = parts.collect::<Vec<_>>().join("/");
    let is_own = api == Api::Own;
    let query = if is_own { "" } else { "?selector=input&selectors=a::b&project_name=stuck_ferry.sb3&output_name=x" };
    let text = |value: &Value| value.to_string().into_bytes();
    let body = match route {
        _ if method == "GET" || method == "DELETE" => None,
        "PUT /sessions/{id}/project" | "POST /tasks/{id}/verdict" => {
            Some(("application/octet-stream", project.to_vec()))
        }
        _ if path.contains("/act/") => Some(("application/json", text(&json!({"api": "observe"})))),
        _ if is_own || route == "POST /sessions" => Some(("application/json", text(&json!({})))),
        _ => Some((
            "application/json",
            text(&json!({
                "api": "get_blocks_pseudocode", "x": 1, "y": 1, "start_x": 1, "start_y": 1, "end_x": 1, "end_y": 1,
                "direction": "up", "text": "a", "key": "a", "keys": ["a"], "task_name": "stuck_ferry",
            })),
        )),
    };
    let request = with_token(Request::builder().method(method).uri(format!("{path}{query}")), caller);
    match body {
        Some((kind, body)) => request.header("content-type", kind).body(Body::from(body)).unwrap(),
        None => request.body(Body::empty()).unwrap(),
    }
}

async fn fate(app: Router, request: Request<Body>) -> Fate {
    let response = app.oneshot(request).await.unwrap();
    match response.status().as_u16() {
        401 => Fate::TokenRequired,
        403 => Fate::Forbidden,
        404 => {
            let text = String::from_utf8(bytes(response).await).unwrap();
            let gone = text.contains("unknown_session") || text.contains("Session not found");
            if gone { Fate::NoSession } else { Fate::Answered }
        }
        _ => Fate::Answered,
    }
}

#[test]
fn every_route_and_tool_has_its_row() {
    let document = openapi_document();
    let mut described = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        described
            .extend(operations.as_object().unwrap().keys().map(|method| format!("{} {path}", method.to_uppercase())));
    }
    let offered = [Mode::Primitive, Mode::Composite]
        .into_iter()
        .flat_map(|mode| tools(mode, true, true).into_iter().map(move |tool| format!("{mode} {}", tool.name)));
    for (there, rows) in [
        (described, ROUTES),
        (scratchworld::addresses().into_iter().collect(), DIALECT),
        (offered.collect::<BTreeSet<String>>(), TOOLS),
    ] {
        let rows: BTreeSet<String> = by_name(rows).into_keys().map(str::to_owned).collect();
        assert_eq!(there, rows, "the table of tests/it/support/route_table.rs says who may call each of them");
    }
}

#[tokio::test]
async fn who_needs_no_session_is_let_in_or_kept_out_as_the_table_says() {
    let doors = Doors::over(no_browser());
    for (caller, place) in CALLERS.into_iter().zip(0..) {
        for (may, route) in ROUTES.iter().filter(|(may, _)| [May::Caller, May::Researcher].contains(may)) {
            assert_eq!(doors.own(caller, route, "none").await, may.fates()[place], "{route} by {caller:?}");
        }
        for (may, route) in DIALECT.iter().filter(|(may, _)| [May::Caller, May::Researcher].contains(may)) {
            // A verdict on a session that is not there: whoever may have one learns that.
            let answer = doors.dialect(caller, route, "none").await;
            let told = if answer == Fate::NoSession { Fate::Answered } else { answer };
            assert_eq!(told, may.fates()[place], "{route} by {caller:?}");
        }
        for (may, tool) in TOOLS.iter().filter(|(may, _)| *may == May::Caller) {
            assert_eq!(doors.tool(caller, tool, "none").await, may.fates()[place], "{tool} by {caller:?}");
        }
    }
}
