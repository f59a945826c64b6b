//! What is sent of experiments.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::experiment::engine::CellRef;
use crate::ledger::{CellState, CurvePoint, LaneStatus, Ledger, LedgerError, Order, Status, WatchedCell, WorkerRow};
use crate::store::arm_run;

/// The experiments.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExperimentList {
    /// Newest first.
    pub experiments: Vec<Status>,
}

/// An experiment at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ExperimentDetails {
    /// How far it is, and what it has spent.
    pub status: Status,
    /// The lanes that its arms ask.
    pub lanes: Vec<LaneStatus>,
    /// The workers of the ledger.
    pub workers: Vec<WorkerRow>,
    /// Orders that were given, oldest first.
    pub orders: Vec<Order>,
    /// Whether the caller may give orders.
    pub may_order: bool,
}

/// An arm by its name.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NamedArm {
    pub id: String,
    pub label: String,
}

/// The cells of an experiment. Arms and items are named by their places in the lists.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CellList {
    /// In the order of the plan.
    pub arms: Vec<NamedArm>,
    /// In the order of the plan.
    pub items: Vec<String>,
    /// The highest epoch.
    pub epochs: u64,
    /// In the order of the plan.
    pub cells: Vec<Cell>,
    /// From where the stream of changes goes on.
    pub cursor: String,
}

/// One item, for one arm, in one epoch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cell {
    pub id: String,
    /// Place of the arm in the list.
    pub arm: usize,
    /// Place of the item in the list.
    pub item: usize,
    /// From 1.
    pub epoch: u64,
    pub state: CellState,
    /// Attempts that were begun.
    pub tries: u64,
    /// Of these: spoiled by the testbed.
    pub infra: u64,
    /// Of these: failed by a provider.
    pub provider: u64,
    /// Of the attempt that counts.
    pub outcome: Option<String>,
    /// Tests that it passed.
    pub passed: Option<u64>,
    /// Tests that there were.
    pub total: Option<u64>,
    /// Of the newest attempt, if it failed without counting.
    pub code: Option<String>,
    /// The run that has the attempt that counts, as `GET /runs/{id}` knows it.
    pub run: Option<String>,
    /// The attempt that counts, as `GET /runs/{id}/attempts/{attempt}` knows it.
    pub attempt: Option<String>,
}

/// How spend and decisions grew.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Curves {
    /// In the order of time.
    pub points: Vec<CurvePoint>,
}

/// Places of arms and items in the lists of a watcher.
#[derive(Debug, Clone, Default)]
pub struct Places {
    arms: BTreeMap<String, usize>,
    items: BTreeMap<String, usize>,
}

impl ExperimentDetails {
    /// What the ledger says now.
    pub async fn of(ledger: &Ledger, id: &str, may_order: bool) -> Result<Self, LedgerError> {
        Ok(Self {
            status: ledger.status(id).await?,
            lanes: ledger.lanes(id).await?,
            workers: ledger.workers().await?,
            orders: ledger.orders(id).await?,
            may_order,
        })
    }

    /// Whether two say the same, times apart, which go on by themselves.
    pub fn says_the_same(&self, other: &Self) -> bool {
        let timeless = |one: &Self| {
            let mut one = one.clone();
            one.status.age_ms = 0;
            one.workers.iter_mut().for_each(|worker| worker.silent_ms = 0);
            one.lanes.iter_mut().for_each(|lane| lane.closed_ms = lane.closed_ms.min(1));
            one
        };
        timeless(self) == timeless(other)
    }
}

impl CellList {
    /// All cells.
    pub async fn of(ledger: &Ledger, id: &str) -> Result<Self, LedgerError> {
        let arms = ledger.status(id).await?.arms;
        let watched = ledger.changed(id, 0).await?;
        let mut places = Places::of_arms(arms.iter().map(|arm| arm.id.as_str()));
        for watched in &watched {
            places.add_item(&watched.cell.item);
        }
        Ok(Self {
            arms: arms.into_iter().map(|arm| NamedArm { id: arm.id, label: arm.label }).collect(),
            items: places.items(),
            epochs: watched.iter().map(|cell| cell.cell.epoch).max().unwrap_or_default(),
            cursor: watched.iter().map(|cell| cell.since).max().unwrap_or_default().to_string(),
            cells: watched.iter().filter_map(|cell| places.cell(cell)).collect(),
        })
    }
}

impl Places {
    fn of_arms<'a>(arms: impl Iterator<Item = &'a str>) -> Self {
        Self { arms: arms.enumerate().map(|(at, arm)| (arm.to_owned(), at)).collect(), items: BTreeMap::new() }
    }

    /// Those of a whole experiment.
    pub async fn of(ledger: &Ledger, id: &str) -> Result<Self, LedgerError> {
        let arms = ledger.status(id).await?.arms;
        let mut places = Self::of_arms(arms.iter().map(|arm| arm.id.as_str()));
        for cell in ledger.cells(id).await? {
            places.add_item(&cell.item);
        }
        Ok(places)
    }

    /// Adds an item behind the others, unless it is there.
    fn add_item(&mut self, item: &str) {
        let next = self.items.len();
        self.items.entry(item.to_owned()).or_insert(next);
    }

    /// The items in their places.
    fn items(&self) -> Vec<String> {
        let mut items: Vec<(&usize, &String)> = self.items.iter().map(|(item, at)| (at, item)).collect();
        items.sort_unstable();
        items.into_iter().map(|(_, item)| item.clone()).collect()
    }

    /// A cell as it is sent; `None` if its arm or item has come since.
    pub fn cell(&self, watched: &WatchedCell) -> Option<Cell> {
        let (cell, made) = (&watched.cell, watched.made.as_ref());
        let attempt = made.map(|(_, _, number)| {
            let folder = CellRef::of(&cell.item, cell.epoch, *number).folder();
            folder.rsplit('/').next().unwrap_or_default().to_owned()
        });
        let own = watched.run.as_ref().and_then(|run| Some(Path::new(run).file_name()?.to_str()?.to_owned()));
        Some(Cell {
            id: cell.id.clone(),
            arm: *self.arms.get(&cell.arm)?,
            item: *self.items.get(&cell.item)?,
            epoch: cell.epoch,
            state: cell.state,
            tries: cell.tries,
            infra: cell.infra,
            provider: cell.provider,
            outcome: watched.outcome.clone(),
            passed: watched.tests.map(|(passed, _)| passed),
            total: watched.tests.map(|(_, total)| total),
            code: watched.code.clone(),
            run: own.or_else(|| made.map(|(experiment, arm, _)| arm_run(experiment, arm))),
            attempt,
        })
    }
}
