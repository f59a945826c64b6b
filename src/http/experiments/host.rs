//! What runs experiments that are created over HTTP: a trait, since what files of experiments mean is known above this room, and
//! what such a file asks for, in a form to send.

use std::collections::BTreeMap;

use async_trait::async_trait;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::problem::Problem;
use crate::model::parser_words;

/// Runs the experiments of a server.
#[async_trait]
pub trait Host: std::fmt::Debug + Send + Sync {
    /// What a file asks for; nothing of it is begun.
    ///
    /// # Errors
    /// When the file is wrong, or names what a file from the network must not name.
    async fn plan(&self, file: &str) -> Result<PlannedExperiment, Problem>;

    /// Begins an experiment on behalf of `who`, and waits until the ledger has it. What its file asks for.
    ///
    /// # Errors
    /// As [`Host::plan`]; when there is an experiment of this name, when no more experiments may run, or when what it needs can't be
    /// prepared. Nothing is entered then.
    async fn begin(&self, file: &str, who: &str) -> Result<PlannedExperiment, Problem>;

    /// Looks whether orders have made work for an experiment that nobody works on.
    fn look(&self);

    /// Lets what runs end, for a while, and ends it then; what is cut off is owed.
    async fn close(&self);
}

/// There is an experiment of this name.
pub fn exists(name: &str) -> Problem {
    let problem =
        Problem::new(StatusCode::CONFLICT, "experiment_exists", format!("there is an experiment `{name}` already"));
    problem.hinted("give the file another name; orders make an experiment go on")
}

/// So many experiments run, and no more may.
pub fn full(limit: usize) -> Problem {
    let detail = format!("{limit} experiments run, and no more may at a time");
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_experiments", detail)
        .hinted("wait until one is over, or drain one")
        .retry_after(60)
}

/// As many files are being checked as may be at a time.
pub fn checking() -> Problem {
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", "the files of other experiments are being checked")
        .hinted("send it again in a moment")
        .retry_after(5)
}

/// A file is wrong: its own code, what is wrong with little of what it says, and what to do about it.
pub fn wrong(code: &str, detail: &str, hint: Option<&str>) -> Problem {
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, parser_words(detail));
    match hint {
        Some(hint) => problem.hinted(hint),
        None => problem,
    }
}

/// What lies on the server is in the way of a file that is right.
pub fn in_the_way(code: &str, detail: &str, hint: &str) -> Problem {
    Problem::new(StatusCode::CONFLICT, code, detail).hinted(hint)
}

/// What the experiment needs could not be prepared in time.
pub fn not_begun(cause: impl std::fmt::Display) -> Problem {
    tracing::warn!(%cause, "an experiment was not begun");
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "experiment_not_begun", "the experiment could not be begun")
        .hinted("nothing of it is entered; the server's log and the experiment's host.log have the cause")
}

/// What the file of an experiment asks for, before anything of it is begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlannedExperiment {
    /// Its name, in the ledger and in addresses.
    pub name: String,
    /// In the order of the file.
    pub arms: Vec<PlannedArm>,
    /// Items of all arms, as often as there are epochs.
    pub cells: u64,
    /// With `reuse`: how many cells of each arm other experiments have decided; null where only a browser can tell.
    pub reused: BTreeMap<String, Option<u64>>,
    /// Models whose price is not known.
    pub unpriced: Vec<String>,
}

/// An arm before it is begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlannedArm {
    /// Named after what sets it apart.
    pub label: String,
    /// The lane that it asks; `local` for arms that ask no model.
    pub lane: String,
    /// The model that it asks, if it asks one.
    pub model: Option<String>,
    /// Items that it attempts.
    pub items: u64,
    /// Items, as often as there are epochs.
    pub cells: u64,
    /// Whether its attempts go one after another, since each knows what the earlier ones have learned.
    pub is_stream: bool,
    /// What one attempt may cost at most, in micro-dollars; null where no price is known.
    pub most_micro_usd_per_attempt: Option<u64>,
}
