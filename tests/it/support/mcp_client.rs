//! A client of MCP, in the plainest words of the protocol, over one connection.

use axum::body::Body;
use reqwest::Client;
use scratchbed::http::AppState;
use scratchbed::model::Mode;
use serde_json::{Value, json};

use crate::api::routes::{bytes, call, request};

const CONNECTION: &str = "mcp-session-id";
const ACCEPTED: &str = "application/json, text/event-stream";

/// Where a client's messages go.
pub enum McpServer {
    /// To the API itself, without a port.
    App(AppState),
    /// To the server at this address.
    At(Client, String),
}

/// A client whose connection is open.
pub struct McpClient {
    server: McpServer,
    path: String,
    connection: Option<String>,
}

impl McpClient {
    /// Opens a connection in an action mode.
    pub async fn connect(server: McpServer, mode: Mode) -> Self {
        let mut client = Self { server, path: format!("/mcp/{mode}"), connection: None };
        let info = json!({"name": "test", "version": "0"});
        let hello = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": info});
        client.ask("initialize", hello).await;
        client
    }

    /// The result of a request, which must have one.
    pub async fn ask(&mut self, method: &str, params: Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let (connection, text) = self.send(&message).await;
        self.connection = connection.or_else(|| self.connection.take());
        result_in(&text).unwrap_or_else(|| panic!("{method}: {text}"))
    }

    /// The result of a tool, which must not be an error.
    pub async fn tool(&mut self, name: &str, arguments: Value) -> Value {
        let result = self.ask("tools/call", json!({"name": name, "arguments": arguments})).await;
        assert_ne!(result["isError"], true, "{name}: {result:#}");
        result
    }

    /// Sends a message, and returns the connection that the reply names and the reply's text.
    async fn send(&self, message: &Value) -> (Option<String>, String) {
        let (headers, text) = match &self.server {
            McpServer::App(state) => {
                let asked = request("POST", &self.path).header("content-type", "application/json");
                let asked = asked.header("accept", ACCEPTED);
                let asked = self.connection.iter().fold(asked, |asked, id| asked.header(CONNECTION, id));
                let reply = call(state.clone(), asked.body(Body::from(message.to_string())).unwrap()).await;
                (reply.headers().clone(), String::from_utf8(bytes(reply).await).unwrap())
            }
            McpServer::At(http, address) => {
                let asked = http.post(format!("{address}{}", self.path)).header("accept", ACCEPTED).json(message);
                let asked = self.connection.iter().fold(asked, |asked, id| asked.header(CONNECTION, id));
                let reply = asked.send().await.unwrap();
                (reply.headers().clone(), reply.text().await.unwrap())
            }
        };
        (headers.get(CONNECTION).map(|id| id.to_str().unwrap().to_owned()), text)
    }
}

/// The result in a reply, which is a document or a stream of events.
pub fn result_in(text: &str) -> Option<Value> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
    let mut told = data.chain([text.trim()]).filter_map(|line| serde_json::from_str::<Value>(line).ok());
    told.find(|one| one["result"].is_object()).map(|one| one["result"].clone())
}
