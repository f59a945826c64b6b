//! A session's event log: read from a number on, as a stream, and its pictures. Reading does not count as a use of the
//! session.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_TYPE, HeaderMap};
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use axum::routing::get;
use futures::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::http::extract::Options;
use crate::http::problem::Problem;
use crate::http::route::{Content, Route, schema};
use crate::http::state::AppState;
use crate::model::Event;
use crate::session::{Lines, SessionLog, Viewer};

/// Events that one reply carries at most.
const MOST: usize = 1000;
/// Longest wait for the next event, in milliseconds; below what proxies and clients usually allow.
const LONGEST_MS: u64 = 30_000;
/// How long a stream waits before it looks again whether the server is stopping.
const STREAM_WAIT: Duration = Duration::from_secs(1);

/// Which events are wanted.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventOptions {
    /// Number of the last event that the caller has; 0 asks from the beginning.
    #[serde(default)]
    pub after: u64,
    /// Milliseconds to wait for the next event when there is none yet, 0 to 30000.
    #[serde(default)]
    #[schemars(range(min = 0, max = 30_000))]
    pub wait_ms: u64,
    /// How many events to send at most, 1 to 1000.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: usize,
}

const fn most() -> usize {
    MOST
}

/// Events of a session in order.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EventPage {
    /// The session.
    pub session: String,
    /// Wall time at 0 ms of the session's clock, in seconds since 1970.
    pub started_at: f64,
    /// Milliseconds since the session began.
    pub now_ms: f64,
    /// The oldest event that is still kept; higher than asked for when some are gone from memory.
    pub first_seq: u64,
    /// The newest event.
    pub last_seq: u64,
    /// Whether the session has ended, so that there will be no more.
    pub closed: bool,
    /// The events.
    #[schemars(with = "Vec<Event>")]
    pub events: Vec<Value>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/sessions/{id}/events", "session_events", get(page))
            .doc("events", "The session's log after an event, waiting for the next one if there is none yet.")
            .query(schema::<EventOptions>())
            .gives_json::<EventPage>(),
        Route::new(Method::GET, "/sessions/{id}/events/stream", "session_event_stream", get(stream))
            .doc(
                "events",
                "The session's log as server-sent events, from the beginning or after `Last-Event-ID`, until the \
                 session ends. Each has its `seq` for an id and the event as its data. One caller may have 8 streams open, \
                 4 of one session.",
            )
            .query(schema::<StreamOptions>())
            .gives(StatusCode::OK, Some(Content::Events)),
        Route::new(Method::GET, "/sessions/{id}/images/{sha}", "session_image", get(image))
            .doc("events", "A picture that an event of the session names.")
            .gives(StatusCode::OK, Some(Content::Bytes("image/png"))),
    ]
}

/// Where a stream begins.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamOptions {
    /// Number of the last event that the caller has; 0 asks from the beginning.
    #[serde(default)]
    pub after: u64,
    /// Whether to continue with events as they happen; otherwise the stream ends with the newest one.
    #[serde(default = "yes")]
    pub follow: bool,
}

const fn yes() -> bool {
    true
}

async fn page(
    State(api): State<AppState>,
    Path(id): Path<String>,
    Options(options): Options<EventOptions>,
) -> Result<Json<EventPage>, Problem> {
    if options.wait_ms > LONGEST_MS || !(1..=MOST).contains(&options.limit) {
        let detail = format!("wait_ms is at most {LONGEST_MS}, limit 1 to {MOST}");
        return Err(Problem::new(StatusCode::BAD_REQUEST, "bad_query", detail));
    }
    let log = api.sessions.log(&id).await?;
    let _waits = api.sessions.begin_wait(options.wait_ms, &Viewer::current(), subject(&id))?;
    let wait = Duration::from_millis(options.wait_ms);
    let lines = tokio::select! {
        lines = log.after(options.after, options.limit, wait) => lines,
        () = api.closing.cancelled() => log.after(options.after, options.limit, Duration::ZERO).await,
    };
    Ok(Json(EventPage {
        session: id,
        started_at: log.started_at(),
        now_ms: log.now(),
        first_seq: lines.first,
        last_seq: lines.last,
        closed: lines.closed,
        events: values(&lines),
    }))
}

/// What streams and waiting calls of a session are counted under.
fn subject(id: &str) -> String {
    format!("sessions/{id}")
}

fn values(lines: &Lines) -> Vec<Value> {
    lines.lines.iter().filter_map(|line| serde_json::from_str(&line.json).ok()).collect()
}

async fn stream(
    State(api): State<AppState>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Options(options): Options<StreamOptions>,
) -> Result<Sse<impl Stream<Item = Result<Message, Infallible>>>, Problem> {
    let resumed = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let log = api.sessions.log(&id).await?;
    let place = api.sessions.open_stream(&Viewer::current(), subject(&id))?;
    let after = resumed.unwrap_or(options.after);
    let start = Follow { log, after, goes_on: options.follow, waiting: Vec::new(), api };
    let messages = futures::stream::unfold(start, Follow::next);
    Ok(Sse::new(place.hold(messages)).keep_alive(KeepAlive::default()))
}

/// A reader that continues until the session ends or the server stops.
struct Follow {
    log: SessionLog,
    after: u64,
    /// Whether to wait for events that have not happened yet.
    goes_on: bool,
    /// Messages that are read and not yet sent, the next one last.
    waiting: Vec<Message>,
    api: AppState,
}

impl Follow {
    async fn next(mut self) -> Option<(Result<Message, Infallible>, Self)> {
        loop {
            if let Some(message) = self.waiting.pop() {
                return Some((Ok(message), self));
            }
            let wait = if self.goes_on { STREAM_WAIT } else { Duration::ZERO };
            let lines = self.log.after(self.after, MOST, wait).await;
            if lines.lines.is_empty() && (lines.closed || !self.goes_on || self.api.closing.is_cancelled()) {
                return None;
            }
            self.after = lines.lines.last().map_or(self.after, |line| line.seq);
            let message = |line: &crate::session::Line| Message::default().id(line.seq.to_string()).data(&*line.json);
            self.waiting = lines.lines.iter().rev().map(message).collect();
        }
    }
}

async fn image(
    State(api): State<AppState>,
    Path((id, sha)): Path<(String, String)>,
) -> Result<impl IntoResponse, Problem> {
    let log = api.sessions.log(&id).await?;
    let image = log.image(&sha).ok_or_else(|| {
        Problem::new(StatusCode::NOT_FOUND, "unknown_image", "the session has no such picture")
            .hinted("only the newest pictures are kept in memory")
    })?;
    Ok(([(CONTENT_TYPE, image.media_type.to_string())], image.bytes.to_vec()))
}
