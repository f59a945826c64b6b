//! The tasks as agents may see them: never goldens, evaluation scripts or oracle lists.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tower_http::compression::CompressionLayer;

use crate::compile::Stage;
use crate::http::extract::Options;
use crate::http::problem::Problem;
use crate::http::route::{Content, Route, schema};
use crate::http::state::AppState;
use crate::model::{Category, Task, TaskId, TaskView};

/// All tasks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TaskList {
    /// By category and name.
    pub tasks: Vec<TaskLine>,
}

/// A task in a list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TaskLine {
    /// All that agents may know.
    Full(Box<TaskView>),
    /// What a list of choices needs.
    Brief {
        /// Unique name.
        id: TaskId,
        /// Which of the four kinds it is.
        category: Category,
        /// A few words.
        title: String,
    },
}

/// Which tasks, and how much of each.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListOptions {
    /// Those of one category only.
    #[serde(default)]
    pub category: Option<Category>,
    /// Names, categories and titles alone.
    #[serde(default)]
    pub brief: bool,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/tasks", "list_tasks", get(list).layer(CompressionLayer::new()))
            .doc("tasks", "List the tasks that a session can be created for.")
            .query(schema::<ListOptions>())
            .gives_json::<TaskList>(),
        Route::new(Method::GET, "/tasks/{id}", "inspect_task", get(inspect))
            .doc("tasks", "One task with its instruction.")
            .gives_json::<TaskView>(),
        Route::new(Method::GET, "/tasks/{id}/picture", "task_picture", get(picture))
            .doc(
                "tasks",
                "The stage that the task begins with, 480 x 360 pixels. It is drawn when it is first asked for: 202 without a \
                 body says to ask again, 204 that there will be none.",
            )
            .gives(StatusCode::OK, Some(Content::Bytes("image/png"))),
    ]
}

/// The stage of the initial project, and nothing of the solution.
async fn picture(State(api): State<AppState>, Path(id): Path<String>) -> Result<Response, Problem> {
    let entry = api.tasks.find(&id)?;
    match api.stages.as_ref().map_or(Stage::None, |stages| stages.of(entry)) {
        Stage::Drawn(png) => Ok(([(CONTENT_TYPE, "image/png")], png).into_response()),
        Stage::Coming => Ok((StatusCode::ACCEPTED, [(RETRY_AFTER, "2")]).into_response()),
        Stage::None => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}

async fn list(
    State(api): State<AppState>,
    Options(ListOptions { category, brief }): Options<ListOptions>,
) -> Result<Json<TaskList>, Problem> {
    let wanted = |task: &&Task| category.is_none_or(|category| task.category == category);
    let tasks = api.tasks.all().iter().map(|entry| &entry.task).filter(wanted);
    let line = |task: &Task| {
        if brief {
            TaskLine::Brief { id: task.id.clone(), category: task.category, title: task.title.clone() }
        } else {
            TaskLine::Full(Box::new(TaskView::of(task)))
        }
    };
    Ok(Json(TaskList { tasks: tasks.map(line).collect() }))
}

async fn inspect(State(api): State<AppState>, Path(id): Path<String>) -> Result<Json<TaskView>, Problem> {
    Ok(Json(TaskView::of(&api.tasks.find(&id)?.task)))
}
