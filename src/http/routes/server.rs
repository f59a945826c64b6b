//! The server itself: whether it takes calls, and its figures.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::http::extract::Researcher;
use crate::http::metrics::MEDIA_TYPE;
use crate::http::problem::Problem;
use crate::http::route::{Content, Route};
use crate::http::state::AppState;
use crate::model::EditorGeneration;

/// The state of the server.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// Always `ok`; a server that is stopping answers 503.
    pub status: String,
    /// Version of scratchbed.
    pub version: String,
    /// The editor that sessions show.
    pub editor: EditorGeneration,
    /// Living sessions.
    pub sessions: usize,
    /// How many there may be.
    pub limit: usize,
    /// Living browsers.
    pub browsers: usize,
    /// Ready pages in reserve.
    pub warm: usize,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/health", "health", get(health))
            .doc("server", "Whether the server takes calls, and what it has.")
            .gives_json::<Health>(),
        Route::new(Method::GET, "/metrics", "metrics", get(metrics))
            .doc(
                "server",
                "Figures for a Prometheus or OpenMetrics collector. Needs a researcher's token, unless the server runs with \
                 `--open-runs`.",
            )
            .gives(StatusCode::OK, Some(Content::Bytes("application/openmetrics-text"))),
    ]
}

async fn health(State(api): State<AppState>) -> Json<Health> {
    let fleet = api.sessions.fleet();
    let (editor, fleet) = (fleet.editor(), fleet.status());
    Json(Health {
        status: "ok".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        editor,
        sessions: api.sessions.list().await.len(),
        limit: api.sessions.limit(),
        browsers: fleet.browsers,
        warm: fleet.warm,
    })
}

async fn metrics(State(api): State<AppState>, _: Researcher) -> Result<impl IntoResponse, Problem> {
    Ok(([(CONTENT_TYPE, MEDIA_TYPE)], api.metrics.text(&api.sessions).await?))
}
