//! Carrying out the cells of a run: they complete in any order, and are reported in that of the items.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use futures::{StreamExt as _, TryStreamExt as _};

use super::{Benchmark, Cell, Ended, RunError};
use crate::model::{AttemptRecord, ItemId, Outcome, RUN_FORMAT};
use crate::store::RunDir;

/// What happens in a run, for a progress bar.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<'a, D> {
    /// A cell was taken up.
    Started(&'a ItemId),
    Ended {
        record: &'a AttemptRecord<D>,
        /// Why it did not pass.
        reason: Option<String>,
        /// Whether another try follows.
        again: bool,
        /// Whether it was recorded before this run was taken up again.
        before: bool,
    },
}

/// After so many failed calls in a row a run ends: the silence of an endpoint that is gone is not a result.
const FAILED_IN_A_ROW: u32 = 10;

/// How a run is carried out. None of it changes a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOptions {
    /// Cells at a time.
    pub jobs: usize,
    /// How often an attempt that the testbed or the judge spoiled is made again.
    pub retries: u32,
    /// Whether attempts whose call failed in an earlier part of the run are made again.
    pub retry_failed_calls: bool,
}

/// A run in progress.
struct Runner<'a, B: Benchmark> {
    benchmark: &'a B,
    dir: &'a RunDir,
    options: RunOptions,
    on_event: &'a (dyn Fn(Event<'_, B::Detail>) + Send + Sync),
    /// Calls that failed since the last that did not.
    failed_in_a_row: AtomicU32,
    /// Why no attempt is begun any more, once the budget is spent.
    exhausted: OnceLock<String>,
}

/// Makes all attempts of a run that do not count yet, and returns the last try of each: by item, then by attempt.
///
/// # Errors
/// When the run can't go on, ten calls in a row have failed, or the budget is spent; what is recorded stays, and the same
/// call resumes there. What is in progress when the budget is spent still ends if it needs no more of it.
pub async fn run<B: Benchmark>(
    benchmark: &B,
    dir: &RunDir,
    options: RunOptions,
    on_event: &(dyn Fn(Event<'_, B::Detail>) + Send + Sync),
) -> Result<Vec<AttemptRecord<B::Detail>>, RunError> {
    let runner =
        Runner { benchmark, dir, options, on_event, failed_in_a_row: AtomicU32::new(0), exhausted: OnceLock::new() };
    let items = &dir.record().items;
    // All first attempts come before all second ones: a run that is broken off has something of each item.
    let cells = (1..=dir.record().attempts).flat_map(|attempt| items.iter().map(move |item| (item, attempt)));
    let ended: Vec<Option<AttemptRecord<B::Detail>>> =
        futures::stream::iter(cells.filter(|(item, attempt)| benchmark.has(item, *attempt)))
            .map(|(item, attempt)| runner.cell(item, attempt))
            .buffer_unordered(options.jobs.max(1))
            .try_collect()
            .await?;
    let all = ended.len();
    let mut records: Vec<AttemptRecord<B::Detail>> = ended.into_iter().flatten().collect();
    if let Some(reason) = runner.exhausted.into_inner() {
        return Err(RunError::BudgetExhausted { reason, complete: records.len(), all });
    }
    let place = |record: &AttemptRecord<B::Detail>| items.iter().position(|item| *item == record.item);
    records.sort_by_key(|record| (place(record), record.attempt));
    Ok(records)
}

impl<B: Benchmark> Runner<'_, B> {
    /// Tries until one counts, or there were enough of them; `None` when the budget does not allow it.
    async fn cell(&self, item: &ItemId, attempt: u32) -> Result<Option<AttemptRecord<B::Detail>>, RunError> {
        let mut tries = self.dir.tries::<B::Detail>(item, attempt)?;
        if let Some(record) = tries.last().filter(|record| self.stands(record.outcome)) {
            self.report(record, false, true);
            return Ok(Some(record.clone()));
        }
        if self.exhausted.get().is_some() {
            return Ok(None);
        }
        (self.on_event)(Event::Started(item));
        let mut left = self.options.retries;
        loop {
            let record = match self.one(item, attempt, &tries).await {
                Ok(record) => record,
                Err(error) => return self.without_a_record(error),
            };
            // A provider was asked often enough by then; the attempt is owed.
            let again = !record.outcome.counts() && record.outcome != Outcome::ProviderError && left > 0;
            self.report(&record, again, false);
            self.must_go_on(&record)?;
            if !again {
                return Ok(Some(record));
            }
            left -= 1;
            tries.push(record);
        }
    }

    /// Ends the run, or only keeps other attempts from being begun when the budget is spent.
    fn without_a_record(&self, error: RunError) -> Result<Option<AttemptRecord<B::Detail>>, RunError> {
        let Some(reason) = error.budget() else { return Err(error) };
        self.exhausted.get_or_init(|| reason.to_owned());
        Ok(None)
    }

    async fn one(
        &self,
        item: &ItemId,
        attempt: u32,
        earlier: &[AttemptRecord<B::Detail>],
    ) -> Result<AttemptRecord<B::Detail>, RunError> {
        let retry = u32::try_from(earlier.len()).unwrap_or(u32::MAX);
        let folder = self.dir.begin(item, attempt, retry)?;
        let Ended { outcome, error, cost, detail } =
            self.benchmark.attempt(Cell { item, attempt, earlier }, &folder).await?;
        let item = item.clone();
        let record = AttemptRecord { format: RUN_FORMAT, item, attempt, retry, outcome, error, cost, detail };
        folder.complete(&record)?;
        Ok(record)
    }

    fn report(&self, record: &AttemptRecord<B::Detail>, again: bool, before: bool) {
        (self.on_event)(Event::Ended { record, reason: self.benchmark.reason(record), again, before });
    }

    /// Whether an earlier try is one that the attempt is not made again for.
    fn stands(&self, outcome: Outcome) -> bool {
        outcome.counts() && !(self.options.retry_failed_calls && outcome == Outcome::CallFailed)
    }

    /// Ends the run when no one answers any more.
    fn must_go_on(&self, record: &AttemptRecord<B::Detail>) -> Result<(), RunError> {
        match record.outcome {
            Outcome::CallFailed if !self.benchmark.asks() => Ok(()),
            Outcome::CallFailed | Outcome::ProviderError => {
                let count = self.failed_in_a_row.fetch_add(1, Ordering::SeqCst) + 1;
                if count < FAILED_IN_A_ROW {
                    return Ok(());
                }
                Err(RunError::NoAnswers { count, last: record.error.clone().unwrap_or_default() })
            }
            // It says nothing of the model or program that is asked.
            outcome if !outcome.counts() => Ok(()),
            _ => {
                self.failed_in_a_row.store(0, Ordering::SeqCst);
                Ok(())
            }
        }
    }
}
