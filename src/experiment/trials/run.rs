//! Carrying out the trials of a run.

use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use futures::{StreamExt as _, TryStreamExt as _};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Spoiled, TrialsError};
use crate::model::{RUN_FORMAT, TrialCost, TrialOutcome, TrialRecord};
use crate::session::retry::while_broken;
use crate::store::{TrialDir, TrialFolder};

/// A benchmark: what is asked, and how it is measured.
#[async_trait]
pub trait Benchmark: Send + Sync {
    /// What it measures of a trial.
    type Detail: Serialize + DeserializeOwned + Send + Sync;

    /// Makes one attempt at one item.
    ///
    /// # Errors
    /// When the testbed spoils it, or no trial can be had at all.
    async fn attempt(&self, item: &str, attempt: u32, folder: &TrialFolder) -> Result<Ended<Self::Detail>, Spoiled>;

    /// Why a trial did not pass, in a few words, for whoever watches.
    fn reason(&self, record: &TrialRecord<Self::Detail>) -> Option<String> {
        record.error.clone()
    }

    /// Whether somebody is asked who may be gone: then a run ends after some failed calls in a row.
    fn asks(&self) -> bool {
        true
    }
}

/// How a trial ended, as the benchmark says.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended<D> {
    /// In which way.
    pub outcome: TrialOutcome,
    /// What went wrong, in words.
    pub error: Option<String>,
    /// What the answer cost.
    pub cost: TrialCost,
    /// What was measured.
    pub detail: Option<D>,
}

/// What happens in a run, for a progress bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The item.
    pub item: &'a str,
    /// The attempt.
    pub attempt: u32,
    /// How it ended.
    pub outcome: TrialOutcome,
    /// Why it did not pass.
    pub reason: Option<String>,
    /// Whether it was recorded before this run was taken up again.
    pub before: bool,
}

/// After so many failed calls in a row a run ends: an endpoint that is gone answers nobody, and its silence is no result.
const FAILED_IN_A_ROW: u32 = 10;

/// How a run is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// Trials at a time.
    pub jobs: usize,
    /// Whether trials whose call failed in an earlier part of the run are made again.
    pub retry_failed_calls: bool,
}

/// A run as it goes.
struct Course<'a, B> {
    benchmark: &'a B,
    dir: &'a TrialDir,
    manner: Manner,
    on_end: &'a (dyn Fn(Progress<'_>) + Send + Sync),
    /// Calls that failed since the last that did not.
    failed_in_a_row: AtomicU32,
}

/// Makes all trials of a run that are not recorded yet, and returns all records: by item, then by attempt. Trials that the
/// testbed spoiled in an earlier part of the run are made again.
///
/// # Errors
/// When the run can't go on, or ten calls in a row have failed; what is recorded stays so, and the same call goes on there.
pub async fn run<B: Benchmark>(
    benchmark: &B,
    dir: &TrialDir,
    manner: Manner,
    on_end: &(dyn Fn(Progress<'_>) + Send + Sync),
) -> Result<Vec<TrialRecord<B::Detail>>, TrialsError> {
    let run = dir.run();
    let course = Course { benchmark, dir, manner, on_end, failed_in_a_row: AtomicU32::new(0) };
    // All first attempts come before all second ones: a run that is broken off has something of each item.
    let trials = (1..=run.attempts).flat_map(|attempt| run.items.iter().map(move |item| (item.as_str(), attempt)));
    let mut records: Vec<TrialRecord<B::Detail>> = futures::stream::iter(trials)
        .map(|(item, attempt)| course.one(item, attempt))
        .buffer_unordered(manner.jobs.max(1))
        .try_collect()
        .await?;
    let place = |record: &TrialRecord<B::Detail>| run.items.iter().position(|item| *item == record.item);
    records.sort_by_key(|record| (place(record), record.attempt));
    Ok(records)
}

impl<B: Benchmark> Course<'_, B> {
    async fn one(&self, item: &str, attempt: u32) -> Result<TrialRecord<B::Detail>, TrialsError> {
        if let Some(record) = self.dir.record::<B::Detail>(item, attempt)?
            && self.stands(record.outcome)
        {
            let reason = self.benchmark.reason(&record);
            (self.on_end)(Progress { item, attempt, outcome: record.outcome, reason, before: true });
            return Ok(record);
        }
        let is_broken = |error: &Spoiled| matches!(error, Spoiled::Testbed(_));
        let tried = while_broken("a trial", is_broken, async || {
            let folder = self.dir.begin(item, attempt)?;
            let ended = self.benchmark.attempt(item, attempt, &folder).await?;
            Ok((ended, folder))
        })
        .await;
        let (ended, folder) = match tried {
            Ok(done) => done,
            Err(Spoiled::Stop(error)) => return Err(error),
            Err(Spoiled::Testbed(reason)) => {
                let cost = TrialCost::default();
                let ended = Ended { outcome: TrialOutcome::InfraError, error: Some(reason), cost, detail: None };
                (ended, self.dir.begin(item, attempt)?)
            }
        };
        let Ended { outcome, error, cost, detail } = ended;
        let record = TrialRecord { format: RUN_FORMAT, item: item.to_owned(), attempt, outcome, error, cost, detail };
        folder.complete(&record)?;
        let reason = self.benchmark.reason(&record);
        (self.on_end)(Progress { item, attempt, outcome, reason, before: false });
        self.must_go_on(&record)?;
        Ok(record)
    }

    /// Whether an earlier record is one that the trial is not made again for.
    const fn stands(&self, outcome: TrialOutcome) -> bool {
        let again = self.manner.retry_failed_calls && matches!(outcome, TrialOutcome::CallFailed);
        outcome.counts() && !again
    }

    /// Ends the run when nobody answers any more.
    fn must_go_on(&self, record: &TrialRecord<B::Detail>) -> Result<(), TrialsError> {
        match record.outcome {
            // It says nothing of whoever is asked.
            TrialOutcome::InfraError => Ok(()),
            TrialOutcome::CallFailed if !self.benchmark.asks() => Ok(()),
            TrialOutcome::CallFailed => {
                let count = self.failed_in_a_row.fetch_add(1, Ordering::SeqCst) + 1;
                if count < FAILED_IN_A_ROW {
                    return Ok(());
                }
                Err(TrialsError::NobodyAnswers { count, last: record.error.clone().unwrap_or_default() })
            }
            _ => {
                self.failed_in_a_row.store(0, Ordering::SeqCst);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
