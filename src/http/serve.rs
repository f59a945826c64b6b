//! Listening, time limits on requests, and an orderly shutdown.

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum_server::Handle;
use hyper_util::rt::TokioTimer;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tower_http::timeout::{RequestBodyDeadlineLayer, RequestBodyTimeoutLayer};

use super::app::app;
use super::layers::connection_limit::{Admission, MakeConnection, relieve_when_files_are_few};
use super::layers::connection_places::{ConnectionLimits, Places};
use super::state::AppState;
use crate::files::most_open_files;

/// How long connections may take to close once all calls are answered.
pub const CLOSE_LIMIT: Duration = Duration::from_secs(2);

/// File descriptors that suffice for the usual limits on connections and sessions.
const ENOUGH_DESCRIPTORS: u64 = 1024;

/// Time limits on requests, and how many connections there may be. Without them a caller that sends a byte now and then
/// would keep a connection for ever.
#[derive(Debug, Clone, Copy)]
pub struct ServeLimits {
    /// From the end of one request, or from connecting, to the end of the next one's head.
    pub head: Duration,
    /// Between two parts of a body.
    pub pause: Duration,
    pub body: Duration,
    pub connections: ConnectionLimits,
}

impl Default for ServeLimits {
    /// A minute for a head, which leaves pooled connections of clients alone; enough for 64 MiB over a slow line.
    fn default() -> Self {
        let (head, pause, body) = (Duration::from_secs(60), Duration::from_secs(20), Duration::from_secs(180));
        Self { head, pause, body, connections: ConnectionLimits::default() }
    }
}

/// Serves until `stop` is done. Then new calls are answered 503, those in flight finish within
/// [`super::state::GRACE`], sessions and browsers end, and only then the listener closes.
///
/// # Errors
/// When the listener fails.
pub async fn serve(listener: TcpListener, state: AppState, stop: impl Future<Output = ()>) -> std::io::Result<()> {
    serve_with(listener, state, Vec::new(), ServeLimits::default(), stop).await
}

/// A listener with the application behind it.
pub type Served = (TcpListener, Router);

/// The same with further applications over the same state, each on a listener of its own.
///
/// # Errors
/// When one of the listeners fails; all of them then close.
pub async fn serve_with(
    listener: TcpListener,
    state: AppState,
    more: Vec<Served>,
    limits: ServeLimits,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    warn_of_few_descriptors();
    let handle = Handle::new();
    let places = Places::new(limits.connections);
    let mut servers = JoinSet::new();
    for (listener, app) in std::iter::once((listener, app(state.clone()))).chain(more) {
        servers.spawn(listen(listener, app, limits, places.clone(), handle.clone())?);
    }
    tokio::select! {
        () = stop => {}
        Some(ended) = servers.join_next() => return ended.unwrap_or_else(|error| Err(std::io::Error::other(error))),
    }
    state.drain().await;
    // What is left then are idle connections of clients that do not close them.
    handle.graceful_shutdown(Some(CLOSE_LIMIT));
    while servers.join_next().await.is_some() {}
    Ok(())
}

/// Each connection, session and browser takes file descriptors; where there are few, connections have to give way early.
fn warn_of_few_descriptors() {
    if let Some(most) = most_open_files().filter(|most| *most < ENOUGH_DESCRIPTORS) {
        tracing::warn!(
            most,
            "few files may be open, so connections give way early; `ulimit -n {ENOUGH_DESCRIPTORS}` is enough"
        );
    }
}

/// One listener with its application.
///
/// # Errors
/// When the listener can't be used.
pub fn listen(
    listener: TcpListener,
    app: Router,
    limits: ServeLimits,
    places: Places,
    handle: Handle<SocketAddr>,
) -> std::io::Result<impl Future<Output = std::io::Result<()>> + Send> {
    let app = app.layer(RequestBodyTimeoutLayer::new(limits.pause)).layer(RequestBodyDeadlineLayer::new(limits.body));
    // To find out which protocol a connection speaks, one would wait for its first bytes, with no limit. Over plain
    // connections browsers and clients speak HTTP/1.1 alone.
    let server = axum_server::from_tcp(listener.into_std()?)?.acceptor(Admission);
    let mut server = server.handle(handle).http1_only();
    server.http_builder().http1().timer(TokioTimer::new()).header_read_timeout(limits.head);
    relieve_when_files_are_few(&places);
    Ok(server.serve(MakeConnection::new(places, app)))
}
