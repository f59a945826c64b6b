//! The figures of tasks: SR and PSR in all and per category (paper, equations 3 and 4).

use crate::grade::{Count, Graded, Pricing, RunCosts, Summary, TaskRow, task_table};
use crate::model::TaskRecord;

/// The rows of the table: all tasks, then each category.
pub(super) fn rows(records: &[TaskRecord], count: Count) -> Vec<TaskRow> {
    let graded: Vec<(&str, Graded)> =
        records.iter().map(|record| (record.item.as_str(), Graded::from(record))).collect();
    task_table(&graded, count)
}

/// The closing figures of a run.
pub fn summary(records: &[TaskRecord]) -> Summary {
    let graded: Vec<Graded> = records.iter().map(Graded::from).collect();
    Summary::of(&graded)
}

/// What the attempts of a run cost.
pub fn costs(records: &[TaskRecord], pricing: &Pricing) -> RunCosts {
    let costs: Vec<(&TaskRecord, bool)> = records.iter().map(|record| (record, succeeded(record))).collect();
    RunCosts::of(&costs, pricing)
}

/// Whether an attempt solved its task.
pub fn succeeded(record: &TaskRecord) -> bool {
    Graded::from(record).succeeded()
}
