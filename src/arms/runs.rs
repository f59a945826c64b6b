//! What is shown of a run of any benchmark as it goes.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::arms::interrupts::{Interrupts, drain_when_asked};
use crate::arms::output::Output;
use crate::arms::progress::Progress;
use crate::arms::signs::{brief, progress};
use crate::flags::failure::Failure;
use crate::flags::ledger::LedgerArgs;
use crate::flags::settings::Settings;
use scratchbed::experiment::engine::{Made, RunArm};
use scratchbed::experiment::{Benchmark, RunError, RunOptions, run};
use scratchbed::grade::OutcomeCount;
use scratchbed::ledger::{CellRow, Ended};
use scratchbed::model::{AttemptRecord, Outcome};
use scratchbed::store::RunDir;

/// Makes what is left of a run.
pub async fn carry_out<B: Benchmark + 'static>(
    arm: &Arc<RunArm<B>>,
    options: RunOptions,
    settings: &Settings,
) -> Result<Vec<AttemptRecord<B::Detail>>, Failure> {
    let ledger = LedgerArgs::of_runs(settings).await?;
    let record = arm.dir.record();
    let widest = record.items.iter().map(|item| item.as_str().len()).max().unwrap_or_default().max("item".len());
    let head = line(["done", "item", "attempt", "outcome", "reason"], widest);
    let shown = Progress::new(&record.setting, Some(head), move |done, cell, made, ended| {
        ended_line(widest, done, (cell, made, ended))
    });
    let drain = CancellationToken::new();
    let listening = tokio::spawn(drain_when_asked(drain.clone(), Interrupts::listen()?));
    let records = run(&ledger, arm, options, &drain, &|noted| shown.note(&noted)).await;
    listening.abort();
    shown.close();
    if let Err(RunError::BudgetExhausted { .. } | RunError::Stopped { .. } | RunError::NoAnswers { .. }) = &records {
        progress(format!("run {}", arm.dir.path().display()));
    }
    let records = records?;
    tell_failed_calls(&records);
    Ok(records)
}

/// What failed calls said most often: a table of zeros does not tell that no one answered.
fn tell_failed_calls<D>(records: &[AttemptRecord<D>]) {
    let mut said: BTreeMap<&str, usize> = BTreeMap::new();
    for record in records.iter().filter(|record| record.outcome == Outcome::CallFailed) {
        *said.entry(record.error.as_deref().unwrap_or("no reason is known")).or_default() += 1;
    }
    if let Some((reason, times)) = said.into_iter().max_by_key(|(_, times)| *times) {
        progress(format!("calls failed, {times} of them so: {reason}"));
    }
}

/// The line about an attempt that has ended; `widest` is the length of the longest item's name.
fn ended_line(widest: usize, done: &str, (cell, made, ended): (&CellRow, &Made, Ended)) -> String {
    let done = if ended == Ended::Owed { "again" } else { done };
    let (attempt, reason) = (cell.epoch.to_string(), made.reason.as_deref().map(brief).unwrap_or_default());
    line([done, &cell.item, &attempt, made.outcome.name(), &reason], widest)
}

/// A line about an attempt; `widest` is the length of the longest item's name.
fn line([done, item, attempt, outcome, reason]: [&str; 5], widest: usize) -> String {
    format!("{done:>9}  {item:<widest$}  {attempt:>7}  {outcome:<11}  {reason}").trim_end().to_owned()
}

/// Prints the published protocol that a run was asked by, if it was.
pub fn say_preset(run: &RunDir, out: Output) {
    if let Some(preset) = run.record().preset() {
        out.say(format!("preset    {preset}"));
    }
}

/// Prints how attempts ended.
pub fn say_outcomes(counts: &[OutcomeCount], out: Output) {
    let counts: Vec<String> = counts
        .iter()
        .filter(|counted| counted.count > 0)
        .map(|counted| format!("{} {}", counted.count, counted.outcome.name()))
        .collect();
    out.say(format!("outcomes  {}", counts.join(", ")));
}

#[cfg(test)]
#[path = "runs_tests.rs"]
mod tests;
