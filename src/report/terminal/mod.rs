//! The tables that commands print of one run: plain text for a terminal. Runs side by side are `side`'s.

mod drags;
mod explanations;
mod perception;
mod ratings;
mod regrades;
mod repairs;
mod statistics;
mod words;

pub use drags::drag_text;
pub use explanations::explanations_text;
pub use perception::perception_text;
pub use ratings::{agreement_text, distributions_text};
pub use regrades::{OfWorker, by_worker, by_worker_text, changes_text, regrading_text};
pub use repairs::{filtered_text, repairs_text};
pub use statistics::statistics_text;
pub use words::{AS_THE_REFERENCE, left_out_text, percent, with_interval, with_missing};

use comfy_table::{Table, presets};

/// A plain table with a head; columns are as wide as their content.
pub fn plain_table<R, C>(head: &[&str], rows: R) -> Table
where
    R: IntoIterator<Item = C>,
    C: Into<comfy_table::Row>,
{
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head.to_vec()).add_rows(rows);
    table
}
