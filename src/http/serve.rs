//! Listening, and an orderly end.

use std::future::{Future, IntoFuture as _};
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::app::app;
use super::state::AppState;

/// How long connections may take to close once all calls are answered.
const CLOSE_LIMIT: Duration = Duration::from_secs(2);

/// Serves until `stop` is done. Then new calls are answered 503, those in flight finish within
/// [`super::state::GRACE`], sessions and browsers end, and only then the listener closes.
///
/// # Errors
/// When the listener fails.
pub async fn serve(listener: TcpListener, state: AppState, stop: impl Future<Output = ()>) -> std::io::Result<()> {
    serve_with(listener, state, Vec::new(), stop).await
}

/// The same with further applications over the same state, each on a listener of its own.
///
/// # Errors
/// When one of the listeners fails; all of them then close.
pub async fn serve_with(
    listener: TcpListener,
    state: AppState,
    more: Vec<(TcpListener, Router)>,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let drained = CancellationToken::new();
    let mut servers = JoinSet::new();
    for (listener, app) in std::iter::once((listener, app(state.clone()))).chain(more) {
        let server = axum::serve(listener, app).with_graceful_shutdown(drained.clone().cancelled_owned());
        servers.spawn(server.into_future());
    }
    tokio::select! {
        () = stop => {}
        Some(ended) = servers.join_next() => return ended.unwrap_or_else(|error| Err(std::io::Error::other(error))),
    }
    state.drain().await;
    drained.cancel();
    let closed = async { while servers.join_next().await.is_some() {} };
    // What is left then are idle connections of clients that do not close them; dropping the set ends them.
    let _ = tokio::time::timeout(CLOSE_LIMIT, closed).await;
    Ok(())
}
