//! Callers who keep connections, bodies or MCP connections: what there is room for, and what becomes of the rest.

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Request, Response};
use scratchbed::http::{Access, AppState, ServeLimits, serve_with};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::api::routes::{api_with, bytes, call, no_browser, with_mcp};
use crate::api::security::{AGENT, guarded};

/// A server on a port, with short time limits.
struct Server {
    address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<std::io::Result<()>>,
}

impl Server {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let short = Duration::from_millis(400);
        let limits = ServeLimits { head: short, pause: short, body: short, ..ServeLimits::default() };
        let (stop, stopped) = oneshot::channel::<()>();
        let ended = tokio::spawn(serve_with(listener, guarded(), Vec::new(), limits, async {
            let _ = stopped.await;
        }));
        Self { address, stop, ended }
    }

    /// Sends these bytes and returns what comes back until the server closes.
    async fn answer(&self, sent: &[u8]) -> (String, Duration) {
        let mut client = TcpStream::connect(self.address).await.unwrap();
        let started = Instant::now();
        client.write_all(sent).await.unwrap();
        (closed(&mut client).await, started.elapsed())
    }

    async fn stop(self) {
        self.stop.send(()).unwrap();
        self.ended.await.unwrap().unwrap();
    }
}

/// What comes until the server closes, which it must.
async fn closed(client: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(20), client.read_to_end(&mut answer)).await;
    // A connection that was cut while something was on its way is closed too.
    let _ = read.expect("the server closes the connection");
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn who_never_ends_a_request_does_not_keep_a_connection() {
    let server = Server::start().await;
    let head = format!("POST /sessions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {AGENT}\r\n");
    let body = format!("{head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{{\"task\": ");
    let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    for silent in ["", "G", "GET /sessions HTTP/1.1\r\nhost: localhost\r\n", "PRI * HTTP/2.0\r\n", preface] {
        let (answer, took) = server.answer(silent.as_bytes()).await;
        assert!(took < Duration::from_secs(10) && !answer.contains("200 OK"), "{silent:?}: {took:?} {answer}");
    }
    let (answer, _) = server.answer(body.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("body_too_slow"), "{answer}");
    let idle = format!("GET /health HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {AGENT}\r\n\r\n");
    let (answer, took) = server.answer(idle.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 200 ") && took < Duration::from_secs(10), "{took:?} {answer}");
    // Two requests at once, the second of which never ends.
    let (answer, _) = server.answer(format!("{idle}{body}").as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("HTTP/1.1 408 "), "{answer}");
    server.stop().await;
}

#[tokio::test]
async fn nothing_is_read_for_a_session_that_does_not_exist_or_has_no_place() {
    for (method, path, status) in [("PUT", "/sessions/none/project", 404), ("POST", "/sessions", 429)] {
        // A body that never comes: whoever wanted it would wait for ever.
        let never = Body::from_stream(futures::stream::pending::<Result<Vec<u8>, std::io::Error>>());
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        let request = request.header("authorization", format!("Bearer {AGENT}"));
        let request = request.header("content-type", "application/octet-stream").body(never).unwrap();
        let answer = tokio::time::timeout(Duration::from_secs(20), call(guarded(), request)).await.unwrap();
        assert_eq!(answer.status(), status, "{method} {path}");
    }
}

/// Holds a token as [`AGENT`] does, and is another one.
const OTHER: &str = "other-other-other";

fn api() -> AppState {
    let access = Access::new("127.0.0.1:1".parse().unwrap(), Some(AGENT)).unwrap();
    let access = access.admitting(scratchbed::http::Scope::Agent, OTHER).unwrap();
    with_mcp(api_with(no_browser(), access), false).into()
}

async fn message(
    state: &AppState,
    token: &str,
    connection: Option<&str>,
    message: serde_json::Value,
) -> Response<Body> {
    let request =
        Request::post("/mcp/composite").header("host", "localhost").header("content-type", "application/json");
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.header("authorization", format!("Bearer {token}"));
    let request = connection.into_iter().fold(request, |request, name| request.header("mcp-session-id", name));
    call(state.clone(), request.body(Body::from(message.to_string())).unwrap()).await
}

async fn connect(state: &AppState, token: &str) -> Response<Body> {
    let client = json!({"name": "n".repeat(100_000), "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let wanted = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    message(state, token, None, wanted).await
}

fn name(connected: &Response<Body>) -> String {
    connected.headers()["mcp-session-id"].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_mcp_connection_is_its_owners_alone_and_each_owner_has_few() {
    let state = api();
    let list = || json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    let mut mine = Vec::new();
    for _ in 0..4 {
        let connected = connect(&state, AGENT).await;
        assert_eq!(connected.status(), 200);
        mine.push(name(&connected));
    }
    assert_eq!(connect(&state, AGENT).await.status(), 429);
    let theirs = connect(&state, OTHER).await;
    assert_eq!(theirs.status(), 200, "another owner has connections of its own");
    assert_eq!(message(&state, OTHER, Some(&mine[0]), list()).await.status(), 404);
    let end = |token: &str, connection: &str| {
        let request = Request::delete("/mcp/composite").header("host", "localhost");
        let request = request.header("authorization", format!("Bearer {token}"));
        call(state.clone(), request.header("mcp-session-id", connection).body(Body::empty()).unwrap())
    };
    assert_eq!(end(OTHER, &mine[0]).await.status(), 404);
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(message(&state, AGENT, Some(&mine[0]), initialized).await.status(), 202);
    let tools = message(&state, AGENT, Some(&mine[0]), list()).await;
    assert_eq!(tools.status(), 200);
    let text = tokio::time::timeout(Duration::from_secs(20), bytes(tools)).await.unwrap();
    assert!(String::from_utf8(text).unwrap().contains("start_task"));
    assert!(end(AGENT, &mine[0]).await.status().is_success());
    assert_eq!(connect(&state, AGENT).await.status(), 200, "an ended connection gives its place back");
}
