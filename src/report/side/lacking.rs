//! What runs lack: attempts that are owed or dead. A final table has none.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::benchmarks::tasks::Tasks;
use crate::benchmarks::tasks::regrade::{Grading, graded_tries};
use crate::experiment::Benchmark as _;
use crate::grade::{Lacking, lacking};
use crate::model::{AttemptRecord, Category, ItemId, Outcome, TaskRecord, shown_name};
use crate::report::ReportError;
use crate::store::{RunDir, StoreError};

/// The setting of runs of projects that were made elsewhere, which may have fewer for some tasks.
const PREDICTIONS: &str = "predictions";

/// Names that an error lists.
const NAMED: usize = 5;

/// Every try at an attempt that was recorded, with later grades in place of the first ones.
pub(super) struct Tries(Vec<(ItemId, u32, Outcome)>);

impl Tries {
    pub(super) fn of(run: &RunDir, graded: &[TaskRecord]) -> Result<Self, StoreError> {
        let tried = run.attempts::<Value>()?.into_iter().map(|(_, record)| of_record(&record));
        Ok(Self(tried.chain(graded.iter().map(of_record)).collect()))
    }

    /// What the run lacks at these items; absent where nothing says how many there should be.
    pub(super) fn lacking(&self, run: &RunDir, items: &[ItemId]) -> Option<Lacking> {
        let record = run.record();
        let tries = self.0.iter().map(|(item, attempt, outcome)| (item, *attempt, *outcome));
        (record.setting != PREDICTIONS).then(|| lacking((items, record.attempts), tries))
    }
}

fn of_record<D>(record: &AttemptRecord<D>) -> (ItemId, u32, Outcome) {
    (record.item.clone(), record.attempt, record.outcome)
}

/// The items of a run in a category, as far as some run has an attempt at them that says so.
pub(super) fn in_category(run: &RunDir, known: &BTreeMap<ItemId, Category>, wanted: Option<Category>) -> Vec<ItemId> {
    let is_in = |item: &&ItemId| wanted.is_none_or(|wanted| known.get(*item) == Some(&wanted));
    run.record().items.iter().filter(is_in).cloned().collect()
}

/// Refuses runs of which attempts are owed or dead.
///
/// # Errors
/// [`ReportError::NotFinal`] then; or when a run can't be read.
pub fn check_final(runs: &[RunDir], grading: Grading<'_>) -> Result<(), ReportError> {
    let mut lacking = Vec::new();
    for run in runs {
        let is_tasks = run.record().benchmark == Tasks::NAME;
        let graded = if is_tasks { graded_tries(run, grading)? } else { Vec::new() };
        let graded: Vec<TaskRecord> = graded.into_iter().map(|one| one.record).collect();
        let found = Tries::of(run, &graded)?.lacking(run, &run.record().items);
        if let Some(found) = found.filter(|found| !found.is_none()) {
            lacking.push(format!("{}: {} owed, {} dead", shown_name(&run.record().id), found.owed, found.dead));
        }
    }
    if lacking.is_empty() {
        return Ok(());
    }
    let more = lacking.len().saturating_sub(NAMED);
    lacking.truncate(NAMED);
    let more = if more == 0 { String::new() } else { format!("; and {more} more") };
    Err(ReportError::NotFinal { runs: format!("{}{more}", lacking.join("; ")) })
}
