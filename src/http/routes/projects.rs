//! A session's project and picture: load, export, screenshot.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{get, put};

use crate::http::extract::body::{self, PROJECT_TYPE};
use crate::http::extract::{NoOptions, Options};
use crate::http::noted::noted;
use crate::http::problem::Problem;
use crate::http::route::{Content, Route};
use crate::http::state::AppState;
use crate::model::RequestEvent;
use crate::session::{LoadReport, SessionError};

/// How long an export or a picture may take, waiting for other calls not counted.
const LIMIT: Duration = Duration::from_secs(30);

pub fn routes() -> Vec<Route> {
    let project = "/sessions/{id}/project";
    vec![
        Route::new(Method::PUT, project, "load_project", put(load))
            .doc("projects", "Load a project file in place of the current project; a bad one leaves it as it is.")
            .takes(Content::Bytes(PROJECT_TYPE))
            .gives_json::<LoadReport>(),
        Route::new(Method::GET, project, "export_project", get(export))
            .doc("projects", "The project as it is now, as an .sb3 file.")
            .gives(StatusCode::OK, Some(Content::Bytes(PROJECT_TYPE))),
        Route::new(Method::GET, "/sessions/{id}/screenshot", "screenshot", get(screenshot))
            .doc("projects", "The page as it is now, 1280 x 720 pixels. No observation: indexes stay as they are.")
            .gives(StatusCode::OK, Some(Content::Bytes("image/png"))),
    ]
}

/// A call for the session's log.
fn call(api: &str) -> RequestEvent {
    RequestEvent { api: api.to_owned(), ..RequestEvent::default() }
}

async fn load(
    State(api): State<AppState>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<LoadReport>, Problem> {
    body::announces_project(&request)?;
    // Nothing is read for a session that does not exist.
    api.sessions.get(&id).await?;
    let (sb3, _room) = body::project(request).await?.into_parts();
    Ok(Json(api.sessions.load(&id, sb3).await?))
}

async fn export(State(api): State<AppState>, Path(id): Path<String>) -> Result<impl IntoResponse, Problem> {
    let handle = api.sessions.get(&id).await?.by("http");
    let project = handle.run_as(call("export_project"), LIMIT, noted(|live| Box::pin(live.export()))).await??;
    let sb3 = project.write().map_err(SessionError::from)?;
    let headers = [(CONTENT_TYPE, PROJECT_TYPE), (CONTENT_DISPOSITION, "attachment; filename=\"project.sb3\"")];
    Ok((headers, sb3))
}

async fn screenshot(
    State(api): State<AppState>,
    Path(id): Path<String>,
    _: Options<NoOptions>,
) -> Result<impl IntoResponse, Problem> {
    let handle = api.sessions.get(&id).await?.by("http");
    let job = noted(|live| Box::pin(async { live.page().screenshot().await.map_err(SessionError::from) }));
    let picture = handle.run_as(call("screenshot"), LIMIT, job).await??;
    Ok(([(CONTENT_TYPE, "image/png")], picture))
}
