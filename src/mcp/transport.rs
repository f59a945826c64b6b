//! The two ways to a server: standard input and output of this process, and streamable HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rmcp::ServiceExt as _;
use rmcp::transport::stdio;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;

use super::bench::Bench;
use super::server::Server;
use crate::model::Mode;

/// How long a connection of an older protocol is kept without a call: models think for a while.
const KEPT: Duration = Duration::from_secs(3600);

/// Serves one connection over standard input and output, until the other side closes it.
///
/// # Errors
/// When the other side breaks the protocol, in words.
pub async fn serve_stdio(bench: Arc<Bench>, mode: Mode) -> Result<(), String> {
    let running = match Box::pin(Server::new(bench, mode).serve(stdio())).await {
        Ok(running) => running,
        // Whoever connects and leaves without a word has done nothing wrong.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    running.waiting().await.map(drop).map_err(|error| error.to_string())
}

type Service = StreamableHttpService<Server, LocalSessionManager>;

/// The mode in a query.
#[derive(Debug, Deserialize)]
struct Wanted {
    mode: Option<Mode>,
}

/// `/mcp/{mode}`, and `/mcp` with `?mode=`, primitive unless said otherwise. Who may call is checked around them.
pub fn routes(bench: &Arc<Bench>) -> Router {
    let services = [Mode::Primitive, Mode::Composite].map(|mode| service(bench, mode));
    let of_path = services.clone();
    let by_path = any(|Path(mode): Path<Mode>, request: Request| async move { answer(&of_path, mode, request).await });
    let by_query = any(|Query(wanted): Query<Wanted>, request: Request| async move {
        answer(&services, wanted.mode.unwrap_or(Mode::Primitive), request).await
    });
    Router::new().route("/mcp/{mode}", by_path).route("/mcp", by_query)
}

async fn answer(services: &[Service; 2], mode: Mode, request: Request) -> Response {
    let Some(service) = services.get(mode as usize) else { return StatusCode::NOT_FOUND.into_response() };
    service.handle(request).await.map(Body::new)
}

fn service(bench: &Arc<Bench>, mode: Mode) -> Service {
    let bench = bench.clone();
    let mut manager = LocalSessionManager::default();
    manager.session_config.keep_alive = Some(KEPT);
    // The layers around these routes check `Host` and `Origin` by the server's own rules.
    let config = StreamableHttpServerConfig::default().disable_allowed_hosts();
    StreamableHttpService::new(move || Ok(Server::new(bench.clone(), mode)), Arc::new(manager), config)
}
