//! What is shown of a run of any benchmark as it goes.

use std::collections::BTreeMap;

use indicatif::ProgressBar;

use super::output::Output;
use crate::arms::signs::{bar, brief, progress};
use scratchbed::experiment::{Benchmark, Event, RunError, RunOptions, run};
use scratchbed::grade::OutcomeCount;
use scratchbed::model::{AttemptRecord, Outcome};
use scratchbed::store::RunDir;

/// Makes what is left of a run in this options.
pub async fn carry_out<B: Benchmark>(
    benchmark: &B,
    dir: &RunDir,
    options: RunOptions,
) -> Result<Vec<AttemptRecord<B::Detail>>, RunError> {
    let record = dir.record();
    let cells = (1..=record.attempts).flat_map(|attempt| record.items.iter().map(move |item| (item, attempt)));
    let bar = bar(&record.setting, cells.filter(|(item, attempt)| benchmark.has(item, *attempt)).count() as u64);
    let widest = record.items.iter().map(|item| item.as_str().len()).max().unwrap_or_default().max("item".len());
    bar.suspend(|| progress(line(["done", "item", "attempt", "outcome", "reason"], widest)));
    let records = run(benchmark, dir, options, &|event| show(&bar, widest, &event)).await;
    bar.finish_and_clear();
    if let Err(RunError::BudgetExhausted { .. }) = &records {
        progress(format!("run {}", dir.path().display()));
    }
    if let Ok(records) = &records {
        tell_failed_calls(records);
    }
    records
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

fn show<D>(bar: &ProgressBar, widest: usize, event: &Event<'_, D>) {
    let (record, reason, again, before) = match event {
        Event::Started(item) => return bar.set_message(item.to_string()),
        Event::Ended { record, reason, again, before } => (record, reason, *again, *before),
    };
    if !again {
        bar.inc(1);
    }
    if before {
        return;
    }
    let done =
        if again { "again".to_owned() } else { format!("{}/{}", bar.position(), bar.length().unwrap_or_default()) };
    let (attempt, reason) = (record.attempt.to_string(), reason.as_deref().map(brief).unwrap_or_default());
    bar.suspend(|| progress(line([&done, record.item.as_str(), &attempt, record.outcome.name(), &reason], widest)));
}

/// A line about an attempt; `widest` is the length of the longest item's name.
fn line([done, item, attempt, outcome, reason]: [&str; 5], widest: usize) -> String {
    format!("{done:>9}  {item:<widest$}  {attempt:>7}  {outcome:<11}  {reason}").trim_end().to_owned()
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
