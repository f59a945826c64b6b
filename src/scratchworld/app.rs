//! The table of routes, inside the layers that hold for all of them.

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::handler::Handler;
use axum::http::{Method, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use serde_json::json;
use tower_http::catch_panic::CatchPanicLayer;

use super::evaluate::JudgeAccess;
use super::fault::Fault;
use super::params::Params;
use super::state::{Scope, ScratchWorld};
use super::{composite, evaluate, legacy, observe, ocr, primitive, projects, sessions};
use crate::http::layers::{log, origin, token};

pub type Reply = Result<Response, Fault>;

type Routes = Router<Arc<ScratchWorld>>;

/// The application. Serve it next to the main one with [`crate::http::serve_with`], or call it without a port.
pub fn app(dialect: Arc<ScratchWorld>) -> Router {
    layered(dialect, table().routes)
}

/// Text recognition alone, for its own port: the reference runs it in its own process, and its clients look for
/// it there.
pub fn ocr_app(dialect: Arc<ScratchWorld>) -> Router {
    layered(dialect, ocr::routes(Table::default()).routes)
}

/// Method and address of every route, such as `GET /sessions/{id}`.
pub fn addresses() -> Vec<String> {
    table().listed
}

fn table() -> Table {
    old(scoped_routes(life(ocr::routes(Table::default()))))
}

/// Routes with a list of them: a router can't list its own.
#[derive(Debug, Default)]
pub struct Table {
    routes: Routes,
    listed: Vec<String>,
}

impl Table {
    pub fn add<H: Handler<T, Arc<ScratchWorld>>, T: 'static>(
        mut self,
        method: &Method,
        path: &str,
        handler: H,
    ) -> Self {
        let filter = match *method {
            Method::GET => MethodFilter::GET,
            Method::DELETE => MethodFilter::DELETE,
            _ => MethodFilter::POST,
        };
        self.listed.push(format!("{method} {path}"));
        Self { routes: self.routes.route(path, on(filter, handler)), listed: self.listed }
    }
}

/// Routes inside the layers that hold for all of them.
fn layered(dialect: Arc<ScratchWorld>, routes: Routes) -> Router {
    let api = dialect.api.clone();
    let routes = routes
        .fallback(|| async { (StatusCode::NOT_FOUND, Json(json!({"detail": "Not Found"}))) })
        .method_not_allowed_fallback(|| async {
            (StatusCode::METHOD_NOT_ALLOWED, Json(json!({"detail": "Method Not Allowed"})))
        })
        .layer(from_fn_with_state(api.clone(), token::token_holders_only))
        .layer(from_fn(origin::no_foreign_call))
        .with_state(dialect);
    Router::new()
        .fallback_service(routes)
        .layer(CatchPanicLayer::custom(log::panicked))
        .layer(from_fn_with_state(api.clone(), origin::own_origin_only))
        .layer(from_fn_with_state(api, log::admit))
        .layer(from_fn(log::log_only))
        .layer(origin::for_own_pages())
}

/// Creating, inspecting and deleting sessions.
fn life(table: Table) -> Table {
    table
        .add(&Method::GET, "/sessions", sessions::list)
        .add(&Method::POST, "/sessions", sessions::create)
        .add(&Method::DELETE, "/sessions", sessions::remove_all)
        .add(&Method::GET, "/sessions/count", sessions::count)
        .add(&Method::GET, "/sessions/{id}", sessions::inspect)
        .add(&Method::DELETE, "/sessions/{id}", sessions::remove)
        .add(&Method::POST, "/sessions/{id}/toggle_stage", toggle_stage)
}

async fn toggle_stage(State(dialect): State<Arc<ScratchWorld>>, Path(id): Path<String>) -> Reply {
    projects::toggle_stage(dialect, Scope::Session(id)).await
}

/// What can be asked of a session, and of the page that needs none.
fn scoped_routes(mut table: Table) -> Table {
    table = both(table, &Method::GET, "/screenshot", observe::screenshot);
    table = both(table, &Method::GET, "/html", observe::html);
    table = both(table, &Method::GET, "/viewport_size", observe::viewport_size);
    table = both(table, &Method::GET, "/elements", observe::elements);
    table = both(table, &Method::GET, "/elements_batch", observe::elements_batch);
    table = both(table, &Method::POST, "/load_project", projects::load);
    table = both(table, &Method::POST, "/export_project", projects::export);
    table = both(table, &Method::POST, "/composite/execute", composite::execute);
    table = table.add(&Method::POST, "/sessions/{id}/evaluate", evaluate_session);
    table = table.add(&Method::POST, "/evaluate", evaluate_global);
    for name in primitive::NAMES {
        let act = move |dialect, scope, params| primitive::act(dialect, scope, params, name);
        table = both(table, &Method::POST, &format!("/{name}"), act);
    }
    table
}

/// The routes from before there were sessions, and those that are gone.
fn old(table: Table) -> Table {
    table
        .add(&Method::GET, "/", legacy::home)
        .add(&Method::POST, "/reset_environment", legacy::reset_environment)
        .add(&Method::POST, "/shutdown", legacy::shutdown)
        .add(&Method::POST, "/start_recording", legacy::recording)
        .add(&Method::POST, "/end_recording", legacy::recording)
        .add(&Method::GET, "/check_file", legacy::files)
        .add(&Method::POST, "/copy_file", legacy::files)
}

/// Whether a caller gets verdicts is looked at before its call is read, address included.
async fn evaluate_session(
    State(dialect): State<Arc<ScratchWorld>>,
    _: JudgeAccess,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    answer(evaluate::evaluate, dialect, Scope::Session(id), request).await
}

async fn evaluate_global(State(dialect): State<Arc<ScratchWorld>>, _: JudgeAccess, request: Request) -> Response {
    answer(evaluate::evaluate, dialect, Scope::Global, request).await
}

/// One handler at both its addresses.
fn both<H, F>(table: Table, method: &Method, path: &str, handler: H) -> Table
where
    H: Fn(Arc<ScratchWorld>, Scope, Params) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Reply> + Send + 'static,
{
    let global = handler.clone();
    let of_session = move |State(dialect): State<Arc<ScratchWorld>>, Path(id): Path<String>, request: Request| async move {
        answer(handler, dialect, Scope::Session(id), request).await
    };
    let of_all = move |State(dialect): State<Arc<ScratchWorld>>, request: Request| async move {
        answer(global, dialect, Scope::Global, request).await
    };
    table.add(method, &format!("/sessions/{{id}}{path}"), of_session).add(method, path, of_all)
}

async fn answer<H, F>(handler: H, dialect: Arc<ScratchWorld>, scope: Scope, request: Request) -> Response
where
    H: Fn(Arc<ScratchWorld>, Scope, Params) -> F,
    F: Future<Output = Reply>,
{
    let reply = match Params::read(request).await {
        Ok(params) => handler(dialect, scope, params).await,
        Err(fault) => Err(fault),
    };
    reply.unwrap_or_else(Fault::into_response)
}
