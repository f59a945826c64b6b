//! What is printed of a run of tasks, and what is noted beside tasks that the mouse oracle solved.

use crate::arms::output::Output;
use crate::arms::runs::say_outcomes;
use crate::flags::count::{AS_THE_REFERENCE, left_out_text, with_interval};
use crate::flags::failure::Failure;
use scratchbed::benchmarks::tasks::{Job, VoidedAttempts, voided_text};
use scratchbed::grade::{RunCosts, Summary, TaskRow, TaskTables, dollars};
use scratchbed::model::{Outcome, TaskRecord};
use scratchbed::report::plain_table as table;
use scratchbed::taskset::MouseRecord;

/// Notes what the mouse oracle needed beside the tasks that it solved.
pub fn write_records(jobs: &[Job], records: &[TaskRecord]) -> Result<(), Failure> {
    for job in jobs {
        let is_its = |record: &&TaskRecord| record.item.as_str() == job.task.task.id.as_str();
        let Some(record) = records.iter().filter(is_its).find(|record| record.outcome == Outcome::Passed) else {
            continue;
        };
        let (misses, replans) = (record.detail.misses.unwrap_or_default(), record.detail.replans.unwrap_or_default());
        let written = MouseRecord::of(&job.task, record.detail.steps, misses, replans)?.write(&job.task.folder);
        written.map_err(|error| Failure::infrastructure("record_not_written", &error))?;
    }
    Ok(())
}

/// Prints a row for each attempt; what its calls cost only where there were any.
pub fn show(records: &[TaskRecord], costs: &RunCosts, out: Output) {
    let is_priced = costs.all.calls > 0;
    let rows = records.iter().zip(&costs.micro_usd).map(|(record, micro_usd)| {
        let cost = is_priced.then(|| dollars(*micro_usd));
        let cells = [
            record.item.to_string(),
            record.detail.category.to_string(),
            record.detail.mode.to_string(),
            record.outcome.name().to_owned(),
            format!("{}/{}", record.detail.passed_tests, record.detail.total_tests),
            record.detail.steps.to_string(),
            format!("{:.1} s", record.cost.seconds),
            format!("{:.1} s", record.detail.judging_s),
        ];
        cells.into_iter().chain(cost).chain([record.error.clone().unwrap_or_default()]).collect::<Vec<_>>()
    });
    let mut head = vec!["task", "category", "mode", "outcome", "tests", "steps", "acting", "judging", "error"];
    if is_priced {
        head.insert(8, "cost");
    }
    out.say(table(&head, rows).to_string());
    out.say(String::new());
}

/// Prints how attempts ended, how many the testbed voided and why, and which of them do not count.
pub fn say_rest(records: &[TaskRecord], summary: &Summary, voided: &[VoidedAttempts], out: Output) {
    say_outcomes(&summary.outcomes, out);
    out.say(format!("voided    {}", voided_text(voided)));
    for record in records.iter().filter(|record| !record.outcome.counts()) {
        let why = record.error.as_deref().unwrap_or("no reason is known");
        out.say(format!("left out  {}: {}, {why}", record.item, record.outcome.name()));
    }
}

/// Prints our rates, and the reference's where there are some.
pub fn say_rates(tables: &TaskTables, out: Output) {
    for row in &tables.ours {
        out.say(rates(row));
    }
    if let Some(rows) = &tables.reference {
        out.say(AS_THE_REFERENCE);
        for row in rows {
            out.say(rates(row));
        }
    }
}

/// A row of rates, with 95 % intervals.
fn rates(row: &TaskRow) -> String {
    let name = row.category.map_or("all", Into::into);
    let (sr, psr) = (with_interval(row.sr, row.sr_interval), with_interval(row.psr, row.psr_interval));
    let missing = if row.missing == 0 { String::new() } else { format!(", tasks missing: {}", row.missing) };
    format!("{name:<9} SR % {sr}  PSR % {psr}  (N = {}, {}{missing})", row.n, left_out_text(&row.left_out))
}
