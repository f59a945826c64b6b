//! The stream of changes of one experiment.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::HeaderMap;
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use futures::Stream;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::ledger;
use super::views::{Cell, ExperimentDetails};
use super::watched::{Look, OVERLAP_MS, Seen};
use crate::http::extract::{Options, Researcher};
use crate::http::problem::Problem;
use crate::http::state::AppState;
use crate::ledger::{Gate, Ledger, LedgerError};
use crate::session::Viewer;

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
    caller: Researcher,
    Path(id): Path<String>,
    headers: HeaderMap,
    Options(from): Options<StreamFrom>,
) -> Result<Sse<impl Stream<Item = Result<Message, Infallible>>>, Problem> {
    let resumed = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let ledger = ledger(&api)?.clone();
    ledger.status(&id).await?;
    let place = api.sessions.open_stream(&Viewer::current(), format!("experiments/{id}"))?;
    let cursor: u64 = resumed.unwrap_or(from.after);
    let seen = api.watched.join(&ledger, &id, cursor.saturating_sub(OVERLAP_MS), &api.closing);
    let follow = Follow {
        ledger,
        id,
        may_order: caller.may_order,
        seen,
        cursor,
        told: BTreeMap::new(),
        status: None,
        waiting: VecDeque::new(),
        is_over: false,
        closing: api.closing.clone(),
    };
    let messages = futures::stream::unfold(follow, Follow::next);
    Ok(Sse::new(place.hold(messages)).keep_alive(KeepAlive::default()))
}

/// A watcher.
struct Follow {
    ledger: Ledger,
    id: String,
    may_order: bool,
    seen: watch::Receiver<Seen>,
    /// Time of the newest change that was told.
    cursor: u64,
    /// Cells that changed within the overlap, with their times, as they were told.
    told: BTreeMap<String, (u64, Cell)>,
    /// As it was told.
    status: Option<ExperimentDetails>,
    waiting: VecDeque<Message>,
    is_over: bool,
    closing: CancellationToken,
}

impl Follow {
    async fn next(mut self) -> Option<(Result<Message, Infallible>, Self)> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Some((Ok(message), self));
            }
            if self.is_over {
                return None;
            }
            let closing = self.closing.clone();
            let look = tokio::select! {
                look = self.look() => look?,
                () = closing.cancelled() => return None,
            };
            if let Err(error) = self.tell(&look).await {
                // Who watches connects again, and is told then what is wrong.
                tracing::warn!(%error, experiment = self.id, "a stream of changes has ended");
                return None;
            }
        }
    }

    /// What was seen last, or next if that was told already; `None` when nobody looks any more.
    async fn look(&mut self) -> Option<Arc<Look>> {
        if self.status.is_some() {
            self.seen.changed().await.ok()?;
        }
        self.seen.wait_for(Option::is_some).await.ok()?.clone()
    }

    /// Tells what of a look is new: first the cells, then how far it is. Both have the new cursor, and who knows it has been told
    /// the cells; how far it is is told to everyone who begins.
    async fn tell(&mut self, look: &Look) -> Result<(), LedgerError> {
        let changed = self.changes(look).await?;
        let cursor = self.cursor.to_string();
        let message =
            |kind: &str, data: serde_json::Value| Message::default().event(kind).id(&cursor).data(data.to_string());
        if !changed.is_empty() {
            self.waiting.push_back(message("cells", json!({"cells": changed, "cursor": cursor})));
        }
        let now = ExperimentDetails { may_order: self.may_order, ..look.details.clone() };
        if self.status.as_ref().is_none_or(|before| !before.says_the_same(&now)) {
            self.waiting.push_back(message("status", json!(now)));
        }
        self.is_over = now.status.state == Gate::Closed;
        self.status = Some(now);
        Ok(())
    }

    /// Cells that are not as they were told.
    async fn changes(&mut self, look: &Look) -> Result<Vec<Cell>, LedgerError> {
        let reach = self.cursor.saturating_sub(OVERLAP_MS);
        let mut found: BTreeMap<String, (u64, Cell)> = BTreeMap::new();
        if reach < look.from {
            // The looks began after what this watcher has, or it has fallen behind.
            let older = self.ledger.changed(&self.id, reach).await?;
            let cells = older.iter().filter_map(|watched| Some((watched.since, look.places.cell(watched)?)));
            found.extend(cells.map(|(since, cell)| (cell.id.clone(), (since, cell))));
        }
        for (since, cell) in look.since(reach) {
            if found.get(&cell.id).is_none_or(|(newer, _)| *newer <= since) {
                found.insert(cell.id.clone(), (since, cell.clone()));
            }
        }
        self.cursor = found.values().map(|(since, _)| *since).max().unwrap_or_default().max(self.cursor);
        let mut changed = Vec::new();
        for (id, (since, cell)) in found {
            if self.told.get(&id).is_none_or(|(_, before)| *before != cell) {
                changed.push(cell.clone());
                self.told.insert(id, (since, cell));
            }
        }
        let oldest = self.cursor.saturating_sub(OVERLAP_MS);
        self.told.retain(|_, (since, _)| *since >= oldest);
        Ok(changed)
    }
}
