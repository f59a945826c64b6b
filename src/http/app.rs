//! The whole application as a value: every route, inside the layers that hold for all of them.

use axum::Router;
use axum::http::header::{CACHE_CONTROL, HeaderValue};
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use serde_json::Value;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use super::layers::{log, origin, token};
use super::routes::{actions, editor, home};
use super::state::AppState;
use super::{live, metrics, openapi, routes};

/// The OpenAPI document of the described routes.
pub fn openapi_document() -> Value {
    openapi::document(routes::all().into_iter().map(|route| route.operation))
}

/// The application. Serve it with [`super::serve()`], or call it without a port in tests.
pub fn app(state: AppState) -> Router {
    let described = routes::all()
        .into_iter()
        .fold(Router::new(), |router, route| router.route(&route.operation.path, route.handler));
    let mounted = state.mounted.clone();
    let api = described
        .merge(mounted.layer(map_response(log::in_own_words)).with_state(()))
        .merge(actions::unknown_action_routes())
        .route_layer(from_fn_with_state(state.clone(), token::token_holders_only))
        .route_layer(from_fn(origin::no_foreign_call))
        .route_layer(from_fn_with_state(state.metrics.requests.clone(), metrics::count))
        .layer(SetResponseHeaderLayer::overriding(CACHE_CONTROL, HeaderValue::from_static("no-store")));
    let pages = home::pages(openapi_document).merge(live::pages());
    outermost(api.merge(for_persons(pages)), state)
}

/// The editor for people, as an application on its own port: with its own origin, what a project gets out
/// of a fault of the editor is nothing of the API.
pub fn editor_app(state: AppState) -> Router {
    outermost(for_persons(editor::routes(&state.editor)), state)
}

/// Pages for people are the same for everyone and hold nothing of any session, so they need no token.
fn for_persons(pages: Router<AppState>) -> Router<AppState> {
    pages.layer(from_fn(origin::no_foreign_part)).layer(CompressionLayer::new())
}

/// The layers that hold for all routes.
fn outermost(routes: Router<AppState>, state: AppState) -> Router {
    // As a service inside another router, so that the layers see replies as they leave, `Allow` headers included.
    Router::new()
        .fallback_service(routes.with_state(state.clone()))
        .layer(CatchPanicLayer::custom(log::panicked))
        .layer(from_fn_with_state(state.clone(), origin::own_origin_only))
        .layer(from_fn_with_state(state, log::admit))
        .layer(from_fn(log::log_failures))
        .layer(origin::for_own_pages())
}
