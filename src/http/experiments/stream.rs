//! The stream of changes of one experiment.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::header::HeaderMap;
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use futures::Stream;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::ledger;
use super::views::{Cell, ExperimentDetails, Places};
use crate::http::extract::{Options, Researcher};
use crate::http::problem::Problem;
use crate::http::state::AppState;
use crate::ledger::{Gate, Ledger, LedgerError};

/// Between two looks at the ledger.
const LOOK: Duration = Duration::from_millis(500);
/// Milliseconds by which each look reaches back behind the newest change that was seen: a change gets its time before others can
/// see it.
const OVERLAP_MS: u64 = 10_000;

/// Where a stream begins.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamFrom {
    /// The cursor of the last event that the caller has, or of the list of cells; 0 tells all cells.
    #[serde(default)]
    pub after: u64,
}

/// Tells changes until the experiment is closed or the server stops.
pub async fn events(
    State(api): State<AppState>,
    Path(id): Path<String>,
    caller: Researcher,
    headers: HeaderMap,
    Options(from): Options<StreamFrom>,
) -> Result<Sse<impl Stream<Item = Result<Message, Infallible>>>, Problem> {
    let resumed = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let ledger = ledger(&api)?.clone();
    let places = Places::of(&ledger, &id).await?;
    let follow = Follow {
        ledger,
        id,
        may_order: caller.attempts.is_ok(),
        places,
        cursor: resumed.unwrap_or(from.after),
        told: BTreeMap::new(),
        status: None,
        waiting: VecDeque::new(),
        is_over: false,
        api,
    };
    Ok(Sse::new(futures::stream::unfold(follow, Follow::next)).keep_alive(KeepAlive::default()))
}

/// A watcher.
struct Follow {
    ledger: Ledger,
    id: String,
    may_order: bool,
    places: Places,
    /// Time of the newest change that was told.
    cursor: u64,
    /// Cells that changed within the overlap, with their times, as they were told.
    told: BTreeMap<String, (u64, Cell)>,
    /// As it was told.
    status: Option<ExperimentDetails>,
    waiting: VecDeque<Message>,
    is_over: bool,
    api: AppState,
}

impl Follow {
    async fn next(mut self) -> Option<(Result<Message, Infallible>, Self)> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Some((Ok(message), self));
            }
            if self.is_over || self.api.closing.is_cancelled() {
                return None;
            }
            if self.status.is_some() {
                tokio::select! {
                    () = tokio::time::sleep(LOOK) => {}
                    () = self.api.closing.cancelled() => return None,
                }
            }
            if let Err(error) = self.look().await {
                // Who watches connects again, and is told then what is wrong.
                tracing::warn!(%error, experiment = self.id, "a stream of changes has ended");
                return None;
            }
        }
    }

    async fn look(&mut self) -> Result<(), LedgerError> {
        let now = ExperimentDetails::of(&self.ledger, &self.id, self.may_order).await?;
        let changed = self.changes().await?;
        let cursor = self.cursor.to_string();
        let message =
            |kind: &str, data: serde_json::Value| Message::default().event(kind).id(&cursor).data(data.to_string());
        if !changed.is_empty() {
            self.waiting.push_back(message("cells", json!({"cells": changed, "cursor": cursor})));
        }
        if self.status.as_ref().is_none_or(|before| !before.says_the_same(&now)) {
            self.waiting.push_back(message("status", json!(now)));
        }
        self.is_over = now.status.state == Gate::Closed;
        self.status = Some(now);
        Ok(())
    }

    /// Cells that are not as they were told.
    async fn changes(&mut self) -> Result<Vec<Cell>, LedgerError> {
        let found = self.ledger.changed(&self.id, self.cursor.saturating_sub(OVERLAP_MS)).await?;
        let mut changed = Vec::new();
        for watched in &found {
            let Some(cell) = self.places.cell(watched) else {
                // It was entered after this stream began.
                self.places = Places::of(&self.ledger, &self.id).await?;
                changed.extend(self.places.cell(watched));
                continue;
            };
            if self.told.get(&cell.id).is_none_or(|(_, before)| *before != cell) {
                self.told.insert(cell.id.clone(), (watched.since, cell.clone()));
                changed.push(cell);
            }
            self.cursor = self.cursor.max(watched.since);
        }
        let oldest = self.cursor.saturating_sub(OVERLAP_MS);
        self.told.retain(|_, (since, _)| *since >= oldest);
        Ok(changed)
    }
}
