//! Attempts for researchers, step by step: finished runs, and the sessions that agents from outside made for a task. The
//! list, a run's attempts, an attempt's calls, pictures and program; the attempt as one file; judging where it has no
//! verdict.

mod turns;
mod views;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{get, post};

use self::views::{ListedRun, RunDetails, RunList, RunView};
use super::extract::{JudgeAccess, Researcher};
use super::problem::Problem;
use super::route::{Content, Route};
use super::state::{Api, AppState};
use crate::benchmarks::tasks::Judging as _;
use crate::model::{Outcome, TaskRecord, Verdict};
use crate::notation::program::Program;
use crate::recording::playback::{
    AttemptDetails, AttemptView, NamedAttempt, Playback, SESSIONS, recorded_picture, replay_file,
};
use crate::store::{RunDir, Runs, Tally};

/// The newest runs that the list shows; older ones are still found by name.
const LISTED: usize = 200;
/// A downloaded file must not run as a page of this server; if it is opened as one, it has no origin.
const FILE_POLICY: &str = "sandbox; default-src 'none'";

pub fn routes() -> Vec<Route> {
    let attempt = "/runs/{id}/attempts/{attempt}";
    let below = |part: &str| format!("{attempt}/{part}");
    let mut routes = turns::routes();
    routes.extend([
        Route::new(Method::GET, "/runs", "list_runs", get(list))
            .doc(
                "runs",
                "The finished runs, and the sessions that agents from outside made for a task, as the run `sessions`. Needs a \
                 researcher's token, unless the server runs with `--open-runs`.",
            )
            .gives_json::<RunList>(),
        Route::new(Method::GET, "/runs/{id}", "get_run", get(run))
            .doc("runs", "A run with its attempts: those that are complete, and while it goes on those in progress.")
            .gives_json::<RunDetails>(),
        Route::new(Method::GET, attempt, "get_attempt", get(one))
            .doc("runs", "An attempt: its record, its verdict, its calls with their replies.")
            .gives_json::<AttemptDetails>(),
        Route::new(Method::GET, &below("pictures/{call}"), "get_attempt_picture", get(picture))
            .doc("runs", "The picture in a call's reply, or the one that was taken after it.")
            .gives(StatusCode::OK, Some(Content::Bytes("image/png"))),
        Route::new(Method::GET, &below("program"), "get_attempt_program", get(program))
            .doc("runs", "The program as the agent left it, as text in scratchblocks notation.")
            .gives_json::<Program>(),
        Route::new(Method::GET, &below("file"), "get_attempt_file", get(file))
            .doc("runs", "The attempt as one HTML file to hand on, pictures included: it loads nothing.")
            .gives(StatusCode::OK, Some(Content::Bytes("text/html"))),
        Route::new(Method::POST, &below("verdict"), "judge_attempt", post(judge))
            .doc(
                "judging",
                "Judge what the session of an agent from outside left, and keep the verdict with it; one that is there already \
                 is returned again. Needs a researcher's token.",
            )
            .gives_json::<Verdict>(),
    ]);
    routes
}

fn no_runs() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "no_runs", "this server shows no runs").hinted("start it with --runs DIR")
}

/// Reads from the disk on a thread of its own.
async fn blocking<T: Send + 'static>(read: impl FnOnce() -> Result<T, Problem> + Send + 'static) -> Result<T, Problem> {
    tokio::task::spawn_blocking(read).await.map_err(|error| Problem::internal(error.to_string()))?
}

/// The same for the recorded runs.
async fn reading<T: Send + 'static>(
    api: &Api,
    read: impl FnOnce(&Runs) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let runs = api.runs.clone().ok_or_else(no_runs)?;
    blocking(move || read(&runs)).await
}

fn found<T>(found: Option<T>, code: &str, what: &str, name: &str) -> Result<T, Problem> {
    found.ok_or_else(|| Problem::new(StatusCode::NOT_FOUND, code, format!("no {what} `{name}`")))
}

fn find_run(runs: &Runs, name: &str) -> Result<RunDir, Problem> {
    found(runs.find(name)?, "unknown_run", "run", name)
}

/// The attempt that an address names, if the caller may see it.
async fn playback(api: &Api, caller: Researcher, run: &str, name: &str) -> Result<Playback, Problem> {
    let (run, owned) = (run.to_owned(), name.to_owned());
    let playback = if run == SESSIONS {
        caller.attempts?;
        api.attempts.find(name).await?
    } else {
        reading(api, move |runs| Ok(Playback::of_run(&find_run(runs, &run)?, &owned)?)).await?
    };
    let mut playback = found(playback, "unknown_attempt", "attempt", name)?;
    if let Ok(entry) = api.tasks.find(&playback.details.record.task) {
        playback.is_of(&entry.task);
        let details = &mut playback.details;
        let is_outside = details.record.caller.is_some();
        details.may_judge = caller.may_judge && details.verdict.is_none() && details.has_program && is_outside;
    }
    Ok(playback)
}

async fn list(State(api): State<AppState>, caller: Researcher) -> Result<Json<RunList>, Problem> {
    let mut runs = Vec::new();
    if caller.attempts.is_ok() {
        runs.push(ListedRun::of_sessions(&api.attempts.list().await, api.attempts.are_kept()));
    }
    if let Some(recorded) = api.runs.clone() {
        let list =
            move || Ok(recorded.list().iter().take(LISTED).map(|run| listed(&recorded, run)).collect::<Vec<_>>());
        runs.extend(blocking(list).await?);
    }
    Ok(Json(RunList { runs }))
}

fn listed(runs: &Runs, run: &RunDir) -> ListedRun {
    // Attempts that can't be read are not counted: the request for the run reports what is wrong.
    let Tally { attempts, passed } = runs.tally(run);
    ListedRun { run: run.record().into(), attempts, passed }
}

async fn run(
    State(api): State<AppState>,
    caller: Researcher,
    Path(id): Path<String>,
) -> Result<Json<RunDetails>, Problem> {
    if id == SESSIONS {
        caller.attempts?;
        let attempts = api.attempts.list().await;
        return Ok(Json(RunDetails { run: RunView::of_sessions(&attempts, api.attempts.are_kept()), attempts }));
    }
    let details = reading(&api, move |runs| {
        let run = find_run(runs, &id)?;
        let named = |(name, record): (String, TaskRecord)| NamedAttempt { name, record: record.into() };
        let begun = |name: String| NamedAttempt { record: AttemptView::begun(&name, run.record().mode), name };
        let mut attempts: Vec<_> = run.in_progress().into_iter().map(begun).collect();
        attempts.extend(run.attempts()?.into_iter().map(named));
        Ok(RunDetails { run: run.record().into(), attempts })
    });
    Ok(Json(details.await?))
}

async fn one(
    State(api): State<AppState>,
    caller: Researcher,
    Path((id, attempt)): Path<(String, String)>,
) -> Result<Json<AttemptDetails>, Problem> {
    Ok(Json(playback(&api, caller, &id, &attempt).await?.details))
}

async fn picture(
    State(api): State<AppState>,
    caller: Researcher,
    Path((id, attempt, call)): Path<(String, String, usize)>,
) -> Result<impl IntoResponse, Problem> {
    // One call of a run is found without reading the others.
    let (run, name) = (id.clone(), attempt.clone());
    let mut bytes = None;
    if id != SESSIONS {
        bytes = reading(&api, move |runs| {
            Ok(find_run(runs, &run)?.recorded_call(&name, call)?.as_ref().and_then(recorded_picture))
        })
        .await?;
    }
    if bytes.is_none() {
        let playback = playback(&api, caller, &id, &attempt).await?;
        bytes = blocking(move || Ok(playback.picture(call))).await?;
    }
    let bytes = found(bytes, "no_picture", "picture at call", &call.to_string())?;
    Ok(([(CONTENT_TYPE, media_type(&bytes))], bytes))
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
    caller: Researcher,
    Path((id, attempt)): Path<(String, String)>,
) -> Result<Json<Program>, Problem> {
    let playback = playback(&api, caller, &id, &attempt).await?;
    let program = blocking(move || Ok(playback.program())).await?;
    Ok(Json(found(program, "no_program", "project of an attempt", &attempt)?))
}

async fn file(
    State(api): State<AppState>,
    caller: Researcher,
    Path((id, attempt)): Path<(String, String)>,
) -> Result<impl IntoResponse, Problem> {
    let mut playback = playback(&api, caller, &id, &attempt).await?;
    playback.details.may_judge = false;
    // Pictures are made one file at a time: it takes a core for a second or more.
    let _turn = api.files.acquire().await.map_err(|_| Problem::shutting_down())?;
    let file = blocking(move || Ok(replay_file(&playback).html)).await?;
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"replay.html\""),
        (CONTENT_SECURITY_POLICY, FILE_POLICY),
    ];
    Ok((headers, file))
}

async fn judge(
    State(api): State<AppState>,
    _: JudgeAccess,
    caller: Researcher,
    Path((id, attempt)): Path<(String, String)>,
) -> Result<Json<Verdict>, Problem> {
    let playback = playback(&api, caller, &id, &attempt).await?;
    if let Some(verdict) = playback.details.verdict.clone() {
        return Ok(Json(verdict));
    }
    if playback.details.record.lives {
        let detail = "the session is still running, so its final project does not exist yet";
        return Err(Problem::new(StatusCode::CONFLICT, "attempt_goes_on", detail).hinted("end the session first"));
    }
    let entry = api.tasks.find(&playback.details.record.task)?;
    let own = playback.clone();
    let sb3 = found(blocking(move || Ok(own.project())).await?, "no_program", "project of an attempt", &attempt)?;
    let verdict = api.judge.judge(entry, &sb3).await?;
    // An error of the testbed says nothing about the project, which may be judged again.
    if id == SESSIONS && matches!(verdict.outcome, Outcome::Passed | Outcome::Failed) {
        let (attempts, kept) = (api.attempts.clone(), verdict.clone());
        blocking(move || Ok(attempts.keep_verdict(&attempt, &playback, &kept)?)).await?;
    }
    Ok(Json(verdict))
}
