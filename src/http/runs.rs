//! Finished runs for researchers: the list, a run's attempts, an attempt's calls, pictures and program.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::access::authorization;
use super::live::program::Program;
use super::problem::Problem;
use super::route::{Content, Route};
use super::state::{Api, AppState};
use crate::model::{AttemptRecord, RunRecord, Verdict};
use crate::project::Project;
use crate::session::SessionError;
use crate::store::{RecordedAttempt, RunDir, Runs, Tally};

/// The newest runs that the list shows; older ones are still found by name.
const LISTED: usize = 200;

/// The finished runs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunList {
    /// Newest first, at most 200.
    pub runs: Vec<ListedRun>,
}

/// A run with how it went.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListedRun {
    /// What it set out to do.
    pub run: RunRecord,
    /// Complete attempts.
    pub attempts: usize,
    /// Those that passed.
    pub passed: usize,
}

/// A run with its attempts.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunDetails {
    /// What it set out to do.
    pub run: RunRecord,
    /// The complete attempts, sorted by name.
    pub attempts: Vec<NamedAttempt>,
}

/// An attempt with the name that addresses have for it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NamedAttempt {
    /// `task.mode.try`.
    pub name: String,
    /// What became of it.
    pub record: AttemptRecord,
}

/// An attempt call by call.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AttemptDetails {
    /// What became of it.
    pub record: AttemptRecord,
    /// What the judge said, if anything was judged.
    pub verdict: Option<Verdict>,
    /// The calls as recorded, in order; where one has a picture, in its reply or taken after it, `picture` is true and
    /// `/runs/{id}/attempts/{attempt}/pictures/{call}` has it.
    pub calls: Vec<Value>,
    /// Whether the project was kept, whose text `/runs/{id}/attempts/{attempt}/program` has.
    pub has_program: bool,
}

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    let attempt = "/runs/{id}/attempts/{attempt}";
    vec![
        Route::new(Method::GET, "/runs", "list_runs", get(list))
            .doc("runs", "The finished runs. Needs a researcher's token, unless the server runs with `--open-runs`.")
            .gives_json::<RunList>(),
        Route::new(Method::GET, "/runs/{id}", "get_run", get(run))
            .doc("runs", "A run with its complete attempts.")
            .gives_json::<RunDetails>(),
        Route::new(Method::GET, attempt, "get_attempt", get(one))
            .doc("runs", "An attempt: its record, its verdict, its calls with their replies.")
            .gives_json::<AttemptDetails>(),
        Route::new(Method::GET, "/runs/{id}/attempts/{attempt}/pictures/{call}", "get_attempt_picture", get(picture))
            .doc("runs", "The picture in a call's reply, or the one that `--record` took after it.")
            .gives(StatusCode::OK, Some(Content::Bytes("image/png"))),
        Route::new(Method::GET, "/runs/{id}/attempts/{attempt}/program", "get_attempt_program", get(program))
            .doc("runs", "The program as the agent left it, as text in scratchblocks notation.")
            .gives_json::<Program>(),
    ]
}

/// Reads from the disk on a thread of its own, for whoever may see runs.
async fn reading<T: Send + 'static>(
    api: &Api,
    headers: &HeaderMap,
    read: impl FnOnce(&Runs) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    api.access.check_researcher(authorization(headers))?;
    let runs = api.runs.get().cloned().ok_or_else(|| {
        Problem::new(StatusCode::NOT_FOUND, "no_runs", "this server shows no runs").hinted("start it with --runs DIR")
    })?;
    tokio::task::spawn_blocking(move || read(&runs)).await.map_err(|error| Problem::internal(error.to_string()))?
}

fn found<T>(found: Option<T>, code: &str, what: &str, name: &str) -> Result<T, Problem> {
    found.ok_or_else(|| Problem::new(StatusCode::NOT_FOUND, code, format!("no {what} `{name}`")))
}

fn find_run(runs: &Runs, name: &str) -> Result<RunDir, Problem> {
    found(runs.find(name)?, "unknown_run", "run", name)
}

fn find_attempt(runs: &Runs, run: &str, name: &str) -> Result<RecordedAttempt, Problem> {
    found(find_run(runs, run)?.recorded(name)?, "unknown_attempt", "attempt", name)
}

async fn list(State(api): State<AppState>, headers: HeaderMap) -> Result<Json<RunList>, Problem> {
    let runs =
        reading(&api, &headers, |runs| Ok(runs.list().iter().take(LISTED).map(|run| listed(runs, run)).collect()))
            .await?;
    Ok(Json(RunList { runs }))
}

fn listed(runs: &Runs, run: &RunDir) -> ListedRun {
    // Attempts that can't be read are not counted: asking for the run says what is wrong.
    let Tally { attempts, passed } = runs.tally(run);
    ListedRun { run: run.record().clone(), attempts, passed }
}

async fn run(
    State(api): State<AppState>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<RunDetails>, Problem> {
    let details = reading(&api, &headers, move |runs| {
        let run = find_run(runs, &id)?;
        let named = |record: AttemptRecord| {
            let name = format!("{}.{}.{}", record.task, record.mode, record.attempt);
            NamedAttempt { name, record }
        };
        Ok(RunDetails { run: run.record().clone(), attempts: run.attempts()?.into_iter().map(named).collect() })
    });
    Ok(Json(details.await?))
}

async fn one(
    State(api): State<AppState>,
    Path((id, attempt)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Json<AttemptDetails>, Problem> {
    let details = reading(&api, &headers, move |runs| {
        let RecordedAttempt { record, verdict, mut calls } = find_attempt(runs, &id, &attempt)?;
        let logged = find_run(runs, &id)?.logged_pictures(&attempt, &calls)?;
        for (call, logged) in calls.iter_mut().zip(logged) {
            let picture = call.pointer_mut("/reply/data").and_then(Value::as_object_mut);
            let picture = picture.and_then(|data| data.shift_remove(PICTURE)).is_some();
            call["picture"] = (picture || logged.is_some()).into();
        }
        let has_program = find_run(runs, &id)?.recorded_project(&attempt)?.is_some();
        Ok(AttemptDetails { record, verdict, calls, has_program })
    });
    Ok(Json(details.await?))
}

/// The part of an observation that holds the picture.
const PICTURE: &str = "screenshot";

async fn picture(
    State(api): State<AppState>,
    Path((id, attempt, call)): Path<(String, String, usize)>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let bytes = reading(&api, &headers, move |runs| {
        let run = find_run(runs, &id)?;
        let recorded = run.recorded_call(&attempt, call)?;
        let data = recorded.as_ref().and_then(|call| call.pointer("/reply/data")?.get(PICTURE)?.as_str());
        let mut bytes = data.and_then(|data| STANDARD.decode(data).ok());
        if bytes.is_none() {
            bytes = logged_picture(&run, &attempt, call)?;
        }
        found(bytes, "no_picture", "picture at call", &call.to_string())
    });
    let bytes = bytes.await?;
    Ok(([(CONTENT_TYPE, media_type(&bytes))], bytes))
}

/// The picture that `--record` took after a call.
fn logged_picture(run: &RunDir, attempt: &str, call: usize) -> Result<Option<Vec<u8>>, Problem> {
    let Some(recorded) = run.recorded(attempt)? else { return Ok(None) };
    let logged = run.logged_pictures(attempt, &recorded.calls)?.into_iter().nth(call).flatten();
    Ok(logged.and_then(|picture| run.logged_picture(attempt, &picture)))
}

/// The media type of a picture by its first bytes.
fn media_type(bytes: &[u8]) -> &'static str {
    match bytes {
        [0xff, 0xd8, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', ..] => "image/webp",
        _ => "image/png",
    }
}

async fn program(
    State(api): State<AppState>,
    Path((id, attempt)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Json<Program>, Problem> {
    let program = reading(&api, &headers, move |runs| {
        let sb3 = find_run(runs, &id)?.recorded_project(&attempt)?;
        let sb3 = found(sb3, "no_program", "project of an attempt", &attempt)?;
        let project = Project::read(&sb3).map_err(SessionError::from)?;
        Ok(Program::of(&project))
    });
    Ok(Json(program.await?))
}
