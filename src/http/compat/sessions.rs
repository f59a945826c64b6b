//! The life of sessions (contract 1.2).

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::response::IntoResponse;
use chrono::Utc;
use serde_json::{Map, Value, json};

use super::app::Reply;
use super::asked::Asked;
use super::fault::Fault;
use super::state::Compat;
use crate::session::{SessionError, SessionInfo};

/// `POST /sessions`. `record`, `quality`, `task_name` and `save_dir` are taken and have no effect.
pub async fn create(State(compat): State<Arc<Compat>>, request: Request) -> Reply {
    let asked = Asked::read(request).await?;
    let mut query = asked.query();
    query.flag_or("record", false);
    query.done()?;
    let id = compat.create().await.map_err(|error| Fault::of_session("new", error))?;
    let info = inspected(&compat, &id).await?;
    let (id, created_at) = (&info.id, info.created_at);
    Ok(Json(json!({"session_id": id, "created_at": created_at, "is_recording": false})).into_response())
}

/// `GET /sessions`: all of the server's sessions.
pub async fn list(State(compat): State<Arc<Compat>>) -> Reply {
    let infos = compat.api.sessions.list().await;
    let (active, limit) = (infos.len(), compat.api.sessions.limit());
    let by_id: Map<String, Value> = infos.into_iter().map(|info| (info.id.clone(), shown(&info))).collect();
    let headers = [
        ("x-max-sessions", limit.to_string()),
        ("x-active-sessions", active.to_string()),
        ("x-available-sessions", limit.saturating_sub(active).to_string()),
    ];
    Ok((headers, Json(by_id)).into_response())
}

/// `GET /sessions/count`.
pub async fn count(State(compat): State<Arc<Compat>>) -> Reply {
    let (active, limit) = (compat.api.sessions.list().await.len(), compat.api.sessions.limit());
    let available = limit.saturating_sub(active);
    let counts = json!({"active_sessions": active, "max_sessions": limit, "available_sessions": available});
    Ok(Json(counts).into_response())
}

/// `GET /sessions/{id}`: a use of the session, as in the reference.
pub async fn inspect(State(compat): State<Arc<Compat>>, Path(id): Path<String>) -> Reply {
    compat.api.sessions.get(&id).await.map_err(|error| Fault::of_session(&id, error))?;
    Ok(Json(shown(&inspected(&compat, &id).await?)).into_response())
}

/// `DELETE /sessions/{id}`.
pub async fn remove(State(compat): State<Arc<Compat>>, Path(id): Path<String>) -> Reply {
    compat.api.sessions.delete(&id).await.map_err(|error| Fault::of_session(&id, error))?;
    Ok(Json(json!({"status": "closed", "recording": null})).into_response())
}

/// `DELETE /sessions`: those that were made here, never those of other clients.
pub async fn remove_all(State(compat): State<Arc<Compat>>) -> Reply {
    let (closed, errors) = close_own(&compat).await;
    Ok(Json(json!({"closed": closed, "errors": errors})).into_response())
}

/// Ends the sessions that were made here: how many, and which refused.
pub async fn close_own(compat: &Compat) -> (usize, Map<String, Value>) {
    let mut errors = Map::new();
    let mut closed = 0;
    for id in compat.take_own() {
        match compat.api.sessions.delete(&id).await {
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

async fn inspected(compat: &Compat, id: &str) -> Result<SessionInfo, Fault> {
    compat.api.sessions.inspect(id).await.map_err(|error| Fault::of_session(id, error))
}

fn shown(info: &SessionInfo) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "microseconds since 1970 are exact in f64 for centuries")]
    let now = Utc::now().timestamp_micros() as f64 / 1e6;
    let (id, created_at) = (&info.id, info.created_at);
    json!({"session_id": id, "created_at": created_at, "last_used_at": now - info.idle_s, "is_recording": false})
}
