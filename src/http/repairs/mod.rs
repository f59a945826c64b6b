//! Repairs under a budget for researchers: ask for one, see how it stands, follow it line by line, end it. A [`RepairHost`] makes them, by
//! the loop that `repair run` has; what became of them is read from their runs.

pub mod host;
mod stream;

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::header::LOCATION;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use schemars::JsonSchema;
use serde::Serialize;

pub use self::host::RepairHost;
use self::host::{NewRepair, RepairOffer, RepairStatus, unknown};
use self::stream::StreamFrom;
use super::extract::{Researcher, body};
use super::problem::Problem;
use super::route::{Content, Route, schema};
use super::state::{Api, AppState};
use crate::model::{AttemptRecord, Outcome, Trajectory};
use crate::store::RunDir;

/// The newest repairs that the list shows; older ones are still found by name.
const LISTED: usize = 200;

/// What may be asked for, and what was.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RepairList {
    pub offer: RepairOffer,
    /// The newest first, 200 at most.
    pub repairs: Vec<RepairStatus>,
}

/// A repair, with what became of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RepairView {
    #[serde(flatten)]
    pub status: RepairStatus,
    pub links: RepairLinks,
    /// How it came out; absent while it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Why there is no trajectory, where the testbed or the case is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// All that is recorded of it: what failed may tell what gold expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trajectory: Option<Trajectory>,
}

/// Where a repair is found on this server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RepairLinks {
    pub status: String,
    pub events: String,
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
            .gives(StatusCode::ACCEPTED, Some(Content::Json(schema::<RepairView>()))),
        Route::new(Method::GET, &below(""), "get_repair", get(one))
            .doc("repairs", "How a repair stands, and its trajectory once it is recorded.")
            .gives_json::<RepairView>(),
        Route::new(Method::GET, &below("/events"), "repair_event_stream", get(stream::events))
            .doc(
                "repairs",
                "A repair line by line as server-sent events: `step` is a line of its log as it is written, `again` says that the \
                 testbed spoiled it and it is made anew, `end` has what `GET /repairs/{id}` gives, and is the last. Ids count \
                 events; `Last-Event-ID` goes on from there.",
            )
            .query(schema::<StreamFrom>())
            .gives(StatusCode::OK, Some(Content::Events)),
        Route::new(Method::DELETE, &below(""), "cancel_repair", axum::routing::delete(cancel))
            .doc("repairs", "End a repair at once. What is recorded of it stays; an answer that is under way is lost, and paid for.")
            .gives_json::<RepairView>(),
    ]
}

/// What makes repairs, of which a server may have nothing.
fn repairer(api: &Api) -> Result<&Arc<dyn RepairHost>, Problem> {
    api.repairs.as_ref().ok_or_else(|| {
        Problem::new(StatusCode::NOT_FOUND, "repairs_not_hosted", "this server makes no repairs for callers")
            .hinted("start it with --repairs N --benches FOLDER, or use `scratchbed repair run` beside it")
    })
}

async fn list(State(api): State<AppState>, _: Researcher) -> Result<Json<RepairList>, Problem> {
    let host = repairer(&api)?;
    let mut repairs = host.list();
    repairs.truncate(LISTED);
    Ok(Json(RepairList { offer: host.offer(), repairs }))
}

async fn create(State(api): State<AppState>, caller: Researcher, request: Request) -> Result<Response, Problem> {
    caller.attempts?;
    let host = repairer(&api)?;
    let wanted: NewRepair = body::json(request).await?;
    let status = host.begin(wanted, &caller.who).await?;
    let view = RepairView { links: RepairLinks::of(&status.id), status, outcome: None, reason: None, trajectory: None };
    let location = [(LOCATION, view.links.status.clone())];
    Ok((StatusCode::ACCEPTED, location, Json(view)).into_response())
}

async fn one(
    State(api): State<AppState>,
    Path(id): Path<String>,
    caller: Researcher,
) -> Result<Json<RepairView>, Problem> {
    caller.attempts?;
    Ok(Json(RepairView::read(Arc::clone(repairer(&api)?), id).await?))
}

async fn cancel(
    State(api): State<AppState>,
    Path(id): Path<String>,
    caller: Researcher,
) -> Result<Json<RepairView>, Problem> {
    caller.attempts?;
    let host = repairer(&api)?;
    host.cancel(&id).await?;
    Ok(Json(RepairView::read(Arc::clone(host), id).await?))
}

impl RepairLinks {
    /// Names of repairs are letters, digits, `-` and `_`: they stand in addresses as they are.
    fn of(id: &str) -> Self {
        Self { status: format!("/repairs/{id}"), events: format!("/repairs/{id}/events") }
    }
}

impl RepairView {
    /// How a repair stands, with what its run has of it.
    async fn read(host: Arc<dyn RepairHost>, id: String) -> Result<Self, Problem> {
        let status = host.find(&id).ok_or_else(|| unknown(&id))?;
        let run = host.run(&id);
        let recorded = tokio::task::spawn_blocking(move || recorded(&run)).await;
        let recorded = recorded.map_err(|error| Problem::internal(error.to_string()))??;
        let links = RepairLinks::of(&id);
        let Some(AttemptRecord { outcome, error, detail, .. }) = recorded else {
            return Ok(Self { status, links, outcome: None, reason: None, trajectory: None });
        };
        Ok(Self { status, links, outcome: Some(outcome), reason: error, trajectory: detail })
    }
}

/// The last try at a repair, if one is complete.
fn recorded(run: &std::path::Path) -> Result<Option<AttemptRecord<Option<Trajectory>>>, Problem> {
    if !run.join("run.json").is_file() {
        return Ok(None);
    }
    Ok(RunDir::open(run)?.last_tries()?.into_iter().next().map(|tried| tried.record))
}
