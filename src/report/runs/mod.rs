//! Reports of runs: one page a run, beside its records, with the tables of the paper, and a gallery of attempts where
//! there is something to see.

mod drag;
mod overlay;
mod page;
mod perception;
mod repair;
mod tasks;

pub(in crate::report) use page::{CSS, write_with};

pub use drag::write_drag_report;
pub use perception::write_perception_report;
pub use repair::{Gallery, write_repair_report};
pub use tasks::write_run_report;
