//! Faults to mend, for agents of their own: reports and buggy projects, and patches that are handed in. Gold, truth and suites are no part
//! of any reply; verdicts go to researchers alone.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::benchmarks::repair::{BugList, BugOptions, BugView, Desk, DeskError, HandedIn, Patcher};
use crate::http::extract::body::{self, PROJECT_TYPE};
use crate::http::extract::{NoOptions, Options, authorization};
use crate::http::problem::Problem;
use crate::http::route::{Content, Route, schema};
use crate::http::state::AppState;
use crate::project::edit::Edit;
use crate::session::Viewer;

/// A patch that is handed in.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchBody {
    /// Edits, made in their order, all or none.
    #[schemars(with = "Vec<Edit>")]
    pub patch: Value,
    /// What is wrong with the project, in a sentence; 8 KiB at most.
    #[serde(default)]
    pub explanation: String,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/bugs", "list_bugs", get(list))
            .doc("bugs", "List the instances of the benchmark that the server was started with.")
            .gives_json::<BugList>(),
        Route::new(Method::GET, "/bugs/{id}", "inspect_bug", get(inspect))
            .doc("bugs", "One instance: what is seen, what should be, and the project as a text with the ids of its blocks.")
            .query(schema::<BugOptions>())
            .gives_json::<BugView>(),
        Route::new(Method::GET, "/bugs/{id}/project", "bug_project", get(project))
            .doc("bugs", "The buggy project, as an .sb3 file.")
            .gives(StatusCode::OK, Some(Content::Bytes(PROJECT_TYPE))),
        Route::new(Method::POST, "/bugs/{id}/patch", "submit_patch", post(hand_in))
            .doc(
                "bugs",
                "Hand a patch in. Says whether it can be applied; whether it mends the project only with a researcher's token. The \
                 last one of an instance counts.",
            )
            .takes(Content::Json(schema::<PatchBody>()))
            .gives_json::<HandedIn>(),
    ]
}

/// The benchmark of the server.
fn desk(api: &AppState) -> Result<&Arc<Desk>, Problem> {
    let none = || {
        Problem::new(StatusCode::NOT_FOUND, "no_benchmark", "this server has no benchmark of faults")
            .hinted("start it with --bench BENCH")
    };
    api.desk.as_ref().ok_or_else(none)
}

async fn list(State(api): State<AppState>, _: Options<NoOptions>) -> Result<Json<BugList>, Problem> {
    Ok(Json(desk(&api)?.list()))
}

async fn inspect(
    State(api): State<AppState>,
    Path(id): Path<String>,
    Options(options): Options<BugOptions>,
) -> Result<Json<BugView>, Problem> {
    Ok(Json(desk(&api)?.view(&id, options)?))
}

async fn project(
    State(api): State<AppState>,
    Path(id): Path<String>,
    _: Options<NoOptions>,
) -> Result<impl IntoResponse, Problem> {
    let headers = [(CONTENT_TYPE, PROJECT_TYPE), (CONTENT_DISPOSITION, "attachment; filename=\"buggy.sb3\"")];
    Ok((headers, desk(&api)?.project(&id)?))
}

async fn hand_in(
    State(api): State<AppState>,
    Path(id): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> Result<Json<HandedIn>, Problem> {
    let desk = Arc::clone(desk(&api)?);
    let may_judge = api.access.check_judge(authorization(&headers)).is_ok();
    let by = Patcher { owner: Viewer::current().owner, may_judge };
    let body: PatchBody = body::json(request).await?;
    Ok(Json(desk.hand_in(&id, &json!(body), &by).await?))
}

impl From<DeskError> for Problem {
    fn from(error: DeskError) -> Self {
        match &error {
            DeskError::Unknown(_) => Self::of(StatusCode::NOT_FOUND, &error).hinted("GET /bugs lists them"),
            DeskError::ExplanationTooLong { .. } | DeskError::PatchTooLong { .. } => {
                Self::of(StatusCode::UNPROCESSABLE_ENTITY, &error)
            }
            _ => Self::ours(&error),
        }
    }
}
