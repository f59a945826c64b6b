//! The table of routes, inside the layers that hold for all of them.

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, get, on, post};
use serde_json::json;
use tower_http::catch_panic::CatchPanicLayer;

use super::asked::Asked;
use super::fault::Fault;
use super::state::{Compat, Scope};
use super::{composite, evaluate, legacy, looks, ocr, primitive, projects, sessions};
use crate::http::{access, log};

/// What a route answers.
pub type Reply = Result<Response, Fault>;

type Routes = Router<Arc<Compat>>;

/// The application. Serve it beside the main one with [`crate::http::serve_with`], or call it without a port.
pub fn app(compat: Arc<Compat>) -> Router {
    layered(compat, ocr::routes().merge(life()).merge(scoped_routes()).merge(old()))
}

/// Text recognition alone, for a port of its own: the reference has it in a process of its own, and its clients look for
/// it there.
pub fn ocr_app(compat: Arc<Compat>) -> Router {
    layered(compat, ocr::routes())
}

/// Routes inside the layers that hold for all of them.
fn layered(compat: Arc<Compat>, routes: Routes) -> Router {
    let api = compat.api.clone();
    let routes = routes
        .fallback(|| async { (StatusCode::NOT_FOUND, Json(json!({"detail": "Not Found"}))) })
        .method_not_allowed_fallback(|| async {
            (StatusCode::METHOD_NOT_ALLOWED, Json(json!({"detail": "Method Not Allowed"})))
        })
        .layer(from_fn_with_state(api.clone(), access::token_holders_only))
        .with_state(compat);
    Router::new()
        .fallback_service(routes)
        .layer(CatchPanicLayer::custom(log::panicked))
        .layer(from_fn_with_state(api.clone(), access::own_origin_only))
        .layer(from_fn_with_state(api, log::admit))
        .layer(from_fn(log::log_only))
}

/// Sessions come, are looked at, and go.
fn life() -> Routes {
    Router::new()
        .route("/sessions", get(sessions::list).post(sessions::create).delete(sessions::remove_all))
        .route("/sessions/count", get(sessions::count))
        .route("/sessions/{id}", get(sessions::inspect).delete(sessions::remove))
        .route("/sessions/{id}/toggle_stage", post(toggle_stage))
}

async fn toggle_stage(State(compat): State<Arc<Compat>>, Path(id): Path<String>) -> Reply {
    projects::toggle_stage(compat, Scope::Session(id)).await
}

/// What can be asked of a session, and of the page that needs none.
fn scoped_routes() -> Routes {
    use MethodFilter as M;
    let mut routes = Router::new();
    routes = both(routes, M::GET, "/screenshot", looks::screenshot);
    routes = both(routes, M::GET, "/html", looks::html);
    routes = both(routes, M::GET, "/viewport_size", looks::viewport_size);
    routes = both(routes, M::GET, "/elements", looks::elements);
    routes = both(routes, M::GET, "/elements_batch", looks::elements_batch);
    routes = both(routes, M::POST, "/load_project", projects::load);
    routes = both(routes, M::POST, "/export_project", projects::export);
    routes = both(routes, M::POST, "/composite/execute", composite::execute);
    routes = both(routes, M::POST, "/evaluate", evaluate::evaluate);
    for name in primitive::NAMES {
        let act = move |compat, scope, asked| primitive::act(compat, scope, asked, name);
        routes = both(routes, M::POST, &format!("/{name}"), act);
    }
    routes
}

/// The routes of the time before sessions, and those that are no more.
fn old() -> Routes {
    Router::new()
        .route("/", get(legacy::home))
        .route("/reset_environment", post(legacy::reset_environment))
        .route("/shutdown", post(legacy::shutdown))
        .route("/start_recording", post(legacy::recording))
        .route("/end_recording", post(legacy::recording))
        .route("/check_file", get(legacy::files))
        .route("/copy_file", post(legacy::files))
}

/// One handler at both its addresses.
fn both<H, F>(routes: Routes, method: MethodFilter, path: &str, handler: H) -> Routes
where
    H: Fn(Arc<Compat>, Scope, Asked) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Reply> + Send + 'static,
{
    let global = handler.clone();
    let of_session = move |State(compat): State<Arc<Compat>>, Path(id): Path<String>, request: Request| async move {
        answer(handler, compat, Scope::Session(id), request).await
    };
    let of_all = move |State(compat): State<Arc<Compat>>, request: Request| async move {
        answer(global, compat, Scope::Global, request).await
    };
    routes.route(&format!("/sessions/{{id}}{path}"), on(method, of_session)).route(path, on(method, of_all))
}

async fn answer<H, F>(handler: H, compat: Arc<Compat>, scope: Scope, request: Request) -> Response
where
    H: Fn(Arc<Compat>, Scope, Asked) -> F,
    F: Future<Output = Reply>,
{
    let reply = match Asked::read(request).await {
        Ok(asked) => handler(compat, scope, asked).await,
        Err(fault) => Err(fault),
    };
    reply.unwrap_or_else(Fault::into_response)
}
