//! Judging the kept projects of a run, several at a time.

use std::collections::BTreeSet;

use futures::{StreamExt as _, TryStreamExt as _};
use serde::Serialize;

use super::graded::is_gradable;
use super::known::{grade, may_be_no_project};
use super::{Change, CurrentJudges, RegradeError};
use crate::benchmarks::tasks::measure::Judged;
use crate::benchmarks::tasks::{Judging, Tasks, predictions};
use crate::experiment::Benchmark as _;
use crate::model::{
    GradeRecord, Outcome, RUN_FORMAT, TaskDetail, VerdictRecord, sha256_hex, unix_seconds, with_causes,
};
use crate::store::{RunDir, StoreError, Try};
use crate::taskset::TaskEntry;

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
    /// Digest of the judge that gave the new grade, which is always one of this checkout.
    pub judge: String,
    /// When it judged, in seconds since 1970.
    pub graded_at: f64,
    #[serde(flatten)]
    pub change: Change,
    /// Whether this checkout had this judge's verdict before, and did not judge again.
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
    /// Whether the run came in a bundle, whose first grades are claims.
    pub claimed: bool,
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
    /// Whether what this checkout has judged before is judged again, too.
    pub fresh: bool,
    /// Names of the folders of attempts that are judged; all of them without.
    pub only: Option<&'a BTreeSet<String>>,
}

/// Judges the kept projects of a run by the current judges, and keeps each grade beside the first. What this checkout
/// has judged before is not judged again; grades that came with the run are nothing to go by. `on_done` hears of each
/// attempt.
///
/// # Errors
/// When the run is not one of tasks, or can't be read or written. A judge that breaks costs its attempt only.
pub async fn regrade(
    run: &RunDir,
    judges: &CurrentJudges,
    judge: &dyn Judging,
    how: How<'_>,
    on_done: &(dyn Fn() + Sync),
) -> Result<Regrading, RegradeError> {
    if run.record().benchmark != Tasks::NAME {
        let benchmark = run.record().benchmark.clone();
        return Err(RegradeError::Benchmark { path: run.path().to_owned(), benchmark });
    }
    let work = Work { run, judges, judge, fresh: how.fresh };
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
    let (id, claimed) = (run.record().id.clone(), run.has_claims());
    let mut regrading = Regrading { run: id, claimed, ..Regrading::default() };
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
    judges: &'a CurrentJudges,
    judge: &'a dyn Judging,
    fresh: bool,
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
        let Ok(entry) = self.judges.tasks.find(tried.record.item.as_str()) else {
            return left("there is no such task now".to_owned(), false);
        };
        let Some(sb3) = self.run.recorded_project(&tried.name)? else {
            return left("there is no project to judge".to_owned(), false);
        };
        let project = sha256_hex(&sb3);
        let secret = self.judges.secret(self.run, tried, entry, &project)?;
        let known = if self.fresh { None } else { self.judges.verdict(self.run, (entry, secret), &project)? };
        let kept = known.is_some();
        let found = match known {
            Some(found) => found,
            None => match self.judged((entry, secret), &sb3, project).await? {
                Ok(found) => found,
                Err(why) => return left(why, true),
            },
        };
        let grade = grade(self.run, tried, found);
        self.keep(tried, &grade)?;
        Ok(Ok(self.compared(tried, &grade, kept)?))
    }

    /// Judges a project under a secret seed, and keeps the verdict; the reason where the testbed or the judge broke.
    async fn judged(
        &self,
        (entry, secret): (&TaskEntry, Option<u64>),
        sb3: &[u8],
        project: String,
    ) -> Result<Result<VerdictRecord, String>, RegradeError> {
        let result = self.judge.judge_as(entry, sb3, secret).await;
        let is_no_project = result
            .as_ref()
            .is_err_and(|error| predictions::unjudged(error) == Outcome::Failed && may_be_no_project(self.run));
        let Judged { outcome: found, verdict, error } = match result {
            Err(error) if !is_no_project => return Ok(Err(with_causes(&error))),
            result => Judged::of(result, predictions::unjudged),
        };
        let Some(outcome) = found.filter(|found| found.counts()) else {
            return Ok(Err(error.unwrap_or_else(|| "the judge broke".to_owned())));
        };
        let grade = GradeRecord {
            format: RUN_FORMAT,
            judge: self.judges.judge(entry, secret)?,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            graded_at: unix_seconds(),
            outcome,
            error,
            verdict,
        };
        let found = VerdictRecord { task: entry.task.id.clone(), project, judge_seed: secret, grade };
        self.judges.keep(&found)?;
        Ok(Ok(found))
    }

    /// Keeps a grade beside the first one, unless it is there.
    fn keep(&self, tried: &Try<TaskDetail>, grade: &GradeRecord) -> Result<(), StoreError> {
        let is_there = self.run.grade(&tried.name, &grade.judge).is_ok_and(|found| found.as_ref() == Some(grade));
        if is_there { Ok(()) } else { self.run.keep_grade(&tried.name, grade) }
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
            graded_at: grade.graded_at,
            change,
            kept,
        })
    }
}
