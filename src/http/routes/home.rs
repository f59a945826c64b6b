//! Pages for people besides the front page: the API page and the link to the editor.

use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, HOST, HeaderValue};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Redirect;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::Value;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::http::problem::Problem;
use crate::http::state::AppState;

/// These pages need nothing from elsewhere and load nothing from elsewhere.
const POLICY: &str = "default-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

/// The pages for a person, and the API document that they show.
pub fn pages(document: fn() -> Value) -> Router<AppState> {
    // The page would otherwise ask a validator elsewhere about the document.
    let config = Config::from("/openapi.json").validator_url("none");
    Router::new()
        .route("/openapi.json", get(move || async move { Json(document()) }))
        .route("/editor", get(editor))
        .merge(SwaggerUi::new("/docs").config(config))
        .layer(SetResponseHeaderLayer::overriding(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)))
}

/// The way to the editor, by the name that the caller knows this machine by.
async fn editor(State(api): State<AppState>, headers: HeaderMap) -> Result<Redirect, Problem> {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()?.parse::<Authority>().ok());
    match (api.editor_port, host) {
        (Some(port), Some(host)) => Ok(Redirect::temporary(&format!("http://{}:{port}/editor", host.host()))),
        _ => Err(Problem::new(StatusCode::NOT_FOUND, "no_editor", "this server has no editor for a person")),
    }
}
