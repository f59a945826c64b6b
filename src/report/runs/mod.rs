//! Reports of runs: one page a run, beside its records, with the tables of the paper, and a gallery of attempts where
//! there is something to see.

mod drag;
mod explain;
mod overlay;
mod page;
mod perception;
mod repair;
mod tasks;

pub(crate) use page::CSS;
pub(in crate::report) use page::write_with;

pub use drag::write_drag_report;
pub use explain::write_explain_report;
pub use perception::write_perception_report;
pub use repair::{Gallery, write_repair_report};
pub use tasks::write_run_report;

use crate::model::AttemptRecord;
use crate::store::RunDir;

/// Letters of an answer that a page shows.
const LONGEST_ANSWER: usize = 4_000;

/// The beginning of the answer that an attempt got, as it came.
fn answer_text<D>(dir: &RunDir, record: &AttemptRecord<D>) -> Option<String> {
    let answer = dir.file_of(record, "answer.txt")?;
    Some(String::from_utf8_lossy(&answer).chars().take(LONGEST_ANSWER).collect())
}
