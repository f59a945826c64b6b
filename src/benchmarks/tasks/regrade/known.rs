//! What the current judges have found in this checkout. A grade in the folder of a run says what somebody found: whoever
//! hands over a run can write any, so only verdicts that were given here count as graded again.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::{JudgeDigests, RegradeError};
use crate::benchmarks::tasks::measure::outcome;
use crate::model::{GradeRecord, TaskDetail, TaskId, VerdictRecord, sha256_hex};
use crate::store::{RunDir, TakenFrom, Try, VerdictStore};
use crate::taskset::{TaskEntry, TaskSet};

/// The setting of runs of projects that were made elsewhere.
const PREDICTIONS: &str = "predictions";

/// The current judges of some tasks, with the verdicts that this checkout has from them.
#[derive(Debug)]
pub struct CurrentJudges {
    pub tasks: TaskSet,
    verdicts: VerdictStore,
    digests: JudgeDigests,
    /// Which tasks' scripts draw what they ask, as far as that was asked.
    drawing: Mutex<BTreeMap<TaskId, bool>>,
}

impl CurrentJudges {
    /// The judges of these tasks, with the verdicts in this store.
    pub fn new(tasks: TaskSet, verdicts: VerdictStore) -> Self {
        Self { tasks, verdicts, digests: JudgeDigests::default(), drawing: Mutex::default() }
    }

    /// The verdict of this checkout on what an attempt left; `None` where it has none, or has no such task.
    pub(super) fn known(&self, run: &RunDir, tried: &Try<TaskDetail>) -> Result<Option<VerdictRecord>, RegradeError> {
        let Ok(entry) = self.tasks.find(tried.record.item.as_str()) else { return Ok(None) };
        let Some(sb3) = run.recorded_project(&tried.name)? else { return Ok(None) };
        let project = sha256_hex(&sb3);
        self.verdict(run, (entry, self.secret(run, tried, entry, &project)?), &project)
    }

    /// The secret seed under which an attempt is judged again, if its judge draws what it asks: the one that it was judged under, so that
    /// the verdict is the same. A run that was not begun in this checkout, whether it came in a bundle or as a folder, names a seed that
    /// its maker may have chosen, or leaves it out, and is judged under one of this checkout. So is an attempt that came with the folder
    /// of a run with which this checkout has gone on, and one that was brought into a run, unless this checkout has kept under which seed
    /// of its own it was judged.
    pub(super) fn secret(
        &self,
        run: &RunDir,
        tried: &Try<TaskDetail>,
        entry: &TaskEntry,
        project: &str,
    ) -> Result<Option<u64>, RegradeError> {
        if !self.draws(entry)? {
            return Ok(None);
        }
        if run.is_foreign() || !self.verdicts.has_made(run, &tried.name)? {
            return Ok(Some(self.verdicts.judge_seed(project)?));
        }
        if TakenFrom::read(&tried.path).is_none() {
            return Ok(run.record().judge_seed);
        }
        match self.verdicts.taken(run.path(), &tried.name)? {
            Some(seed) => Ok(seed.chosen()),
            None => Ok(Some(self.verdicts.judge_seed(project)?)),
        }
    }

    /// Whether the script of a task draws what it asks; it is read once.
    fn draws(&self, entry: &TaskEntry) -> Result<bool, RegradeError> {
        let mut drawing = self.drawing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(draws) = drawing.get(&entry.task.id) {
            return Ok(*draws);
        }
        let draws = entry.evaluation()?.draws();
        drawing.insert(entry.task.id.clone(), draws);
        Ok(draws)
    }

    /// The verdict of this checkout under a secret seed on a project of a run, by the project's digest.
    pub(super) fn verdict(
        &self,
        run: &RunDir,
        (entry, secret): (&TaskEntry, Option<u64>),
        project: &str,
    ) -> Result<Option<VerdictRecord>, RegradeError> {
        let found = self.verdicts.find(&entry.task.id, project, &self.judge(entry, secret)?, secret)?;
        Ok(found.filter(|found| found.grade.verdict.is_some() || may_be_no_project(run)))
    }

    /// Keeps a verdict that was given just now.
    pub(super) fn keep(&self, verdict: &VerdictRecord) -> Result<(), RegradeError> {
        Ok(self.verdicts.keep(verdict)?)
    }

    /// The digest of a task's judge, with this secret seed.
    pub(super) fn judge(&self, entry: &TaskEntry, secret: Option<u64>) -> Result<String, RegradeError> {
        Ok(self.digests.of(entry, secret)?)
    }
}

/// Returns true for a run whose projects were made elsewhere: a file that is not a project has failed there. In runs
/// that were made here it would be the testbed's fault.
pub(super) fn may_be_no_project(run: &RunDir) -> bool {
    run.is_foreign() || run.record().setting == PREDICTIONS
}

/// A verdict as a grade of an attempt: how the agent ended has its say, as in the first grade.
pub(super) fn grade(run: &RunDir, tried: &Try<TaskDetail>, found: VerdictRecord) -> GradeRecord {
    let grade = found.grade;
    GradeRecord {
        outcome: outcome(tried.record.detail.ending, Some(grade.outcome)),
        // Why the agent ended stays its error; what the first judge said does not.
        error: grade.error.or_else(|| tried.record.error.clone().filter(|_| is_the_agents(run, tried))),
        ..grade
    }
}

/// Whether the recorded error is not the first judge's.
fn is_the_agents(run: &RunDir, tried: &Try<TaskDetail>) -> bool {
    let first = run.verdict(&tried.name).ok().flatten();
    first.is_none_or(|verdict| verdict.error != tried.record.error)
}
