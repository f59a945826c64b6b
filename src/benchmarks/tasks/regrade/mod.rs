//! Grading recorded attempts anew: the kept projects are judged by today's judges, with no model and no session of the editor.
//!
//! The first grade stays in the attempt's record; later ones lie beside it, one a judge. `work` judges; `graded` reads attempts by
//! the grade that is asked for; `changes` says what flipped; `sample` draws some of many.

mod changes;
mod graded;
mod sample;
#[cfg(test)]
mod tests;
mod work;

pub use changes::{Change, Grade, TestChange};
pub use graded::{Graded, Grading, JudgedAgain, graded_tries, judged_again};
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
    /// Grades of the current judge are asked for, and there are none.
    #[error("{count} attempts of {} have no grade by the current judge, the first of them {first}", .path.display())]
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
            Self::NotRegraded { path, .. } => Some(format!(
                "run `scratchbed regrade {}` first; attempts at tasks that are gone have no current grade",
                path.display()
            )),
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
    /// runs scripts, the version of the editor.
    ///
    /// # Errors
    /// When the script can't be read.
    pub fn of(&self, entry: &TaskEntry) -> Result<String, TasksetError> {
        let seed = entry.task.seeds.first().copied().unwrap_or_default();
        let limits = &entry.task.limits;
        let own = format!("{} {seed} {} {}", entry.evaluation()?.digest(), limits.case_ms, limits.task_ms);
        Ok(sha256_hex(format!("{} {own} {:?}", self.surroundings, entry.contract()).as_bytes()))
    }
}
