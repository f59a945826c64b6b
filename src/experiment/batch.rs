//! Many attempts: several at a time, those that trouble spoiled again, those already recorded not again.

use std::sync::Arc;

use futures::StreamExt as _;

use super::attempt::{Judging, Parts, attempt};
use super::testbed::Testbed;
use crate::agent::Agent;
use crate::grade::{Graded, Summary};
use crate::model::{AttemptRecord, LimitOverrides, Mode, Outcome, TaskId};
use crate::store::{RunDir, StoreError};
use crate::taskset::TaskEntry;

/// Makes an agent for one attempt.
pub type MakeAgent = Box<dyn Fn() -> Box<dyn Agent> + Send + Sync>;

/// A task with who attempts it.
pub struct Job {
    /// The task.
    pub task: TaskEntry,
    /// Makes a new agent for each attempt.
    pub agent: MakeAgent,
}

/// How a batch is carried out.
#[derive(Clone)]
pub struct Batch {
    /// Where sessions live.
    pub testbed: Arc<dyn Testbed>,
    /// Who judges.
    pub judge: Arc<dyn Judging>,
    /// How agents act.
    pub mode: Mode,
    /// Limits other than the tasks'.
    pub limits: LimitOverrides,
    /// Attempts at a time.
    pub jobs: usize,
    /// How often an attempt that the testbed or the judge spoiled is made again.
    pub retries: u32,
}

/// What happens in a batch, for a progress bar.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A task was taken up.
    Started(TaskId),
    /// An attempt ended; `again` when another one follows.
    Ended {
        /// What became of it.
        record: Box<AttemptRecord>,
        /// Whether the task is tried again.
        again: bool,
    },
}

impl Batch {
    /// Carries out all jobs, and returns the last attempt of each, in their order.
    ///
    /// # Errors
    /// When the run directory can't be read or written.
    pub async fn run(
        &self,
        jobs: &[Job],
        dir: &RunDir,
        on_event: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<Vec<AttemptRecord>, StoreError> {
        let before = dir.attempts()?;
        let all = jobs.iter().map(|job| self.job(job, &before, dir, on_event));
        // Ordered, so that the table reads like the list of tasks.
        let results: Vec<_> = futures::stream::iter(all).buffered(self.jobs.max(1)).collect().await;
        results.into_iter().collect()
    }

    /// One job, with its repetitions.
    async fn job(
        &self,
        job: &Job,
        before: &[AttemptRecord],
        dir: &RunDir,
        on_event: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<AttemptRecord, StoreError> {
        let task = &job.task;
        let is_earlier = |record: &&AttemptRecord| record.task == task.task.id && record.mode == self.mode;
        let earlier: Vec<&AttemptRecord> = before.iter().filter(is_earlier).collect();
        let last = earlier.iter().max_by_key(|record| record.attempt).copied();
        let mut broken: Vec<String> = earlier.iter().filter_map(|record| record.lost_program.clone()).collect();
        if let Some(record) = last.filter(|record| !spoiled(record)) {
            return Ok(record.clone());
        }
        on_event(Event::Started(task.task.id.clone()));
        let first = last.map_or(1, |record| record.attempt + 1);
        let mut number = first;
        loop {
            let mut agent = (job.agent)();
            let parts = Parts {
                testbed: self.testbed.as_ref(),
                judge: self.judge.as_ref(),
                task,
                mode: self.mode,
                limits: self.limits,
                attempt: number,
                broken_before: &broken,
            };
            let record = attempt(parts, agent.as_mut(), dir.begin(&task.task.id, self.mode, number)?).await?;
            broken.extend(record.lost_program.clone());
            let again = spoiled(&record) && number < first + self.retries;
            on_event(Event::Ended { record: Box::new(record.clone()), again });
            if !again {
                return Ok(record);
            }
            number += 1;
        }
    }
}

/// Whether an attempt says nothing about its agent.
fn spoiled(record: &AttemptRecord) -> bool {
    matches!(record.outcome, Outcome::InfraError | Outcome::JudgeError)
}

/// The closing figures of a run.
#[must_use]
pub fn summary(records: &[AttemptRecord]) -> Summary {
    let graded: Vec<Graded> = records.iter().map(Graded::from).collect();
    Summary::of(&graded)
}

/// Whether an attempt solved its task.
#[must_use]
pub fn succeeded(record: &AttemptRecord) -> bool {
    Graded::from(record).succeeded()
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
