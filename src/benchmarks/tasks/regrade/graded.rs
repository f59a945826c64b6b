//! Attempts by the grade that is asked for.

use std::path::PathBuf;

use super::{Change, JudgeDigests, RegradeError};
use crate::model::{TaskDetail, TaskRecord, Verdict};
use crate::store::{RunDir, StoreError, Try};
use crate::taskset::TaskSet;

/// Whose verdicts count.
#[derive(Debug, Clone, Copy, Default)]
pub enum Grading<'a> {
    /// Those that were given when the attempts were made.
    #[default]
    Original,
    /// Those of today's judges of these tasks.
    Current(&'a TaskSet),
}

/// The last try at an attempt with the grade that was asked for.
#[derive(Debug, Clone)]
pub struct Graded {
    /// The name of its folder in the run.
    pub name: String,
    pub record: TaskRecord,
    pub path: PathBuf,
    pub verdict: Option<Verdict>,
}

/// The last tries of a run of tasks with their grades.
///
/// # Errors
/// When the run can't be read, or an attempt with a project has no such grade.
pub fn graded_tries(run: &RunDir, grading: Grading<'_>) -> Result<Vec<Graded>, RegradeError> {
    let tries = run.last_tries::<TaskDetail>()?;
    let Grading::Current(tasks) = grading else {
        return Ok(tries.into_iter().map(|tried| original(run, tried)).collect::<Result<_, _>>()?);
    };
    let digests = JudgeDigests::default();
    let (mut graded, mut missing) = (Vec::new(), Vec::new());
    for tried in tries {
        if !is_gradable(&tried) {
            graded.push(original(run, tried)?);
            continue;
        }
        let judge = tasks.find(tried.record.item.as_str()).ok().map(|entry| digests.of(entry)).transpose()?;
        match judge.map(|judge| run.grade(&tried.name, &judge)).transpose()?.flatten() {
            Some(grade) => {
                let Try { name, record, path } = tried;
                graded.push(Graded { name, record: grade.applied(record), path, verdict: grade.verdict });
            }
            None => missing.push(tried.name),
        }
    }
    match missing.first() {
        None => Ok(graded),
        Some(first) => {
            Err(RegradeError::NotRegraded { path: run.path().to_owned(), count: missing.len(), first: first.clone() })
        }
    }
}

/// How many attempts of a run the current judges have graded again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JudgedAgain {
    /// Attempts that there is something to judge of.
    pub of: usize,
    pub judged: usize,
    /// Of these: those with another result than at first.
    pub differ: usize,
}

/// Counts the attempts that today's judges of `tasks` have graded.
///
/// # Errors
/// When the run or a judge can't be read.
pub fn judged_again(run: &RunDir, tasks: &TaskSet) -> Result<JudgedAgain, RegradeError> {
    let digests = JudgeDigests::default();
    let mut again = JudgedAgain::default();
    for tried in run.last_tries::<TaskDetail>()?.iter().filter(|tried| is_gradable(tried)) {
        again.of += 1;
        let Ok(entry) = tasks.find(tried.record.item.as_str()) else { continue };
        let Some(grade) = run.grade(&tried.name, &digests.of(entry)?)? else { continue };
        let (first, after) = (run.verdict(&tried.name)?, grade.applied(tried.record.clone()));
        let change = Change::between((&tried.record, first.as_ref()), (&after, grade.verdict.as_ref()));
        again.judged += 1;
        again.differ += usize::from(change.is_one());
    }
    Ok(again)
}

/// Whether there is something to judge, and the testbed did its part when the attempt was made.
pub(super) fn is_gradable(tried: &Try<TaskDetail>) -> bool {
    use crate::model::Ending::{InfraError, ProviderError};
    let is_whole = !matches!(tried.record.detail.ending, InfraError | ProviderError);
    is_whole && tried.path.join("project.sb3").is_file()
}

fn original(run: &RunDir, tried: Try<TaskDetail>) -> Result<Graded, StoreError> {
    let Try { name, record, path } = tried;
    let verdict = run.verdict(&name)?;
    Ok(Graded { name, record, path, verdict })
}
