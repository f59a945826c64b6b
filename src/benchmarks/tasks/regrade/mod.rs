//! Grading recorded attempts anew: the kept projects are judged by today's judges, with no model and no session of the editor.
//!
//! The first grade stays in the attempt's record; later ones lie beside it, one a judge. `work` judges; `known` has the
//! verdicts of this checkout, which alone make a later grade count; `graded` reads attempts by the grade that is asked for;
//! `changes` says what flipped; `sample` draws some of many.

mod changes;
mod graded;
mod known;
mod sample;
#[cfg(test)]
mod seed_tests;
#[cfg(test)]
mod tests;
mod work;

pub use changes::{Change, Grade, TestChange};
pub use graded::{Graded, Grading, JudgedAgain, graded_tries, judged_again};
pub use known::CurrentJudges;
pub use sample::Sample;
pub use work::{How, Regraded, Regrading, Unjudged, regrade};

use std::path::PathBuf;

use crate::judge::{editor, engine};
use crate::model::{Blame, Coded, sha256_hex};
use crate::store::StoreError;
use crate::taskset::{TaskEntry, TasksetError};

/// Why attempts can't be graded anew, or read by such grades.
#[derive(Debug, thiserror::Error)]
pub enum RegradeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A script can't be read.
    #[error(transparent)]
    Tasks(#[from] TasksetError),
    /// What is no attempt at a task has no project.
    #[error("{} is a run of the benchmark `{benchmark}`, and only attempts at tasks have projects to judge", .path.display())]
    Benchmark { path: PathBuf, benchmark: String },
    /// Grades of the current judge are asked for, and this checkout has given none.
    #[error(
        "{count} attempts of {} have no grade by the current judge of this checkout, the first of them {first}",
        .path.display()
    )]
    NotRegraded { path: PathBuf, count: usize, first: String },
}

impl Coded for RegradeError {
    fn code(&self) -> &str {
        match self {
            Self::Store(error) => error.code(),
            Self::Tasks(error) => error.code(),
            Self::Benchmark { .. } => "nothing_to_regrade",
            Self::NotRegraded { .. } => "not_regraded",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.hint(),
            Self::Tasks(error) => error.hint(),
            Self::Benchmark { .. } => Some("name runs of tasks".to_owned()),
            Self::NotRegraded { .. } => Some(
                "have `scratchbed regrade` judge the run or the bundle here first; attempts at tasks that are gone have \
                 no current grade"
                    .to_owned(),
            ),
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Store(error) => error.blame(),
            Self::Tasks(error) => error.blame(),
            Self::Benchmark { .. } | Self::NotRegraded { .. } => Blame::Input,
        }
    }
}

/// The judges of a set of tasks, by their digests. What runs all scripts is digested once.
#[derive(Debug)]
pub struct JudgeDigests {
    surroundings: String,
}

impl Default for JudgeDigests {
    fn default() -> Self {
        Self { surroundings: format!("{} {}", engine(), editor()) }
    }
}

impl JudgeDigests {
    /// One digest of all that decides on a verdict for a task: the script with its helpers, the limits of time, the seed, what
    /// runs scripts, the version of the editor; and whether it judges under a secret seed too. The seed itself is in no digest that
    /// is shown: it has few enough values to be found by trying.
    ///
    /// # Errors
    /// When the script can't be read.
    pub fn of(&self, entry: &TaskEntry, secret: Option<u64>) -> Result<String, TasksetError> {
        let (seed, script) = (entry.task.seeds.first().copied().unwrap_or_default(), entry.evaluation()?);
        let two_seeds = if secret.is_some() && script.draws() { " two seeds" } else { "" };
        let limits = &entry.task.limits;
        let own = format!("{} {seed} {} {}{two_seeds}", script.digest(), limits.case_ms, limits.task_ms);
        Ok(sha256_hex(format!("{} {own} {:?}", self.surroundings, entry.contract()).as_bytes()))
    }
}
