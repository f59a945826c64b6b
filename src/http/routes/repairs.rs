//! Repairs under a budget for researchers: ask for one, see how it stands, follow it line by line, end it. A [`RepairHost`] makes them.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::header::{HeaderMap, LOCATION};
use axum::http::{Method, StatusCode};
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use futures::{Stream, StreamExt as _, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::benchmarks::trajectories::{
    Follow, NewRepair, RepairError, RepairHost, RepairOffer, RepairStatus, RepairView,
};
use crate::http::extract::{Options, OrderAccess, Researcher, body};
use crate::http::problem::Problem;
use crate::http::route::{Content, Route, schema};
use crate::http::state::{Api, AppState};
use crate::model::Coded as _;
use crate::session::Viewer;

/// The newest repairs that the list shows; older ones are still found by name.
const LISTED: usize = 200;
/// Seconds after which there may be room for another repair.
const LATER: u32 = 10;

/// What may be asked for, and what was.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RepairList {
    pub offer: RepairOffer,
    /// The newest first, 200 at most.
    pub repairs: Vec<RepairStatus>,
}

/// Where a stream begins.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepairStreamFrom {
    /// The id of the last event that the caller has; 0 tells all.
    #[serde(default)]
    pub after: u64,
}

pub fn routes() -> Vec<Route> {
    let below = |part: &str| format!("/repairs/{{id}}{part}");
    vec![
        Route::new(Method::GET, "/repairs", "list_repairs", get(list))
            .doc("repairs", "What this server repairs under a budget, and the repairs that were asked for, newest first. Needs a researcher's token, as runs do.")
            .gives_json::<RepairList>(),
        Route::new(Method::POST, "/repairs", "create_repair", post(create))
            .doc(
                "repairs",
                "Have one case repaired under one controller: one trajectory. The case is named, of a benchmark that the server \
                 was started with; so is the model, which the operator has allowed with its endpoint and key. Answers at once: \
                 `GET /repairs/{id}` says how it stands. Needs a researcher's token where there are tokens, and a server with \
                 `--repairs`.",
            )
            .takes(Content::Json(schema::<NewRepair>()))
            .gives(StatusCode::ACCEPTED, Some(Content::Json(schema::<RepairStatus>()))),
        Route::new(Method::GET, &below(""), "get_repair", get(one))
            .doc("repairs", "How a repair stands, and its trajectory once it is recorded.")
            .gives_json::<RepairView>(),
        Route::new(Method::GET, &below("/events"), "repair_event_stream", get(events))
            .doc(
                "repairs",
                "A repair line by line as server-sent events: `step` is a line of its log as it is written, `again` says that the \
                 testbed spoiled it and it is made anew, `end` has what `GET /repairs/{id}` gives, and is the last. Ids count \
                 events; `Last-Event-ID` goes on from there.",
            )
            .query(schema::<RepairStreamFrom>())
            .gives(StatusCode::OK, Some(Content::Events)),
        Route::new(Method::DELETE, &below(""), "cancel_repair", delete(cancel))
            .doc("repairs", "End a repair at once. What is recorded of it stays; an answer that is under way is lost, and paid for.")
            .gives_json::<RepairView>(),
    ]
}

impl From<RepairError> for Problem {
    fn from(error: RepairError) -> Self {
        let status = match &error {
            RepairError::UnknownBenchmark(_)
            | RepairError::UnknownCase { .. }
            | RepairError::UnknownModel(_)
            | RepairError::Unknown(_) => StatusCode::NOT_FOUND,
            RepairError::Full(_) => {
                return Self::of(StatusCode::TOO_MANY_REQUESTS, &error).retry_after(LATER);
            }
            RepairError::Over { .. } => StatusCode::CONFLICT,
            RepairError::Closing => return Self::shutting_down(),
            RepairError::Run(_) | RepairError::Machine(_) => return Self::ours(&error),
            RepairError::NotBegun(cause) => {
                tracing::warn!(cause, "a repair was not begun");
                let problem =
                    Self::new(StatusCode::SERVICE_UNAVAILABLE, "repair_not_begun", "the repair could not be begun");
                return problem.hinted(error.hint().unwrap_or_default());
            }
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::of(status, &error)
    }
}

/// What makes repairs, of which a server may have nothing.
fn host(api: &Api) -> Result<Arc<dyn RepairHost>, Problem> {
    api.repairs.clone().ok_or_else(|| {
        Problem::new(StatusCode::NOT_FOUND, "repairs_not_hosted", "this server makes no repairs for callers")
            .hinted("start it with --repairs N --benches FOLDER, or use `scratchbed repair run` beside it")
    })
}

/// The same for callers who may see what agents did.
fn shown(api: &Api, caller: Researcher) -> Result<Arc<dyn RepairHost>, Problem> {
    caller.attempts?;
    host(api)
}

async fn list(State(api): State<AppState>, caller: Researcher) -> Result<Json<RepairList>, Problem> {
    let host = shown(&api, caller)?;
    let mut repairs = host.list();
    repairs.truncate(LISTED);
    Ok(Json(RepairList { offer: host.offer(), repairs }))
}

async fn create(State(api): State<AppState>, caller: OrderAccess, request: Request) -> Result<Response, Problem> {
    let host = host(&api)?;
    let status = host.begin(body::json::<NewRepair>(request).await?, &caller.who).await?;
    // Names of repairs are letters, digits, `-` and `_`: they stand in addresses as they are.
    let location = [(LOCATION, format!("/repairs/{}", status.id))];
    Ok((StatusCode::ACCEPTED, location, Json(status)).into_response())
}

type Named = (State<AppState>, Researcher, Path<String>);

async fn one((State(api), caller, Path(id)): Named) -> Result<Json<RepairView>, Problem> {
    Ok(Json(RepairView::read(shown(&api, caller)?, id).await?))
}

async fn cancel(
    State(api): State<AppState>,
    _: OrderAccess,
    Path(id): Path<String>,
) -> Result<Json<RepairView>, Problem> {
    let host = host(&api)?;
    host.cancel(&id).await?;
    Ok(Json(RepairView::read(host, id).await?))
}

async fn events(
    (State(api), caller, Path(id)): Named,
    headers: HeaderMap,
    Options(from): Options<RepairStreamFrom>,
) -> Result<Sse<impl Stream<Item = Result<Message, Infallible>>>, Problem> {
    let resumed = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let host = shown(&api, caller)?;
    let place = api.sessions.open_stream(&Viewer::current(), format!("repairs/{id}"))?;
    let follow = Follow::new(host, id, resumed.unwrap_or(from.after))?;
    let told = stream::unfold(follow, async |mut follow| follow.next().await.map(|told| (told, follow)));
    let messages = told.map(|told| Ok(Message::default().event(told.kind).id(told.number.to_string()).data(told.data)));
    let closing = api.closing.clone();
    let messages = place.hold(messages.take_until(closing.cancelled_owned()));
    Ok(Sse::new(messages).keep_alive(KeepAlive::default()))
}
