//! The routes for watching one session: what changed since the last look, its picture, its program. None of
//! them counts as a use of the session, and none alters it.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_TYPE, ETAG, HeaderName};
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::time::{Instant, sleep_until};

use super::states::LiveState;
use crate::http::extract::Options;
use crate::http::problem::Problem;
use crate::http::route::{Content, Route, schema};
use crate::http::state::{Api, AppState};
use crate::model::{Element, Mode, Point, RequestEvent};
use crate::notation::program::Program;
use crate::session::{Activity, SessionHandle, SessionInfo, Viewer};

/// The reply header that says which look a picture is from.
const LOOK_VERSION: HeaderName = HeaderName::from_static("x-look-version");
/// The longest text, in bytes, that the list shows of an argument.
const LONGEST_TEXT: usize = 200;
/// The longest that a request waits for a change.
const MOST_WAIT: Duration = Duration::from_secs(30);
/// The look waits this long for the end of a call that is being carried out; then it queues behind it.
const POLITE: Duration = Duration::from_secs(2);

/// What to wait for and what to include.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchOptions {
    /// Version of the look that the caller has; the reply waits for a newer one.
    #[serde(default)]
    pub after: u64,
    /// Milliseconds to wait at most, up to 30000; then the last look is returned again.
    #[serde(default)]
    pub wait_ms: u64,
    /// Whether the elements of the page are listed too.
    #[serde(default)]
    pub elements: bool,
}

/// A session as a watcher sees it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Watched {
    /// The session.
    pub session: SessionInfo,
    /// Calls carried out so far.
    pub calls: u64,
    /// Whether one is being carried out.
    pub busy: bool,
    /// Raised whenever a look shows something else than the one before.
    pub version: u64,
    /// When the last look was taken, in seconds since 1970.
    pub taken_at: f64,
    /// Digest of the picture, which `/sessions/{id}/live/picture` has.
    pub picture: String,
    /// Where the pointer is, in pixels; absent before it was first moved.
    pub pointer: Option<Point>,
    /// Whether the project runs.
    pub running: bool,
    /// Name of the sprite or Stage being edited.
    pub editing_target: String,
    /// Digest of the program, which `/sessions/{id}/live/program` has.
    pub program: String,
    /// What can be operated or read, as the page reports it, without text recognition; when requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elements: Option<Arc<Vec<Element>>>,
}

/// All living sessions, for watching them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WatchedList {
    /// Oldest first.
    pub sessions: Vec<ListedSession>,
    /// How many may live at once.
    pub limit: usize,
}

/// A session in the list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListedSession {
    /// The session.
    pub session: SessionInfo,
    /// Calls carried out so far.
    pub calls: u64,
    /// Whether one is being carried out.
    pub busy: bool,
    /// The last one that began.
    pub last: Option<LastCall>,
}

/// A call in the list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LastCall {
    /// The action's name, or another operation on the session.
    pub api: String,
    /// The mode of an action.
    pub mode: Option<Mode>,
    /// Its arguments; long ones are left out.
    pub args: Map<String, Value>,
}

impl LastCall {
    fn of(call: Arc<RequestEvent>) -> Self {
        let call = Arc::unwrap_or_clone(call);
        let short = |value: &Value| value.as_str().is_none_or(|text| text.len() <= LONGEST_TEXT);
        let args = call.args.into_iter().filter(|(_, value)| short(value)).collect();
        Self { api: call.api, mode: call.mode, args }
    }
}

pub fn routes() -> Vec<Route> {
    let live = "/sessions/{id}/live";
    vec![
        Route::new(Method::GET, "/live/sessions", "watch_sessions", get(list))
            .doc("live", "The living sessions with what each is doing.")
            .gives_json::<WatchedList>(),
        Route::new(Method::GET, live, "watch_session", get(watch))
            .doc(
                "live",
                "What a session shows and does, once it differs from what the caller has. Looks are shared by all who \
                 watch, taken at most every 400 ms and only after a change; indexes and idle time stay as they are.",
            )
            .query(schema::<WatchOptions>())
            .gives_json::<Watched>(),
        Route::new(Method::GET, "/sessions/{id}/live/picture", "watch_picture", get(picture))
            .doc("live", "The picture of the last look.")
            .gives(StatusCode::OK, Some(Content::Bytes("image/png"))),
        Route::new(Method::GET, "/sessions/{id}/live/program", "watch_program", get(program))
            .doc("live", "The program after the last call, as text in scratchblocks notation.")
            .gives_json::<Program>(),
    ]
}

async fn list(State(api): State<AppState>) -> Json<WatchedList> {
    let mut sessions = Vec::new();
    for session in api.sessions.list().await {
        // One that has just ended is not listed.
        let Ok(handle) = api.sessions.watch(&session.id).await else { continue };
        let Activity { calls, busy, last } = handle.activity().borrow().clone();
        sessions.push(ListedSession { session, calls, busy, last: last.map(LastCall::of) });
    }
    Json(WatchedList { sessions, limit: api.sessions.limit() })
}

async fn watch(
    State(api): State<AppState>,
    Path(id): Path<String>,
    Options(options): Options<WatchOptions>,
) -> Result<Json<Watched>, Problem> {
    let handle = api.sessions.watch(&id).await?;
    let _waits = api.sessions.begin_wait(options.wait_ms, &Viewer::current(), format!("sessions/{id}"))?;
    let state = newer_state(&api, &handle, options).await?;
    let session = api.sessions.inspect(&id).await?;
    let Activity { calls, busy, .. } = handle.activity().borrow().clone();
    Ok(Json(Watched {
        session,
        calls,
        busy,
        version: state.version,
        taken_at: state.taken_at,
        picture: state.picture_digest.clone(),
        pointer: state.pointer,
        running: state.running,
        editing_target: state.editing_target.clone(),
        program: state.program_digest.clone(),
        elements: state.elements.clone().filter(|_| options.elements),
    }))
}

/// Waits until a look differs from the one that the caller has, or the time is up.
async fn newer_state(api: &Api, handle: &SessionHandle, options: WatchOptions) -> Result<Arc<LiveState>, Problem> {
    let end = Instant::now() + Duration::from_millis(options.wait_ms).min(MOST_WAIT);
    let slot = api.live_states.slot(handle.id()).await;
    let mut activity = handle.activity();
    loop {
        let now = activity.borrow_and_update().clone();
        // Between two calls a look disturbs less than in front of one.
        let _ = tokio::time::timeout(POLITE, handle.activity().wait_for(|activity| !activity.busy)).await;
        let (state, due) = {
            let mut slot = slot.lock().await;
            let state = slot.latest(handle, options.elements).await?;
            (state, slot.due(&now, options.elements))
        };
        // Versions start over if the slot was dropped meanwhile.
        if state.version != options.after || Instant::now() >= end {
            return Ok(state);
        }
        let next = due.map_or(end, |due| end.min(due.into()));
        tokio::select! {
            () = sleep_until(next) => {}
            changed = activity.changed(), if due.is_none() => {
                if changed.is_err() {
                    // The session has ended; a new request reports that.
                    api.sessions.watch(handle.id()).await?;
                }
            }
            () = api.closing.cancelled() => return Err(Problem::shutting_down()),
        }
    }
}

async fn latest_state(api: &Api, id: &str) -> Result<Arc<LiveState>, Problem> {
    let handle = api.sessions.watch(id).await?;
    let slot = api.live_states.slot(id).await;
    let state = slot.lock().await.latest(&handle, false).await?;
    Ok(state)
}

async fn picture(State(api): State<AppState>, Path(id): Path<String>) -> Result<impl IntoResponse, Problem> {
    let state = latest_state(&api, &id).await?;
    let headers = [
        (CONTENT_TYPE, "image/png".to_owned()),
        (ETAG, format!("\"{}\"", state.picture_digest)),
        (LOOK_VERSION, state.version.to_string()),
    ];
    Ok((headers, state.picture.clone()))
}

async fn program(State(api): State<AppState>, Path(id): Path<String>) -> Result<Json<Program>, Problem> {
    let state = latest_state(&api, &id).await?;
    Ok(Json(Program::clone(&state.program)))
}
