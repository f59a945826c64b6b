//! What the model of an attempt was asked and answered, as it happens and afterwards.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode};
use axum::routing::get;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, interval};

use super::{find_run, found, reading};
use crate::http::extract::{Options, Researcher};
use crate::http::problem::Problem;
use crate::http::route::{Route, schema};
use crate::http::state::AppState;
use crate::recording::playback::{MessageView, SESSIONS, TurnPage, messages_of};
use crate::session::Viewer;

/// The longest that a request waits for a turn, in milliseconds; below what proxies and clients usually allow.
const LONGEST_MS: u64 = 30_000;
/// How often the files of an attempt, which another process may write, are looked at.
const LOOK: Duration = Duration::from_millis(250);

/// What to wait for.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnOptions {
    /// Number of the last turn that the caller has; 0 asks from the beginning.
    #[serde(default)]
    pub after: u64,
    /// The version that the caller has; the reply waits for a newer one.
    #[serde(default)]
    pub version: u64,
    /// Milliseconds to wait at most, 0 to 30000. A complete attempt is not waited for.
    #[serde(default)]
    #[schemars(range(min = 0, max = 30_000))]
    pub wait_ms: u64,
}

/// The messages of a turn.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TurnMessages {
    /// In the order in which they were sent.
    pub messages: Vec<MessageView>,
}

pub(super) fn routes() -> Vec<Route> {
    let turns = "/runs/{id}/attempts/{attempt}/turns";
    vec![
        Route::new(Method::GET, turns, "get_attempt_turns", get(page))
            .doc(
                "runs",
                "What the model of an attempt answered, turn by turn, with the call that was read, tokens, seconds and \
                 cost. While the attempt goes on, a request can wait for the next turn or call. Long texts are cut.",
            )
            .query(schema::<TurnOptions>())
            .gives_json::<TurnPage>(),
        Route::new(Method::GET, &format!("{turns}/{{turn}}/messages"), "get_turn_messages", get(messages))
            .doc("runs", "The messages that were sent to the model in a turn, long texts cut.")
            .gives_json::<TurnMessages>(),
    ]
}

async fn page(
    State(api): State<AppState>,
    caller: Researcher,
    Path((id, attempt)): Path<(String, String)>,
    Options(options): Options<TurnOptions>,
) -> Result<Json<TurnPage>, Problem> {
    if options.wait_ms > LONGEST_MS {
        let detail = format!("wait_ms is at most {LONGEST_MS}");
        return Err(Problem::new(StatusCode::BAD_REQUEST, "bad_query", detail));
    }
    if id == SESSIONS {
        caller.attempts?;
        return Ok(Json(TurnPage::none()));
    }
    let _waits = api.sessions.begin_wait(options.wait_ms, &Viewer::current(), format!("runs/{id}/{attempt}"))?;
    let end = Instant::now() + Duration::from_millis(options.wait_ms);
    let mut looks = interval(LOOK);
    loop {
        looks.tick().await;
        let (run, name) = (id.clone(), attempt.clone());
        let progress = reading(&api, move |runs| Ok(find_run(runs, &run)?.progress(&name))).await?;
        let progress = found(progress, "unknown_attempt", "attempt", &attempt)?;
        let is_new = progress.is_complete || progress.version != options.version;
        if is_new || Instant::now() >= end || api.closing.is_cancelled() {
            break;
        }
    }
    let (run, name) = (id, attempt.clone());
    let page = reading(&api, move |runs| Ok(TurnPage::of_run(&find_run(runs, &run)?, &name, options.after)?)).await?;
    found(page, "unknown_attempt", "attempt", &attempt).map(Json)
}

async fn messages(
    State(api): State<AppState>,
    _: Researcher,
    Path((id, attempt, turn)): Path<(String, String, u64)>,
) -> Result<Json<TurnMessages>, Problem> {
    let messages = reading(&api, move |runs| Ok(messages_of(&find_run(runs, &id)?, &attempt, turn)?)).await?;
    Ok(Json(TurnMessages { messages: found(messages, "unknown_turn", "turn", &turn.to_string())? }))
}
