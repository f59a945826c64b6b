//! The life of sessions.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use super::app::Reply;
use super::fault::Fault;
use super::params::Params;
use super::state::ScratchWorld;
use crate::model::unix_seconds;
use crate::session::{SessionError, SessionInfo, Viewer};

/// `POST /sessions`. `record`, `quality`, `task_name` and `save_dir` are taken and have no effect.
pub async fn create(State(dialect): State<Arc<ScratchWorld>>, request: Request) -> Reply {
    Viewer::current().check_may_create().map_err(|error| Fault::of_session("new", error))?;
    let params = Params::read(request).await?;
    let mut query = params.query();
    query.flag_or("record", false);
    query.done()?;
    let id = dialect.create().await.map_err(|error| Fault::of_session("new", error))?;
    let info = inspected(&dialect, &id).await?;
    let (id, created_at) = (&info.id, info.created_at);
    Ok(Json(json!({"session_id": id, "created_at": created_at, "is_recording": false})).into_response())
}

/// `GET /sessions`: all of the server's sessions.
pub async fn list(State(dialect): State<Arc<ScratchWorld>>) -> Reply {
    let infos = dialect.api.sessions.list().await;
    let (active, limit) = (infos.len(), dialect.api.sessions.limit());
    let by_id: Map<String, Value> = infos.into_iter().map(|info| (info.id.clone(), shown(&info))).collect();
    let headers = [
        ("x-max-sessions", limit.to_string()),
        ("x-active-sessions", active.to_string()),
        ("x-available-sessions", limit.saturating_sub(active).to_string()),
    ];
    Ok((headers, Json(by_id)).into_response())
}

/// `GET /sessions/count`.
pub async fn count(State(dialect): State<Arc<ScratchWorld>>) -> Reply {
    let (active, limit) = (dialect.api.sessions.list().await.len(), dialect.api.sessions.limit());
    let available = limit.saturating_sub(active);
    let counts = json!({"active_sessions": active, "max_sessions": limit, "available_sessions": available});
    Ok(Json(counts).into_response())
}

/// `GET /sessions/{id}`: a use of the session, as in the reference.
pub async fn inspect(State(dialect): State<Arc<ScratchWorld>>, Path(id): Path<String>) -> Reply {
    dialect.api.sessions.get(&id).await.map_err(|error| Fault::of_session(&id, error))?;
    Ok(Json(shown(&inspected(&dialect, &id).await?)).into_response())
}

/// `DELETE /sessions/{id}`.
pub async fn remove(State(dialect): State<Arc<ScratchWorld>>, Path(id): Path<String>) -> Reply {
    dialect.api.sessions.delete(&id).await.map_err(|error| Fault::of_session(&id, error))?;
    Ok(Json(json!({"status": "closed", "recording": null})).into_response())
}

/// `DELETE /sessions`: those that were made here, never those of other clients.
pub async fn remove_all(State(dialect): State<Arc<ScratchWorld>>) -> Reply {
    let (closed, errors) = close_own(&dialect).await;
    Ok(Json(json!({"closed": closed, "errors": errors})).into_response())
}

/// Ends the sessions that were made here: how many, and which refused.
pub async fn close_own(dialect: &ScratchWorld) -> (usize, Map<String, Value>) {
    let mut errors = Map::new();
    let mut closed = 0;
    for id in dialect.take_own() {
        match dialect.api.sessions.delete(&id).await {
            Ok(()) => closed += 1,
            // It had expired.
            Err(SessionError::Unknown(_)) => {}
            Err(error) => {
                errors.insert(id, error.to_string().into());
            }
        }
    }
    (closed, errors)
}

async fn inspected(dialect: &ScratchWorld, id: &str) -> Result<SessionInfo, Fault> {
    dialect.api.sessions.inspect(id).await.map_err(|error| Fault::of_session(id, error))
}

fn shown(info: &SessionInfo) -> Value {
    let (id, created_at, last_used_at) = (&info.id, info.created_at, unix_seconds() - info.idle_s);
    json!({"session_id": id, "created_at": created_at, "last_used_at": last_used_at, "is_recording": false})
}
