//! Projects in and out, and the size of the stage.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::app::Reply;
use super::fault::Fault;
use super::params::Params;
use super::state::{Scope, ScratchWorld};
use crate::action::scratchworld::small_stage;
use crate::action::settle;
use crate::http::Problem;
use crate::http::noted;
use crate::session::SessionError;
use crate::taskset::{TaskEntry, TaskSet};

/// How long an export, or a click on the stage's button, may take; waiting for other calls not counted.
const LIMIT: Duration = Duration::from_secs(30);

/// `load_project`: the initial project of a task of the loaded pack, or that of a drag scene, never another one in its
/// place.
pub async fn load(dialect: Arc<ScratchWorld>, scope: Scope, params: Params) -> Reply {
    let mut query = params.query();
    let name = query.text("project_name");
    query.done()?;
    // Before a session is made for the call, and before anything is built for a session that is not there.
    dialect.check_session(&scope).await?;
    let source = source(&dialect, &name)?;
    let id = dialect.id(&scope).await?;
    let project = read(&dialect, source).await?;
    dialect.api.sessions.load(&id, project).await.map_err(|error| scope.fault(error))?;
    let message = format!("Project {name} loaded");
    let details = json!({"ok": true, "url": format!("/static/{name}")});
    Ok(Json(json!({"status": "success", "message": message, "details": details})).into_response())
}

/// What a project's name stands for.
enum Source<'a> {
    Task(&'a TaskEntry),
    Scene(PathBuf),
}

async fn read(dialect: &ScratchWorld, source: Source<'_>) -> Result<Vec<u8>, Fault> {
    match source {
        Source::Task(entry) => dialect.api.projects.initial(entry).await.map_err(|error| Fault::Problem(error.into())),
        Source::Scene(path) => {
            let unreadable = |error: std::io::Error| Fault::Problem(Problem::internal(error.to_string()));
            tokio::fs::read(path).await.map_err(unreadable)
        }
    }
}

fn source<'a>(dialect: &'a ScratchWorld, name: &str) -> Result<Source<'a>, Fault> {
    if let Some(entry) = task_of(&dialect.api.tasks, name) {
        return Ok(Source::Task(entry));
    }
    if let Some(path) = dialect.drags.as_ref().and_then(|pack| pack.file(name)) {
        return Ok(Source::Scene(path));
    }
    let text =
        format!("Project not found: {name}: it is not the initial project of a task of the loaded pack, nor of a drag");
    Err(Fault::new(StatusCode::NOT_FOUND, "unknown_project", text))
}

/// The task whose initial project has this name: in an imported pack the file's own name, which tasks may share, or
/// else `<task>.sb3`.
fn task_of<'a>(tasks: &'a TaskSet, name: &str) -> Option<&'a TaskEntry> {
    let imported = |entry: &TaskEntry| {
        let report = entry.pack.as_ref()?.import.as_ref()?;
        let task = report.tasks.iter().find(|task| task.id == entry.task.id)?;
        Some(file_name(&task.initial) == name)
    };
    let stem = name.strip_suffix(".sb3").unwrap_or(name);
    let by_file = tasks.all().iter().find(|entry| imported(entry) == Some(true));
    by_file.or_else(|| tasks.all().iter().find(|entry| entry.task.id.as_str() == stem))
}

/// The last part of a path of a checkout: clients ask for `default.sb3` where the file is `static/default.sb3`.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// `export_project`: the project as it is now.
pub async fn export(dialect: Arc<ScratchWorld>, scope: Scope, params: Params) -> Reply {
    let mut query = params.query();
    let filename = query.text("output_name");
    query.done()?;
    let sb3 = exported(&dialect, &scope).await?;
    let reply = json!({
        "status": "success", "filename": filename, "size": sb3.len(), "data_base64": STANDARD.encode(&sb3),
    });
    Ok(Json(reply).into_response())
}

/// The project of a session as an .sb3 file.
pub async fn exported(dialect: &ScratchWorld, scope: &Scope) -> Result<Vec<u8>, Fault> {
    let handle = dialect.session(scope).await?;
    let fault = |error| scope.fault(error);
    let project = handle.run(LIMIT, noted(|live| Box::pin(live.export()))).await.map_err(fault)?.map_err(fault)?;
    project.write().map_err(|error| fault(SessionError::from(error)))
}

/// `toggle_stage`: makes the stage small, and leaves a small one small, as the reference does.
pub async fn toggle_stage(dialect: Arc<ScratchWorld>, scope: Scope) -> Reply {
    let handle = dialect.session(&scope).await?;
    let job = noted(|live| {
        Box::pin(async {
            let button = small_stage(live).await?;
            settle(live.page()).await.map(|_| button)
        })
    });
    let pressed = handle.run(LIMIT, job).await.map_err(|error| scope.fault(error))?;
    let reply = match pressed {
        Ok(Some(button)) => json!({
            "success": true, "message": "The stage is small", "selector_used": button.selector,
            "current_state": {"title": button.title, "aria_label": button.label, "pressed": button.pressed},
        }),
        Ok(None) => json!({"success": false, "message": "No button for the stage's size", "error": "not found"}),
        Err(error) => {
            json!({"success": false, "message": "The button could not be clicked", "error": error.to_string()})
        }
    };
    Ok(Json(reply).into_response())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn projects_are_named_after_their_tasks_and_nothing_else_is_found() {
        let tasks = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let found = |name: &str| task_of(&tasks, name).map(|entry| entry.task.id.to_string());
        assert_eq!(found("stuck_ferry.sb3").as_deref(), Some("stuck_ferry"));
        assert_eq!(["scratch-gui/static/default.sb3", "default.sb3"].map(file_name), ["default.sb3"; 2]);
        for other in ["party.sb3", "golden.sb3", "../stuck_ferry.sb3", "stuck_ferry_golden.sb3", ""] {
            assert_eq!(found(other), None, "{other}");
        }
    }
}
