//! Judging the kept projects of a run, several at a time.

use std::collections::BTreeSet;

use futures::{StreamExt as _, TryStreamExt as _};
use serde::Serialize;

use super::graded::is_gradable;
use super::{Change, JudgeDigests, RegradeError};
use crate::benchmarks::tasks::measure::{Judged, outcome};
use crate::benchmarks::tasks::{Judging, Tasks, predictions};
use crate::experiment::Benchmark as _;
use crate::model::{GradeRecord, Outcome, RUN_FORMAT, TaskDetail, Verdict, unix_seconds, with_causes};
use crate::store::{RunDir, StoreError, Try};
use crate::taskset::{TaskEntry, TaskSet};

/// The setting of runs of projects that were made elsewhere.
const PREDICTIONS: &str = "predictions";

/// An attempt with both grades.
#[derive(Debug, Clone, Serialize)]
pub struct Regraded {
    /// The name of its folder in the run.
    pub attempt: String,
    pub task: String,
    /// Which attempt at the task, from 1.
    pub epoch: u32,
    /// Which try at it; 0 is the first.
    pub retry: u32,
    /// Digest of the judge that gave the new grade.
    pub judge: String,
    #[serde(flatten)]
    pub change: Change,
    /// Whether it had this judge's grade before, and was not judged again.
    pub kept: bool,
}

/// An attempt without a new grade.
#[derive(Debug, Clone, Serialize)]
pub struct Unjudged {
    pub attempt: String,
    pub task: String,
    pub why: String,
    /// Whether the testbed or the judge broke now; else there is nothing to judge.
    pub is_broken: bool,
}

/// What came of a run.
#[derive(Debug, Default, Serialize)]
pub struct Regrading {
    pub run: String,
    pub regraded: Vec<Regraded>,
    pub unjudged: Vec<Unjudged>,
}

impl Regrading {
    /// Attempts whose grade is another now.
    pub fn changed(&self) -> impl Iterator<Item = &Regraded> {
        self.regraded.iter().filter(|one| one.change.is_one())
    }
}

/// What is judged again, and how.
#[derive(Debug, Clone, Copy)]
pub struct How<'a> {
    /// Projects at a time.
    pub jobs: usize,
    /// Whether what has a grade by the current judge is judged again, too.
    pub fresh: bool,
    /// Names of the folders of attempts that are judged; all of them without.
    pub only: Option<&'a BTreeSet<String>>,
}

/// Judges the kept projects of a run by today's judges of `tasks`, and keeps each grade beside the first. `on_done` hears of
/// each attempt.
///
/// # Errors
/// When the run is not one of tasks, or can't be read or written. A judge that breaks costs its attempt only.
pub async fn regrade(
    run: &RunDir,
    tasks: &TaskSet,
    judge: &dyn Judging,
    how: How<'_>,
    on_done: &(dyn Fn() + Sync),
) -> Result<Regrading, RegradeError> {
    if run.record().benchmark != Tasks::NAME {
        let benchmark = run.record().benchmark.clone();
        return Err(RegradeError::Benchmark { path: run.path().to_owned(), benchmark });
    }
    let work = Work { run, tasks, judge, fresh: how.fresh, digests: JudgeDigests::default() };
    let mut tries = run.last_tries::<TaskDetail>()?;
    tries.retain(|tried| how.only.is_none_or(|only| only.contains(&tried.name)));
    let done: Vec<Result<Regraded, Unjudged>> = futures::stream::iter(&tries)
        .map(|tried| async {
            let done = work.one(tried).await;
            on_done();
            done
        })
        // In their order, which is that of the run's items.
        .buffered(how.jobs.max(1))
        .try_collect()
        .await?;
    let mut regrading = Regrading { run: run.record().id.clone(), ..Regrading::default() };
    for one in done {
        match one {
            Ok(regraded) => regrading.regraded.push(regraded),
            Err(unjudged) => regrading.unjudged.push(unjudged),
        }
    }
    Ok(regrading)
}

struct Work<'a> {
    run: &'a RunDir,
    tasks: &'a TaskSet,
    judge: &'a dyn Judging,
    fresh: bool,
    digests: JudgeDigests,
}

impl Work<'_> {
    async fn one(&self, tried: &Try<TaskDetail>) -> Result<Result<Regraded, Unjudged>, RegradeError> {
        let left = |why: String, is_broken| {
            let (attempt, task) = (tried.name.clone(), tried.record.item.to_string());
            Ok(Err(Unjudged { attempt, task, why, is_broken }))
        };
        if !is_gradable(tried) {
            return left("there is no project to judge".to_owned(), false);
        }
        let Ok(entry) = self.tasks.find(tried.record.item.as_str()) else {
            return left("there is no such task now".to_owned(), false);
        };
        let Some(sb3) = self.run.recorded_project(&tried.name)? else {
            return left("there is no project to judge".to_owned(), false);
        };
        let judge = self.digests.of(entry)?;
        let known = if self.fresh { None } else { self.run.grade(&tried.name, &judge)? };
        let kept = known.is_some();
        let grade = match known {
            Some(grade) => grade,
            None => match self.judged(entry, tried, &sb3, judge).await {
                Ok(grade) => grade,
                Err(why) => return left(why, true),
            },
        };
        if !kept {
            self.run.keep_grade(&tried.name, &grade)?;
        }
        Ok(Ok(self.compared(tried, &grade, kept)?))
    }

    /// Judges a project; the reason where the testbed or the judge broke.
    async fn judged(
        &self,
        entry: &TaskEntry,
        tried: &Try<TaskDetail>,
        sb3: &[u8],
        judge: String,
    ) -> Result<GradeRecord, String> {
        let result = self.judge.judge(entry, sb3).await;
        let is_no_project = result.as_ref().is_err_and(|error| {
            predictions::unjudged(error) == Outcome::Failed && self.run.record().setting == PREDICTIONS
        });
        let Judged { outcome: found, verdict, error } = match result {
            Err(error) if !is_no_project => return Err(with_causes(&error)),
            result => Judged::of(result, predictions::unjudged),
        };
        if found.is_none_or(|found| !found.counts()) {
            return Err(error.unwrap_or_else(|| "the judge broke".to_owned()));
        }
        Ok(GradeRecord {
            format: RUN_FORMAT,
            judge,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            graded_at: unix_seconds(),
            outcome: outcome(tried.record.detail.ending, found),
            // Why the agent ended stays its error; what the first judge said does not.
            error: error.or_else(|| tried.record.error.clone().filter(|_| self.is_the_agents(tried))),
            verdict,
        })
    }

    /// Whether the recorded error is not the first judge's.
    fn is_the_agents(&self, tried: &Try<TaskDetail>) -> bool {
        let first: Option<Verdict> = self.run.verdict(&tried.name).ok().flatten();
        first.is_none_or(|verdict| verdict.error != tried.record.error)
    }

    fn compared(&self, tried: &Try<TaskDetail>, grade: &GradeRecord, kept: bool) -> Result<Regraded, StoreError> {
        let (first, after) = (self.run.verdict(&tried.name)?, grade.applied(tried.record.clone()));
        let change = Change::between((&tried.record, first.as_ref()), (&after, grade.verdict.as_ref()));
        Ok(Regraded {
            attempt: tried.name.clone(),
            task: tried.record.item.to_string(),
            epoch: tried.record.attempt,
            retry: tried.record.retry,
            judge: grade.judge.clone(),
            change,
            kept,
        })
    }
}
