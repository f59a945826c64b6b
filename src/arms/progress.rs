//! What is shown while cells are worked on, of an experiment or of a run: a bar, and a line for each attempt that ends.

use crate::arms::signs::{LoggedBar, bar_with_rows};
use scratchbed::experiment::engine::{Made, Noted};
use scratchbed::ledger::{Bound, CellRow, Counts, Ended, Gate};

/// The line about an attempt that has ended; it begins with how many cells are done, of how many.
type Line = dyn Fn(&str, &CellRow, &Made, Ended) -> String + Send + Sync;

/// The view of one process's work.
pub struct Progress {
    bar: LoggedBar,
    line: Box<Line>,
}

impl Progress {
    /// A view under this name, with a head above the lines about attempts; the number of cells is known when it begins.
    pub fn new(
        name: &str,
        head: Option<String>,
        line: impl Fn(&str, &CellRow, &Made, Ended) -> String + Send + Sync + 'static,
    ) -> Self {
        Self { bar: bar_with_rows(name, 0, head), line: Box::new(line) }
    }

    /// Shows what happened.
    pub fn note(&self, noted: &Noted<'_>) {
        match noted {
            Noted::Began(cells) => self.count(cells),
            Noted::Started(cell) => self.bar.set_message(cell.item.clone()),
            Noted::Ended { cell, made, ended } => {
                if matches!(ended, Ended::Counted | Ended::Dead) {
                    self.bar.inc(1);
                }
                let done = format!("{}/{}", self.bar.position(), self.bar.length().unwrap_or_default());
                self.bar.row((self.line)(&done, cell, made, *ended).trim_end());
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
        self.count(cells);
        self.bar.set_message(format!("{} running", cells.running));
    }

    fn count(&self, cells: &Counts) {
        self.bar.set_length(cells.all());
        self.bar.set_position(cells.decided + cells.dead);
    }

    /// Shows a line above the bar.
    pub fn say(&self, line: &str) {
        self.bar.say(line.trim_end());
    }

    /// Ends the view.
    pub fn close(&self) {
        self.bar.finish_and_clear();
    }
}

/// Why nothing begins.
fn waiting(gate: Gate, bounds: &[Bound]) -> String {
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
