//! Several attempts at each task: the chance that one of k solves it, and that all of k do.

use serde::Serialize;

use super::table::{NONE, Table, interval};
use crate::grade::{Graded, Interval, Passes, passes};
use crate::model::TaskRecord;

/// k beyond this have no row; JSON has all.
const MOST_K: usize = 10;

/// Pass@k and pass^k of a run for each k.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(super) struct Epochs(Vec<Passes>);

impl Epochs {
    /// Of a run with so many attempts at each task; nothing with one.
    pub(super) fn of(records: &[TaskRecord], attempts: u32) -> Self {
        if attempts < 2 {
            return Self::default();
        }
        let counted = records.iter().filter(|record| record.outcome.counts());
        let solved = |record: &TaskRecord| Graded::from(record).succeeded();
        let each: Vec<(&str, bool)> = counted.map(|record| (record.item.as_str(), solved(record))).collect();
        Self((1..=attempts as usize).filter_map(|k| passes(k, each.iter().copied())).collect())
    }

    /// Those of the most attempts that are shown in one row of the main table: `pass@3`, `pass^3`.
    pub(super) fn most(&self) -> Option<&Passes> {
        self.0.last()
    }
}

/// The table over runs, each with the cells that name it; absent where no run has several attempts.
pub(super) fn table<'a>(runs: impl Iterator<Item = (Vec<String>, &'a Epochs)>) -> Option<Table> {
    let head = ["mode", "agent", "set", "k", "tasks", "pass@k", "pass@k 95 %", "pass^k", "pass^k 95 %", "too few"];
    let share = |found: Interval| [format!("{:.2}", found.percent), interval(Some((found.low, found.high)))];
    let rows: Vec<Vec<String>> = runs
        .flat_map(|(names, epochs)| {
            epochs.0.iter().take(MOST_K).map(move |one| {
                let own = [one.k.to_string(), one.tasks.to_string()].into_iter();
                let figures = own.chain(share(one.any)).chain(share(one.all)).chain([one.fewer.to_string()]);
                names.iter().cloned().chain(figures).collect()
            })
        })
        .collect();
    let note = "pass@k: the chance that one of k attempts solves its task. pass^k: the chance that all of k do. Too few: tasks \
        that are left out because fewer than k of their attempts count";
    (!rows.is_empty()).then(|| Table::new("Tasks: several attempts at each", &head, rows, &[note.to_owned()]))
}

/// The cells of the main table: `66.67 (k = 3)`, or a dash.
pub(super) fn cells(epochs: &Epochs) -> [String; 2] {
    let shown = |of: fn(&Passes) -> Interval| {
        epochs.most().map_or_else(|| NONE.to_owned(), |one| format!("{:.2} (k = {})", of(one).percent, one.k))
    };
    [shown(|one| one.any), shown(|one| one.all)]
}
