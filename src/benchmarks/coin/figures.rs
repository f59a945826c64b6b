//! Figures: how many passed, or have a result file where the reference counts.

use crate::grade::{Count, has_result_file};
use crate::model::{AttemptRecord, Outcome};

pub(super) fn passed(records: &[AttemptRecord<u32>], count: Count) -> usize {
    let counts = |record: &&AttemptRecord<u32>| match count {
        Count::Ours => record.outcome == Outcome::Passed,
        Count::Reference => has_result_file(record.outcome),
    };
    records.iter().filter(counts).count()
}
