//! Creating an experiment over HTTP, or only saying what its file asks for.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::response::{IntoResponse as _, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::host::PlannedExperiment;
use super::ledger;
use crate::http::extract::{Options, OrderAccess, body};
use crate::http::problem::Problem;
use crate::http::state::AppState;

/// The media type of TOML.
pub const TOML: &str = "application/toml";
/// Media types under which a file is taken as it is.
const TOML_TYPES: [&str; 3] = [TOML, "text/toml", "text/x-toml"];
/// Bytes of a file, and of a JSON body around it; the largest matrix fits many times.
const FILE_LIMIT: usize = 512 << 10;

/// An experiment to create.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewExperiment {
    /// The text of its file, TOML as `scratchbed experiment run` reads it. It may name neither files and programs of the server nor
    /// keys that the operator has not allowed.
    pub file: String,
    /// Only say what it asks for; nothing is begun.
    #[serde(default)]
    pub dry_run: bool,
}

/// How a file is taken that is sent as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HowToCreate {
    /// Only say what the file asks for; nothing is begun.
    #[serde(default)]
    pub dry_run: bool,
}

/// An experiment that was created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CreatedExperiment {
    /// Its name in addresses.
    pub id: String,
    pub links: ExperimentLinks,
    /// What its file asks for.
    pub plan: PlannedExperiment,
}

/// Where an experiment is found on this server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExperimentLinks {
    /// How far it is.
    pub status: String,
    pub cells: String,
    pub curves: String,
    /// The stream of changes.
    pub events: String,
    /// Where orders are given.
    pub orders: String,
    /// The page for people.
    pub page: String,
}

/// Creates an experiment.
pub async fn create(
    State(api): State<AppState>,
    caller: OrderAccess,
    Options(how): Options<HowToCreate>,
    request: Request,
) -> Result<Response, Problem> {
    let Some(host) = &api.host else {
        let refused =
            Problem::new(StatusCode::NOT_FOUND, "experiments_not_hosted", "this server runs no experiments of callers");
        return Err(refused.hinted("start it with --experiments N, or use `scratchbed experiment run` beside it"));
    };
    ledger(&api)?;
    let NewExperiment { file, dry_run } = read(request).await?;
    if dry_run || how.dry_run {
        return Ok(Json(host.plan(&file).await?).into_response());
    }
    let plan = host.begin(&file, &caller.who).await?;
    let (id, links) = (plan.name.clone(), ExperimentLinks::of(&plan.name));
    let location = [(LOCATION, links.status.clone())];
    Ok((StatusCode::CREATED, location, Json(CreatedExperiment { id, links, plan })).into_response())
}

async fn read(request: Request) -> Result<NewExperiment, Problem> {
    let given = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_toml = TOML_TYPES.contains(&essence.as_str());
    if !is_toml && essence != "application/json" {
        let detail = format!("a body of type `{essence}` is not taken here");
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", detail)
            .hinted(format!("send application/json with the file's text as `file`, or the file as {TOML}")));
    }
    let held = body::read(request, FILE_LIMIT).await?;
    if !is_toml {
        return body::decode(&held);
    }
    let file = std::str::from_utf8(&held).map_err(|error| {
        let detail = format!("the file is not UTF-8 from byte {}", error.valid_up_to());
        Problem::new(StatusCode::BAD_REQUEST, "bad_utf8", detail)
    })?;
    Ok(NewExperiment { file: file.to_owned(), dry_run: false })
}

impl ExperimentLinks {
    /// Names of experiments are letters, digits, `-` and `_`: they stand in addresses as they are.
    fn of(id: &str) -> Self {
        let at = |part: &str| format!("/experiments/{id}{part}");
        Self {
            status: at(""),
            cells: at("/cells"),
            curves: at("/curves"),
            events: at("/events"),
            orders: at("/orders"),
            page: format!("/live#experiment/{id}"),
        }
    }
}
