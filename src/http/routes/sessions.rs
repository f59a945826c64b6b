//! The life of sessions: create, list, inspect, keep alive, reset, delete.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::header::LOCATION;
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{delete, get, post};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::http::extract::body::{self, Kind, PROJECT_TYPE};
use crate::http::extract::{CreateAccess, Options};
use crate::http::problem::Problem;
use crate::http::route::{Content, Route, schema};
use crate::http::state::{Api, AppState};
use crate::model::{Extras, KeptPictures, TaskId};
use crate::session::{LoadReport, SessionInfo, Start};

/// The longest lease that can be asked for: a day.
const LONGEST_LEASE_S: f64 = 86_400.0;

/// What a new session starts with.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateSession {
    /// A task whose initial project to load; the editor's default project when absent.
    #[serde(default)]
    pub task: Option<TaskId>,
    /// Seconds without a call after which the session ends, from 1 to a day; the setting of `serve --idle` when absent.
    #[serde(default)]
    #[schemars(range(min = 1.0, max = LONGEST_LEASE_S))]
    pub lease_s: Option<f64>,
    /// Take a picture after each action, for a video; acting then takes a little longer.
    #[serde(default)]
    pub record: bool,
    /// Let agents add whole scripts, run the project and see the stage in composite mode: no setting of the published
    /// benchmark.
    #[serde(default)]
    pub extended: bool,
    /// Answer every action with a report of what it met and changed, unless the call specifies otherwise.
    #[serde(default)]
    pub report: bool,
}

/// How a session sent as a project file is created.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateOptions {
    /// As in a JSON body, which wins.
    #[serde(default)]
    #[schemars(range(min = 1.0, max = LONGEST_LEASE_S))]
    pub lease_s: Option<f64>,
    /// As in a JSON body, which may also ask for it.
    #[serde(default)]
    pub extended: bool,
    /// As in a JSON body, which may also ask for it.
    #[serde(default)]
    pub report: bool,
}

/// The living sessions.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionList {
    /// Oldest first.
    pub sessions: Vec<SessionInfo>,
    /// How many may live at once.
    pub limit: usize,
}

pub fn routes() -> Vec<Route> {
    let one = "/sessions/{id}";
    vec![
        Route::new(Method::POST, "/sessions", "create_session", post(create))
            .doc("sessions", "Create a session: empty, from a task, or from a project file sent as the body.")
            .takes(Content::Json(schema::<CreateSession>()))
            .takes(Content::Bytes(PROJECT_TYPE))
            .query(schema::<CreateOptions>())
            .optional()
            .gives(StatusCode::CREATED, Some(Content::Json(schema::<SessionInfo>()))),
        Route::new(Method::GET, "/sessions", "list_sessions", get(list))
            .doc("sessions", "List the living sessions.")
            .gives_json::<SessionList>(),
        Route::new(Method::GET, one, "inspect_session", get(inspect))
            .doc("sessions", "What is known about a session; does not count as a use of it.")
            .gives_json::<SessionInfo>(),
        Route::new(Method::DELETE, one, "delete_session", delete(remove))
            .doc("sessions", "End a session. Its calls in flight finish first.")
            .gives(StatusCode::NO_CONTENT, None),
        Route::new(Method::POST, "/sessions/{id}/keep-alive", "keep_session_alive", post(keep_alive))
            .doc("sessions", "Restart the session's lease, and do nothing else.")
            .gives_json::<SessionInfo>(),
        Route::new(Method::POST, "/sessions/{id}/reset", "reset_session", post(reset))
            .doc("sessions", "Bring the session back to the project it started with, in a fresh page.")
            .gives_json::<LoadReport>(),
    ]
}

async fn create(
    State(api): State<AppState>,
    _: CreateAccess,
    Options(wanted): Options<CreateOptions>,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    let lease = lease(wanted.lease_s)?;
    // Kept until the project is in the session.
    let mut room = None;
    let start = match body::kind(&request)? {
        Kind::Project => {
            api.sessions.check_place().await?;
            let (project, held) = body::project(request).await?.into_parts();
            room = Some(held);
            Start { project: Some(project), ..Start::default() }
        }
        Kind::Json | Kind::Unsaid => start_of(&api, body::json(request).await?).await?,
    };
    let Extras { extended, report } = start.extras;
    let extras = Extras { extended: extended || wanted.extended, report: report || wanted.report };
    let start = Start { lease: start.lease.or(lease), extras, ..start };
    let info = api.sessions.create(start).await?;
    drop(room);
    Ok((StatusCode::CREATED, [(LOCATION, format!("/sessions/{}", info.id))], Json(info)))
}

async fn start_of(api: &Api, wanted: CreateSession) -> Result<Start, Problem> {
    let lease = lease(wanted.lease_s)?;
    let pictures = if wanted.record { KeptPictures::All } else { KeptPictures::default() };
    let extras = Extras { extended: wanted.extended, report: wanted.report };
    let Some(id) = wanted.task else { return Ok(Start { lease, pictures, extras, ..Start::default() }) };
    let entry = api.tasks.find(id.as_str())?;
    api.sessions.check_place().await?;
    let project = api.projects.initial(entry).await?;
    Ok(Start { lease, pictures, extras, ..Start::attempting(&entry.task, project) })
}

fn lease(seconds: Option<f64>) -> Result<Option<Duration>, Problem> {
    match seconds {
        Some(seconds) if !(1.0..=LONGEST_LEASE_S).contains(&seconds) => {
            let detail = format!("`lease_s`: {seconds} is not between 1 and {LONGEST_LEASE_S}");
            Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_body", detail))
        }
        seconds => Ok(seconds.map(Duration::from_secs_f64)),
    }
}

async fn keep_alive(State(api): State<AppState>, Path(id): Path<String>) -> Result<Json<SessionInfo>, Problem> {
    Ok(Json(api.sessions.keep_alive(&id).await?))
}

async fn list(State(api): State<AppState>) -> Json<SessionList> {
    Json(SessionList { sessions: api.sessions.list().await, limit: api.sessions.limit() })
}

async fn inspect(State(api): State<AppState>, Path(id): Path<String>) -> Result<Json<SessionInfo>, Problem> {
    Ok(Json(api.sessions.inspect(&id).await?))
}

async fn remove(State(api): State<AppState>, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    api.sessions.delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn reset(State(api): State<AppState>, Path(id): Path<String>) -> Result<Json<LoadReport>, Problem> {
    Ok(Json(api.sessions.reset(&id).await?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::extract::options::options;

    #[test]
    fn a_lease_is_taken_as_it_is_answered() {
        let answered: CreateSession = body::decode(br#"{"lease_s": 600.0}"#).unwrap();
        assert_eq!(lease(answered.lease_s).unwrap(), Some(Duration::from_secs(600)));
        let query: CreateOptions = options(&"/?lease_s=600".parse().unwrap()).unwrap();
        assert_eq!(lease(query.lease_s).unwrap(), Some(Duration::from_secs(600)));
        for wrong in [0.0, -1.0, 86_401.0, f64::NAN] {
            assert_eq!(lease(Some(wrong)).unwrap_err().code, "invalid_body", "{wrong}");
        }
    }
}
