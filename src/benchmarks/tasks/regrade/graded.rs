//! Attempts by the grade that is asked for.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::known::grade;
use super::{Change, CurrentJudges, RegradeError};
use crate::model::{GradeRecord, Outcome, TaskDetail, TaskRecord, Verdict};
use crate::store::{RunDir, StoreError, Try};

/// Whose verdicts count.
#[derive(Debug, Clone, Copy, Default)]
pub enum Grading<'a> {
    /// Those that were given when the attempts were made; of runs of bundles, those that the bundle claims.
    #[default]
    Original,
    /// Those of the current judges, given in this checkout.
    Current(&'a CurrentJudges),
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
    let Grading::Current(judges) = grading else {
        return Ok(tries.into_iter().map(|tried| original(run, tried)).collect::<Result<_, _>>()?);
    };
    let (mut graded, mut missing) = (Vec::new(), Vec::new());
    for tried in tries {
        if !is_gradable(&tried) {
            let first = original(run, tried)?;
            graded.push(if run.is_claimed(&first.name) { unproven(first) } else { first });
            continue;
        }
        match judges.known(run, &tried)? {
            Some(found) => {
                let grade = grade(run, &tried, found);
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

/// How many attempts of a run the current judges have graded again in this checkout, and who judged.
#[derive(Debug, Clone, Default)]
pub struct JudgedAgain {
    /// Attempts that there is something to judge of.
    pub of: usize,
    pub judged: usize,
    /// Of these: those with another result than at first.
    pub differ: usize,
    /// Digests of the judges.
    pub judges: BTreeSet<String>,
    /// Versions of scratchbed that judged.
    pub versions: BTreeSet<String>,
    /// Product strings of the browsers that judged.
    pub browsers: BTreeSet<String>,
    /// When the last of them judged, in seconds since 1970; 0 where none has.
    pub last_at: f64,
}

impl JudgedAgain {
    fn count(&mut self, found: &GradeRecord) {
        self.judged += 1;
        self.judges.insert(found.judge.clone());
        self.versions.insert(found.version.clone());
        self.browsers.extend(found.verdict.iter().map(|verdict| verdict.hashes.browser.clone()));
        self.last_at = self.last_at.max(found.graded_at);
    }
}

/// Counts the attempts that the current judges have graded in this checkout.
///
/// # Errors
/// When the run or a judge can't be read.
pub fn judged_again(run: &RunDir, judges: &CurrentJudges) -> Result<JudgedAgain, RegradeError> {
    let mut again = JudgedAgain::default();
    for tried in run.last_tries::<TaskDetail>()?.iter().filter(|tried| is_gradable(tried)) {
        again.of += 1;
        let Some(found) = judges.known(run, tried)? else { continue };
        again.count(&found.grade);
        let (first, grade) = (run.verdict(&tried.name)?, grade(run, tried, found));
        let after = grade.applied(tried.record.clone());
        let change = Change::between((&tried.record, first.as_ref()), (&after, grade.verdict.as_ref()));
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

/// An attempt that somebody handed over and that left nothing to judge: whatever is claimed of it, it has passed nothing.
fn unproven(mut graded: Graded) -> Graded {
    let record = &mut graded.record;
    if record.outcome == Outcome::Passed {
        record.outcome = Outcome::Failed;
    }
    record.detail.passed_tests = 0;
    graded.verdict = None;
    graded
}
