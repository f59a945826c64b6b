//! The two ways to a server: standard input and output of this process, and streamable HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, Request};
use axum::http::header::RETRY_AFTER;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;

use super::backend::Backend;
use super::connections::{Connections, begins, brief};
use super::server::{MCP_SESSION, NOBODY, Server};
use super::tools::{Offer, Toolbox};
use crate::model::Coded;
use crate::session::{SessionError, Sessions, Viewer};

/// How long a connection of an older protocol is kept without a call. Sessions live on without it.
const KEPT: Duration = Duration::from_secs(600);

/// Bytes of a message; the library's own bound.
const LONGEST: usize = 4 << 20;

/// Why a connection over standard input and output ended early.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// The other side breaks the protocol.
    #[error(transparent)]
    NotOpened(Box<ServerInitializeError>),
    /// The task that serves it failed.
    #[error(transparent)]
    Broken(#[from] tokio::task::JoinError),
}

impl Coded for ConnectionError {
    fn code(&self) -> &'static str {
        "connection_broken"
    }
}

/// Serves one connection over standard input and output, until the other side closes it.
///
/// # Errors
/// When the other side breaks the protocol.
pub async fn serve_stdio(backend: Arc<Backend>, offer: Offer) -> Result<(), ConnectionError> {
    let toolbox = Toolbox::new(offer, backend.structured, backend.extended, backend.desk.is_some());
    let running = match Box::pin(Server::new(backend, toolbox).serve(stdio())).await {
        Ok(running) => running,
        // Connecting and leaving without a message is no error.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ConnectionError::NotOpened(Box::new(error))),
    };
    running.waiting().await?;
    Ok(())
}

type Service = StreamableHttpService<Server, LocalSessionManager>;

/// The services of what can be offered, with the connections to them.
#[derive(Clone)]
struct Services {
    offers: [Service; 3],
    connections: Connections,
    /// Counts the streams that are open.
    sessions: Sessions,
}

#[derive(Debug, Deserialize)]
struct Wanted {
    mode: Option<Offer>,
}

/// `/mcp/{mode}` for `primitive`, `composite` and `both`, and `/mcp` with `?mode=`, primitive by default. Access is
/// checked by the layers around them.
pub fn routes(backend: &Arc<Backend>) -> Router {
    let managers = [manager(), manager(), manager()];
    let connections = Connections::of(managers.to_vec(), backend.sessions.limit());
    let [primitive, composite, both] = managers;
    let offers = [
        service(backend, Offer::Primitive, primitive),
        service(backend, Offer::Composite, composite),
        service(backend, Offer::Both, both),
    ];
    let services = Services { offers, connections, sessions: backend.sessions.clone() };
    let of_path = services.clone();
    let by_path = any(|Path(offer): Path<Offer>, request: Request| async move { of_path.answer(offer, request).await });
    let by_query = any(|Query(wanted): Query<Wanted>, request: Request| async move {
        services.answer(wanted.mode.unwrap_or(Offer::Primitive), request).await
    });
    Router::new().route("/mcp/{mode}", by_path).route("/mcp", by_query)
}

impl Services {
    /// Answers a request on a connection of the caller's own, and lets it begin one if there is room.
    async fn answer(&self, offer: Offer, request: Request) -> Response {
        let Some(service) = self.offers.get(offer as usize) else { return StatusCode::NOT_FOUND.into_response() };
        let viewer = request.extensions().get::<Viewer>().unwrap_or(&NOBODY).clone();
        let kept = request.headers().get(MCP_SESSION).map(|name| name.to_str().map(str::to_owned));
        if let Some(name) = kept {
            return match name {
                Ok(name) if self.connections.belongs(&name, &viewer.owner) => {
                    self.go_on(service, &viewer, name, request).await
                }
                _ => (StatusCode::NOT_FOUND, "Not Found: Session not found").into_response(),
            };
        }
        let (parts, body) = request.into_parts();
        let Ok(message) = axum::body::to_bytes(body, LONGEST).await else {
            return (StatusCode::PAYLOAD_TOO_LARGE, "the message is too long, or broke off").into_response();
        };
        if !begins(&message) {
            return service.handle(Request::from_parts(parts, Body::from(message))).await.map(Body::new);
        }
        let Some(pending) = self.connections.reserve(&viewer.owner).await else {
            return too_many("too many MCP connections: end one with DELETE, or let one be idle for ten minutes");
        };
        let response = service.handle(Request::from_parts(parts, Body::from(brief(message)))).await;
        if let Some(name) = response.headers().get(MCP_SESSION).and_then(|name| name.to_str().ok()) {
            pending.established(name);
        }
        response.map(Body::new)
    }

    /// Answers a request on a connection that its client keeps. GET opens a stream, for which there must be a place.
    async fn go_on(&self, service: &Service, viewer: &Viewer, name: String, request: Request) -> Response {
        let (opens, ends) = (request.method() == Method::GET, request.method() == Method::DELETE);
        let place = match opens.then(|| self.sessions.open_connection(viewer, name)).transpose() {
            Ok(place) => place,
            Err(error) => return too_many_streams(&error),
        };
        let mut response = service.handle(request).await.map(Body::new);
        // The library answers that it will do so; it already has, and the official client accepts only 204.
        if ends && response.status() == StatusCode::ACCEPTED {
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        match place {
            Some(place) => response.map(|body| Body::from_stream(place.hold(body.into_data_stream()))),
            None => response,
        }
    }
}

fn too_many_streams(error: &SessionError) -> Response {
    too_many(&format!("{}: {error}; close one, or have one client fewer", error.code()))
}

fn too_many(message: &str) -> Response {
    (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, "60")], message.to_owned()).into_response()
}

fn manager() -> Arc<LocalSessionManager> {
    let mut manager = LocalSessionManager::default();
    manager.session_config.keep_alive = Some(KEPT);
    Arc::new(manager)
}

fn service(backend: &Arc<Backend>, offer: Offer, manager: Arc<LocalSessionManager>) -> Service {
    let (backend, toolbox) =
        (backend.clone(), Toolbox::new(offer, backend.structured, backend.extended, backend.desk.is_some()));
    // The layers around these routes check `Host` and `Origin` by the server's own rules.
    let config = StreamableHttpServerConfig::default().disable_allowed_hosts();
    StreamableHttpService::new(move || Ok(Server::new(backend.clone(), toolbox.clone())), manager, config)
}
