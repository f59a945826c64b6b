//! Whoever keeps connections and streams open takes no place from the others: what gives way, and what is refused.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use axum::body::Body;
use axum::http::Response;
use scratchbed::http::{Access, AppState, ConnectionLimits, Scope, ServeLimits, serve_with};
use scratchbed::ledger::Ledger;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::api::routes::{api_with, bytes, call, no_browser, problem, request, with_mcp};
use crate::api::security::{AGENT, RESEARCHER, guarded};
use crate::server::browser_experiments_page::fill;

/// How long what must come may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// Another researcher's token.
const COLLEAGUE: &str = "other-judge-other-judge";

/// A server on a port, with the usual time limits and few places.
struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<std::io::Result<()>>,
}

impl Server {
    async fn start(total: usize, per_address: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let limits = ServeLimits { connections: ConnectionLimits { total, per_address }, ..ServeLimits::default() };
        let (stop, stopped) = oneshot::channel::<()>();
        let ended = tokio::spawn(serve_with(listener, guarded(), Vec::new(), limits, async {
            let _ = stopped.await;
        }));
        Self { address, stop, ended }
    }

    /// A connection from one of this machine's own addresses.
    async fn connect(&self, from: [u8; 4]) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((from, 0))).unwrap();
        socket.connect(self.address).await.unwrap()
    }

    /// Asks for the health over a new connection, which stays open, and returns that connection.
    async fn asked(&self, from: [u8; 4]) -> TcpStream {
        let mut client = self.connect(from).await;
        ask(&mut client).await;
        client
    }

    async fn stop(self) {
        self.stop.send(()).unwrap();
        self.ended.await.unwrap().unwrap();
    }
}

/// A call, which must be answered.
async fn ask(client: &mut TcpStream) {
    let sent = format!("GET /health HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {AGENT}\r\n\r\n");
    client.write_all(sent.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"}") {
        let read = tokio::time::timeout(PATIENCE, client.read_buf(&mut answer)).await.expect("it is answered");
        assert_ne!(read.unwrap(), 0, "closed: {}", String::from_utf8_lossy(&answer));
    }
    assert!(answer.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&answer));
}

/// Waits until the server closes a connection, which it must.
async fn closed(client: &mut TcpStream) {
    let read = tokio::time::timeout(PATIENCE, client.read_to_end(&mut Vec::new())).await;
    // A connection that was cut is closed too.
    let _ = read.expect("the server closes the connection");
}

#[tokio::test]
async fn silent_connections_from_two_addresses_keep_nobody_out() {
    let server = Server::start(16, 8).await;
    let mut silent = Vec::new();
    for address in [[127, 0, 0, 2], [127, 0, 0, 3]] {
        for _ in 0..20 {
            silent.push(server.connect(address).await);
        }
    }
    let mut kept = server.asked([127, 0, 0, 1]).await;
    closed(&mut silent[0]).await;
    // Silent ones that come later do not take the place of who has called.
    for _ in 0..20 {
        silent.push(server.connect([127, 0, 0, 1]).await);
    }
    ask(&mut kept).await;
    server.stop().await;
}

#[tokio::test]
async fn the_connection_that_was_idle_for_longest_gives_way() {
    let server = Server::start(3, 2).await;
    let (mut first, mut second) = (server.asked([127, 0, 0, 1]).await, server.asked([127, 0, 0, 1]).await);
    let mut third = server.asked([127, 0, 0, 1]).await;
    closed(&mut first).await;
    ask(&mut second).await;
    let _elsewhere = server.asked([127, 0, 0, 2]).await;
    let _fourth = server.asked([127, 0, 0, 1]).await;
    closed(&mut third).await;
    server.stop().await;
}

/// The reply to a stream of an experiment.
async fn stream(state: &AppState, token: &str) -> Response<Body> {
    let asked = request("GET", "/experiments/table-1/events").header("authorization", format!("Bearer {token}"));
    call(state.clone(), asked.body(Body::empty()).unwrap()).await
}

async fn with_experiment(folder: &Path) -> AppState {
    let ledger = Ledger::open(&folder.join("ledger.sqlite")).await.unwrap();
    fill(&ledger).await;
    let access = Access::new("127.0.0.1:0".parse().unwrap(), Some(AGENT)).unwrap().judging(RESEARCHER).unwrap();
    let access = access.admitting(Scope::Researcher, COLLEAGUE).unwrap();
    api_with(no_browser(), access).showing_experiments(ledger).into()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_caller_has_four_streams_of_an_experiment_and_each_gives_its_place_back() {
    let folder = tempfile::tempdir().unwrap();
    let state = with_experiment(folder.path()).await;
    let mut open = Vec::new();
    for _ in 0..4 {
        let opened = stream(&state, RESEARCHER).await;
        assert_eq!(opened.status(), 200);
        open.push(opened);
    }
    let refused = stream(&state, RESEARCHER).await;
    assert!(refused.headers().contains_key("retry-after"));
    let refused = problem(refused).await;
    assert_eq!((refused.status, refused.code.as_str()), (429, "too_many_streams"));
    assert!(refused.hint.is_some());
    assert_eq!(stream(&state, COLLEAGUE).await.status(), 200, "others have places of their own");
    drop(open.pop());
    assert_eq!(stream(&state, RESEARCHER).await.status(), 200);
}

/// A request of an MCP client, over a connection that it keeps if it names one.
async fn mcp(state: &AppState, method: &str, connection: Option<&str>, message: Option<Value>) -> Response<Body> {
    let asked = request(method, "/mcp/composite").header("authorization", format!("Bearer {AGENT}"));
    let asked = asked.header("accept", "application/json, text/event-stream");
    let asked = asked.header("content-type", "application/json");
    let asked = connection.into_iter().fold(asked, |asked, name| asked.header("mcp-session-id", name));
    let body = message.map_or_else(Body::empty, |message| Body::from(message.to_string()));
    call(state.clone(), asked.body(body).unwrap()).await
}

/// Begins a connection; its name.
async fn mcp_connection(state: &AppState) -> String {
    let client = json!({"name": "t", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let name = mcp(state, "POST", None, Some(begin)).await.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(mcp(state, "POST", Some(&name), Some(ready)).await.status(), 202);
    name
}

#[tokio::test]
async fn the_streams_of_mcp_connections_are_bounded_too() {
    let access = Access::new("127.0.0.1:1".parse().unwrap(), Some(AGENT)).unwrap();
    let state: AppState = with_mcp(api_with(no_browser(), access), false).into();
    let mut open = Vec::new();
    for _ in 0..2 {
        let name = mcp_connection(&state).await;
        for _ in 0..4 {
            let opened = mcp(&state, "GET", Some(&name), None).await;
            assert_eq!(opened.status(), 200);
            open.push(opened);
        }
        let refused = mcp(&state, "GET", Some(&name), None).await;
        assert_eq!(refused.status(), 429);
        assert!(String::from_utf8(bytes(refused).await).unwrap().starts_with("too_many_streams: "));
    }
    let third = mcp_connection(&state).await;
    assert_eq!(mcp(&state, "GET", Some(&third), None).await.status(), 429, "eight of one caller");
    drop(open);
    assert_eq!(mcp(&state, "GET", Some(&third), None).await.status(), 200);
}
