//! Records for unit tests of this room.

use crate::model::{AttemptRecord, Cost, Outcome, RUN_FORMAT};

/// An attempt of which nothing is measured.
pub fn record(item: &str, attempt: u32, outcome: Outcome) -> AttemptRecord<()> {
    let item = item.parse().unwrap();
    AttemptRecord {
        format: RUN_FORMAT,
        item,
        attempt,
        retry: 0,
        outcome,
        error: None,
        cost: Cost::default(),
        detail: (),
    }
}
