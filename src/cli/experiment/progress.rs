//! What is shown of an experiment while it is worked on: a bar, and a line for each attempt that ends.

use std::collections::BTreeMap;

use indicatif::ProgressBar;

use crate::arms::signs::brief;
use crate::arms::signs::{bar, progress};
use scratchbed::experiment::engine::Noted;
use scratchbed::ledger::{Bound, CellRow, Counts, Ended, Gate};

/// The view of one process's work.
pub struct Progress {
    bar: ProgressBar,
    /// Labels of arms by their ids.
    labels: BTreeMap<String, String>,
}

impl Progress {
    /// A view of so many cells.
    pub fn new(name: &str, cells: &Counts, labels: BTreeMap<String, String>) -> Self {
        let bar = bar(name, cells.all());
        bar.set_position(cells.decided + cells.dead);
        Self { bar, labels }
    }

    /// Shows what happened.
    pub fn note(&self, noted: &Noted<'_>) {
        match noted {
            Noted::Began(_) => {}
            Noted::Started(cell) => self.bar.set_message(cell.item.clone()),
            Noted::Ended { cell, made, ended } => {
                if matches!(ended, Ended::Counted | Ended::Dead) {
                    self.bar.inc(1);
                }
                let reason = made.reason.as_deref().map(brief).unwrap_or_default();
                self.say(&format!("{}  {}{}  {reason}", self.name(cell), made.outcome.name(), follows(*ended)));
            }
            Noted::HandedIn { cell } => {
                self.bar.inc(1);
                self.say(&format!("{cell}  had ended before: handed in"));
            }
            Noted::Waiting { gate, bounds } => self.say(&waiting(*gate, bounds)),
        }
    }

    /// Shows how far it is, where others work.
    pub fn show(&self, cells: &Counts) {
        self.bar.set_position(cells.decided + cells.dead);
        self.bar.set_message(format!("{} running", cells.running));
    }

    fn name(&self, cell: &CellRow) -> String {
        let label = self.labels.get(&cell.arm).map_or(cell.arm.as_str(), String::as_str);
        let place = format!("{}/{}", self.bar.position(), self.bar.length().unwrap_or_default());
        format!("{place:>9}  {label}  {}  epoch {}", cell.item, cell.epoch)
    }

    fn say(&self, line: &str) {
        self.bar.suspend(|| progress(line.trim_end()));
    }

    /// Ends the view.
    pub fn close(&self) {
        self.bar.finish_and_clear();
    }
}

/// What follows an attempt that did not count.
const fn follows(ended: Ended) -> &'static str {
    match ended {
        Ended::Counted => "",
        Ended::Owed => " (again)",
        Ended::Dead => " (given up)",
        Ended::Void => " (does not count: another attempt took its place)",
    }
}

/// Why nothing begins.
pub fn waiting(gate: Gate, bounds: &[Bound]) -> String {
    let bound = |bound: &Bound| match bound {
        Bound::Slots => "all slots are taken".to_owned(),
        Bound::Lane(name) => format!("lane `{name}` bears no more"),
        Bound::Budget(_) => "the budget allows no more".to_owned(),
    };
    match gate {
        Gate::Open if bounds.is_empty() => "waiting".to_owned(),
        Gate::Open => format!("waiting: {}", bounds.iter().map(bound).collect::<Vec<_>>().join(", ")),
        gate => format!("waiting: the experiment is {gate}; `scratchbed experiment resume` goes on"),
    }
}
