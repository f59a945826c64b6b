//! Experiments for researchers, from the ledger: the list, how far one is, its cells, how spend grew, a stream of changes, and
//! orders; and new ones, which a [`Host`] runs. Nothing that a model wrote is told.

mod create;
pub mod host;
mod orders;
mod stream;
mod views;
mod watched;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode};
use axum::routing::{get, post};

use self::create::{CreatedExperiment, HowToCreate, NewExperiment, TOML};
pub use self::host::{Host, PlannedArm, PlannedExperiment};
use self::orders::{OrderRequest, Ordered};
use self::stream::StreamFrom;
use self::views::{CellList, Curves, ExperimentDetails, ExperimentList};
pub use self::watched::Watched;
use super::extract::Researcher;
use super::problem::Problem;
use super::route::{Content, Route, schema};
use super::state::{Api, AppState};
use crate::ledger::{Ledger, LedgerError};
use crate::model::{Blame, Coded as _};

/// Points of a curve at most: more than a page has room for are of no use.
const POINTS: usize = 300;

pub fn routes() -> Vec<Route> {
    let below = |part: &str| format!("/experiments/{{id}}{part}");
    vec![
        Route::new(Method::GET, "/experiments", "list_experiments", get(list))
            .doc("experiments", "The experiments of the server's ledger, newest first; runs are at `GET /runs`. Needs a researcher's token, as runs do.")
            .gives_json::<ExperimentList>(),
        Route::new(Method::POST, "/experiments", "create_experiment", post(create::create))
            .doc(
                "experiments",
                "Create an experiment from the text of its file, which the server runs; answers once the ledger has it. With \
                 `dry_run` it only says what the file asks for, with status 200. The file may name neither files and programs of \
                 the server nor keys that its operator has not allowed; the server calls any endpoint that it names. Needs a \
                 researcher's token where there are tokens, and a server with `--experiments`.",
            )
            .query(schema::<HowToCreate>())
            .takes(Content::Json(schema::<NewExperiment>()))
            .takes(Content::Bytes(TOML))
            .gives(StatusCode::CREATED, Some(Content::Json(schema::<CreatedExperiment>())))
            .or_gives(StatusCode::OK, Content::Json(schema::<PlannedExperiment>())),
        Route::new(Method::GET, &below(""), "get_experiment", get(one))
            .doc("experiments", "How far an experiment is: its arms, lanes, spend, failures, workers and orders.")
            .gives_json::<ExperimentDetails>(),
        Route::new(Method::GET, &below("/cells"), "get_experiment_cells", get(cells))
            .doc("experiments", "The cells of an experiment with what became of each, and a cursor for the stream of changes.")
            .gives_json::<CellList>(),
        Route::new(Method::GET, &below("/curves"), "get_experiment_curves", get(curves))
            .doc("experiments", "How spend and decided cells grew, as at most 300 points.")
            .gives_json::<Curves>(),
        Route::new(Method::GET, &below("/events"), "experiment_event_stream", get(stream::events))
            .doc(
                "experiments",
                "Changes of an experiment as server-sent events, at most two a second: `cells` has the cells that changed, \
                 `status` what `GET /experiments/{id}` gives. Each has its cursor for an id; `Last-Event-ID` goes on from there. \
                 It ends once the experiment is closed.",
            )
            .query(schema::<StreamFrom>())
            .gives(StatusCode::OK, Some(Content::Events)),
        Route::new(Method::POST, &below("/orders"), "order_experiment", post(orders::order))
            .doc(
                "experiments",
                "Give an order: pause, hold, resume or drain an experiment, an arm or a lane; set a limit; want cells again. It \
                 is kept in the ledger and survives restarts. Needs a researcher's token where there are tokens.",
            )
            .takes(Content::Json(schema::<OrderRequest>()))
            .gives_json::<Ordered>(),
    ]
}

impl From<LedgerError> for Problem {
    fn from(error: LedgerError) -> Self {
        let status = match (&error, error.blame()) {
            (LedgerError::UnknownExperiment(_) | LedgerError::Unknown { .. }, _) => StatusCode::NOT_FOUND,
            (LedgerError::LimitRefused { .. }, _) => StatusCode::UNPROCESSABLE_ENTITY,
            (_, Blame::Input) => StatusCode::CONFLICT,
            _ => return Self::ours(&error),
        };
        Self::of(status, &error)
    }
}

/// The ledger, of which a server may have none.
fn ledger(api: &Api) -> Result<&Ledger, Problem> {
    api.ledger.as_ref().ok_or_else(|| {
        Problem::new(StatusCode::NOT_FOUND, "no_ledger", "this server shows no experiments")
            .hinted("start it with --ledger FILE, or begin an experiment with `scratchbed experiment run`")
    })
}

async fn list(State(api): State<AppState>, _: Researcher) -> Result<Json<ExperimentList>, Problem> {
    let experiments = match &api.ledger {
        Some(ledger) => ledger.statuses(false).await?,
        None => Vec::new(),
    };
    Ok(Json(ExperimentList { experiments }))
}

async fn one(
    State(api): State<AppState>,
    caller: Researcher,
    Path(id): Path<String>,
) -> Result<Json<ExperimentDetails>, Problem> {
    Ok(Json(ExperimentDetails::of(ledger(&api)?, &id, caller.may_order).await?))
}

async fn cells(State(api): State<AppState>, _: Researcher, Path(id): Path<String>) -> Result<Json<CellList>, Problem> {
    Ok(Json(CellList::of(ledger(&api)?, &id).await?))
}

async fn curves(State(api): State<AppState>, _: Researcher, Path(id): Path<String>) -> Result<Json<Curves>, Problem> {
    let ledger = ledger(&api)?;
    ledger.status(&id).await?;
    Ok(Json(Curves { points: ledger.curves(&id, POINTS).await? }))
}
