//! Routes from before there were sessions, and those that only refuse.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use serde_json::json;

use super::app::Reply;
use super::fault::Fault;
use super::sessions::close_own;
use super::state::{Scope, ScratchWorld};

/// `GET /`: the server is up.
pub async fn home() -> Json<serde_json::Value> {
    Json(json!({"message": "scratchbed, in the dialect of the ScratchWorld reference server"}))
}

/// `POST /reset_environment`: the page that needs no session starts afresh; other sessions notice nothing.
pub async fn reset_environment(State(dialect): State<Arc<ScratchWorld>>) -> Reply {
    let id = dialect.id(&Scope::Global).await?;
    dialect.api.sessions.reset(&id).await.map_err(|error| Scope::Global.fault(error))?;
    let details = json!({"browser_restarted": false, "page_reloaded": true, "recording": null});
    Ok(Json(json!({"status": "success", "message": "The page was replaced", "details": details})).into_response())
}

/// `POST /shutdown`: ends the sessions that were made here. The server continues: others use it too.
pub async fn shutdown(State(dialect): State<Arc<ScratchWorld>>) -> Reply {
    let (closed, errors) = close_own(&dialect).await;
    Ok(Json(json!({"status": "success", "recording": null, "closed": closed, "errors": errors})).into_response())
}

/// `start_recording` and `end_recording`: refused by the reference too.
pub async fn recording() -> Fault {
    Fault::gone("Recording is not controlled by this route")
}

/// `check_file` and `copy_file`: no route reaches the server's files.
pub async fn files() -> Fault {
    Fault::gone("This server gives no access to its files")
}
