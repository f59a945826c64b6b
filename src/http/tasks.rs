//! The tasks as agents may see them: never goldens, evaluation scripts or oracle lists.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::routing::get;
use schemars::JsonSchema;
use serde::Serialize;

use super::problem::Problem;
use super::route::Route;
use super::state::AppState;
use crate::model::TaskView;

/// All tasks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TaskList {
    /// By category and name.
    pub tasks: Vec<TaskView>,
}

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/tasks", "list_tasks", get(list))
            .doc("tasks", "List the tasks that a session can be created for.")
            .gives_json::<TaskList>(),
        Route::new(Method::GET, "/tasks/{id}", "inspect_task", get(inspect))
            .doc("tasks", "One task with its instruction.")
            .gives_json::<TaskView>(),
    ]
}

async fn list(State(api): State<AppState>) -> Json<TaskList> {
    Json(TaskList { tasks: api.tasks.all().iter().map(|entry| TaskView::of(&entry.task)).collect() })
}

async fn inspect(State(api): State<AppState>, Path(id): Path<String>) -> Result<Json<TaskView>, Problem> {
    Ok(Json(TaskView::of(&api.tasks.find(&id)?.task)))
}
