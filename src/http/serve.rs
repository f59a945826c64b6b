//! Listening, and an orderly end.

use std::future::{Future, IntoFuture as _};
use std::time::Duration;

use tokio::net::TcpListener;
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
    let drained = CancellationToken::new();
    let server = axum::serve(listener, app(state.clone())).with_graceful_shutdown(drained.clone().cancelled_owned());
    let mut server = tokio::spawn(server.into_future());
    tokio::select! {
        () = stop => {}
        ended = &mut server => return ended.unwrap_or_else(|error| Err(std::io::Error::other(error))),
    }
    state.drain().await;
    drained.cancel();
    if tokio::time::timeout(CLOSE_LIMIT, &mut server).await.is_err() {
        // Idle connections of clients that do not close them.
        server.abort();
    }
    Ok(())
}
