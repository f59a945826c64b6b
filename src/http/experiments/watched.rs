//! One look at the ledger for all who watch an experiment. A task looks while there are watchers; what it saw is handed to each of
//! them, who finds in it what it was not told yet ([`super::stream`]).

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::views::{Cell, ExperimentDetails, Places};
use crate::ledger::{Ledger, LedgerError, WatchedCell};

/// Between two looks at the ledger.
const LOOK: Duration = Duration::from_millis(500);
/// Milliseconds by which each look reaches back behind the newest change that was seen: a change gets its time before others can
/// see it.
pub const OVERLAP_MS: u64 = 10_000;
/// Milliseconds of changes that are kept for watchers who fall behind; who falls behind further asks the ledger.
const KEPT_MS: u64 = 60_000;

/// What a look saw; none yet at the very beginning.
pub type Seen = Option<Arc<Look>>;

/// The experiments that are watched, with what is seen of them.
#[derive(Debug, Clone, Default)]
pub struct Watched(Arc<Mutex<HashMap<String, watch::Sender<Seen>>>>);

/// An experiment as it was seen.
#[derive(Debug, Clone)]
pub struct Look {
    /// As for a caller who may give no orders.
    pub details: ExperimentDetails,
    /// Time of the oldest change that is among the cells.
    pub from: u64,
    /// Places of arms and items in lists.
    pub places: Arc<Places>,
    /// Cells that changed since `from`, by when they did.
    cells: BTreeMap<(u64, String), Cell>,
}

impl Look {
    /// Cells that changed at this time or later, each with its time.
    pub fn since(&self, time: u64) -> impl Iterator<Item = (u64, &Cell)> {
        self.cells.range((time, String::new())..).map(|((since, _), cell)| (*since, cell))
    }
}

impl Watched {
    /// Joins the watchers of an experiment; the first one begins the looks, at changes since `from`. They go on until the last
    /// watcher is gone, the ledger fails, or `closing` is cancelled.
    pub fn join(&self, ledger: &Ledger, id: &str, from: u64, closing: &CancellationToken) -> watch::Receiver<Seen> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = all.get(id) {
            return sender.subscribe();
        }
        let (sender, receiver) = watch::channel(None);
        all.insert(id.to_owned(), sender.clone());
        let looker = Looker { ledger: ledger.clone(), id: id.to_owned(), from, newest: from, cells: HashMap::new() };
        let (watched, closing, id) = (self.clone(), closing.clone(), id.to_owned());
        tokio::spawn(async move {
            tokio::select! {
                () = watched.look_on(looker, &sender) => {}
                () = closing.cancelled() => watched.forget(&id),
            }
        });
        receiver
    }

    /// Looks again and again. What ends it takes the experiment out of the list, so that watchers who come later begin anew.
    async fn look_on(&self, mut looker: Looker, sender: &watch::Sender<Seen>) {
        loop {
            let before = sender.borrow().clone();
            match looker.look(before).await {
                Ok(Some(look)) => drop(sender.send_replace(Some(Arc::new(look)))),
                Ok(None) => {}
                Err(error) => {
                    // Who watches connects again, and is told then what is wrong.
                    tracing::warn!(%error, experiment = looker.id, "a stream of changes has ended");
                    self.forget(&looker.id);
                    return;
                }
            }
            tokio::time::sleep(LOOK).await;
            if self.is_left(&looker.id, sender) {
                return;
            }
        }
    }

    fn forget(&self, id: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Whether the last watcher is gone; then the experiment is no longer watched. New watchers wait for the lock meanwhile.
    fn is_left(&self, id: &str, sender: &watch::Sender<Seen>) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_left = sender.receiver_count() == 0;
        if is_left {
            all.remove(id);
        }
        is_left
    }
}

/// Who looks.
#[derive(Debug)]
struct Looker {
    ledger: Ledger,
    id: String,
    from: u64,
    /// Time of the newest change that was seen.
    newest: u64,
    /// When each cell among those that are kept changed.
    cells: HashMap<String, u64>,
}

impl Looker {
    /// What there is now, if it is not what there was before.
    async fn look(&mut self, before: Seen) -> Result<Option<Look>, LedgerError> {
        // First how far it is, then the cells: when it is closed, these are all.
        let details = ExperimentDetails::of(&self.ledger, &self.id, false).await?;
        let reach = if before.is_some() { self.newest.saturating_sub(OVERLAP_MS) } else { self.from };
        let found = self.ledger.changed(&self.id, reach.max(self.from)).await?;
        let is_same = before.as_ref().is_some_and(|before| before.details.says_the_same(&details));
        let mut look = if let Some(before) = before {
            Look { details, ..before.as_ref().clone() }
        } else {
            let places = Arc::new(Places::of(&self.ledger, &self.id).await?);
            Look { details, from: self.from, places, cells: BTreeMap::new() }
        };
        let has_changed = self.enter(&mut look, &found).await?;
        Ok((has_changed || !is_same).then_some(look))
    }

    /// Enters cells as they are now. Whether one is not as it was.
    async fn enter(&mut self, look: &mut Look, found: &[WatchedCell]) -> Result<bool, LedgerError> {
        if found.iter().any(|watched| look.places.cell(watched).is_none()) {
            // It was entered after the looks began.
            look.places = Arc::new(Places::of(&self.ledger, &self.id).await?);
        }
        let mut has_changed = false;
        for watched in found {
            let Some(cell) = look.places.cell(watched) else { continue };
            self.newest = self.newest.max(watched.since);
            let key = (watched.since, cell.id.clone());
            if look.cells.get(&key) == Some(&cell) {
                continue;
            }
            if let Some(since) = self.cells.insert(cell.id.clone(), watched.since) {
                look.cells.remove(&(since, cell.id.clone()));
            }
            look.cells.insert(key, cell);
            has_changed = true;
        }
        self.leave_out_old(look);
        Ok(has_changed)
    }

    fn leave_out_old(&mut self, look: &mut Look) {
        self.from = self.from.max(self.newest.saturating_sub(KEPT_MS));
        look.from = self.from;
        let kept = look.cells.split_off(&(self.from, String::new()));
        for (_, id) in std::mem::replace(&mut look.cells, kept).into_keys() {
            self.cells.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ledger::{ArmPlan, Budget, CellPlan, Gate, LanePlan, Plan, Retry, Scope};

    async fn ledger(folder: &std::path::Path) -> Ledger {
        let ledger = Ledger::open(&folder.join("ledger.sqlite")).await.unwrap();
        let arm = ArmPlan {
            label: "noop".to_owned(),
            spec: json!({}),
            digest: "d".to_owned(),
            lane: "local".to_owned(),
            is_stream: false,
            cap_micro_usd: None,
            cap_tokens: None,
        };
        let cell = |item: usize| CellPlan {
            arm: 0,
            item: format!("item_{item}"),
            epoch: 1,
            seed: 1,
            key: format!("{item:016}"),
        };
        let plan = Plan {
            id: "e".to_owned(),
            name: "e".to_owned(),
            file: String::new(),
            run: None,
            pins: json!({}),
            budget: Budget::default(),
            retry: Retry::default(),
            lanes: vec![LanePlan { name: "local".to_owned(), in_flight: 9, rpm: None, tpm: None }],
            arms: vec![arm],
            cells: (0..5).map(cell).collect(),
        };
        ledger.enter(&plan).await.unwrap();
        ledger
    }

    #[tokio::test]
    async fn all_watchers_share_the_looks_which_end_with_the_last_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = ledger(folder.path()).await;
        let (watched, closing) = (Watched::default(), CancellationToken::new());
        let mut all: Vec<_> = (0..20).map(|_| watched.join(&ledger, "e", 0, &closing)).collect();
        assert_eq!(watched.0.lock().unwrap().len(), 1);
        let mut seen = Vec::new();
        for one in &mut all {
            seen.push(one.wait_for(Option::is_some).await.unwrap().clone().unwrap());
        }
        assert!(seen.iter().all(|look| Arc::ptr_eq(look, &seen[0])), "each has looked by itself");
        assert_eq!(seen[0].since(0).count(), 5);

        ledger.set_gate("e", &Scope::Experiment, Gate::Paused, "me", None).await.unwrap();
        for one in &mut all {
            one.changed().await.unwrap();
            assert_eq!(one.borrow().as_ref().unwrap().details.status.state, Gate::Paused);
        }
        drop(all);
        let gone = async {
            while !watched.0.lock().unwrap().is_empty() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(LOOK * 10, gone).await.expect("nobody watches, and it is looked on");
        let mut again = watched.join(&ledger, "e", 0, &closing);
        again.wait_for(Option::is_some).await.unwrap();
        closing.cancel();
        assert!(again.wait_for(|_| false).await.is_err(), "the looks end with the server");
    }
}
