//! Judging for researchers: a project in, a verdict out. Agents can't get here: it takes a
//! researcher's token, so that agents learn nothing of scripts and tests.

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::Method;
use axum::routing::post;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::benchmarks::tasks::SecretSeed;
use crate::http::extract::body::{self, PROJECT_TYPE};
use crate::http::extract::{JudgeAccess, Options};
use crate::http::problem::Problem;
use crate::http::route::{Content, Route, schema};
use crate::http::state::AppState;
use crate::judge::Conditions;
use crate::model::{Clock, Verdict};

/// Under which conditions a project is judged.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerdictOptions {
    /// Judge under this seed of the random streams alone. Without it a project is judged under the task's first seed, and, if
    /// the script draws what it asks, under one that is drawn for this judgement, too.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The time that the project and the script run in; virtual by default.
    #[serde(default)]
    pub clock: Clock,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::POST, "/tasks/{id}/verdict", "judge_project", post(judge))
            .doc("judging", "Judge a project file for a task. Needs a researcher's token, which agents do not have.")
            .takes(Content::Bytes(PROJECT_TYPE))
            .query(schema::<VerdictOptions>())
            .gives_json::<Verdict>(),
    ]
}

async fn judge(
    State(api): State<AppState>,
    _: JudgeAccess,
    Path(id): Path<String>,
    Options(wanted): Options<VerdictOptions>,
    request: Request,
) -> Result<Json<Verdict>, Problem> {
    let entry = api.tasks.find(&id)?;
    let seed = wanted.seed.or_else(|| entry.task.seeds.first().copied()).unwrap_or_default();
    let how = Conditions { clock: wanted.clock, ..Conditions::seeded(seed) };
    let sb3 = body::project(request).await?;
    let judgement = match wanted.seed {
        Some(_) => api.judge.judge_under(entry, &sb3, &how).await?,
        None => api.judge.judge_attempt(entry, &sb3, &how, SecretSeed::Fresh).await?,
    };
    Ok(Json(judgement.verdict))
}
