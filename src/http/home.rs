//! What a person finds beside the front page: the API page, the way to the editor, the state of the server.

use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, HOST, HeaderValue};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Redirect;
use axum::routing::get;
use axum::{Json, Router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::openapi;
use super::problem::Problem;
use super::route::Route;
use super::state::AppState;

/// These pages need nothing from elsewhere and load nothing from elsewhere.
const POLICY: &str = "default-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

/// The state of the server.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// Always `ok`; a server that is stopping answers 503.
    pub status: String,
    /// Version of scratchbed.
    pub version: String,
    /// Living sessions.
    pub sessions: usize,
    /// How many there may be.
    pub limit: usize,
    /// Living browsers.
    pub browsers: usize,
    /// Ready pages in reserve.
    pub warm: usize,
}

/// The described routes of this file.
pub fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/health", "health", get(health))
            .doc("server", "Whether the server takes calls, and what it has.")
            .gives_json::<Health>(),
    ]
}

/// The pages for a person, and the API document that they show.
pub fn pages() -> Router<AppState> {
    // The page would otherwise ask a validator elsewhere about the document.
    let config = Config::from("/openapi.json").validator_url("none");
    Router::new()
        .route("/openapi.json", get(|| async { Json(openapi::document()) }))
        .route("/editor", get(editor))
        .merge(SwaggerUi::new("/docs").config(config))
        .layer(SetResponseHeaderLayer::overriding(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)))
}

/// The way to the editor, by the name that the caller knows this machine by.
async fn editor(State(api): State<AppState>, headers: HeaderMap) -> Result<Redirect, Problem> {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()?.parse::<Authority>().ok());
    match (api.editor_port.get(), host) {
        (Some(port), Some(host)) => Ok(Redirect::temporary(&format!("http://{}:{port}/editor", host.host()))),
        _ => Err(Problem::new(StatusCode::NOT_FOUND, "no_editor", "this server has no editor for a person")),
    }
}

async fn health(State(api): State<AppState>) -> Json<Health> {
    let fleet = api.sessions.fleet().status();
    Json(Health {
        status: "ok".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        sessions: api.sessions.list().await.len(),
        limit: api.sessions.limit(),
        browsers: fleet.browsers,
        warm: fleet.warm,
    })
}
