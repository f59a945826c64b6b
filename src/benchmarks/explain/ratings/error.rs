//! Why explanations can't be rated, or ratings not compared.

use std::path::PathBuf;

use crate::agent::AskError;
use crate::agent::model::BUDGET_EXHAUSTED;
use crate::bugs::BugsError;
use crate::model::{Blame, Coded};
use crate::store::StoreError;

/// What is rated already is kept.
#[derive(Debug, thiserror::Error)]
pub enum RatingError {
    /// The run is one of another benchmark.
    #[error("{} is a run of `{benchmark}`, not of explanations", .run.display())]
    NotExplained { run: PathBuf, benchmark: String },
    #[error("{} is no run of {} as it is now", .run.display(), .bench.display())]
    OtherBenchmark { run: PathBuf, bench: PathBuf },
    #[error("{} has no explanation that could be read", .run.display())]
    NothingToRate { run: PathBuf },
    /// What is right of an instance can't be told.
    #[error("{item}: {reason}")]
    Truth { item: String, reason: String },
    /// This judge has rated before, and was asked in another way.
    #[error("`{judge}` has rated this run, and was asked differently: {what}")]
    JudgedOtherwise { judge: String, what: String, file: PathBuf },
    /// There are fewer than two who rated.
    #[error("{} has ratings by {} alone", .run.display(), .by.as_deref().unwrap_or("nobody"))]
    NothingToCompare { run: PathBuf, by: Option<String> },
    #[error("no two of {} have rated the same explanation", .raters.join(", "))]
    NothingShared { raters: Vec<String> },
    /// Call after call has failed.
    #[error("{count} calls in a row have failed, the last one with: {last}")]
    NoAnswers { count: u32, last: String },
    /// What may be spent is spent.
    #[error("{reason}; {done} of {all} explanations are rated")]
    BudgetExhausted { reason: String, done: usize, all: usize },
    #[error(transparent)]
    Agent(#[from] AskError),
    #[error(transparent)]
    Bugs(#[from] BugsError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Coded for RatingError {
    fn code(&self) -> &str {
        match self {
            Self::NotExplained { .. } => "run_not_of_explanations",
            Self::OtherBenchmark { .. } => "run_of_other_benchmark",
            Self::NothingToRate { .. } => "nothing_to_rate",
            Self::Truth { .. } => "truth_unreadable",
            Self::JudgedOtherwise { .. } => "judged_otherwise",
            Self::NothingToCompare { .. } => "nothing_to_compare",
            Self::NothingShared { .. } => "nothing_rated_by_two",
            Self::NoAnswers { .. } => "calls_fail",
            Self::BudgetExhausted { .. } => BUDGET_EXHAUSTED,
            Self::Agent(error) => error.code(),
            Self::Bugs(error) => error.code(),
            Self::Store(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotExplained { .. } => "name the folder that `scratchbed explain run` printed".to_owned(),
            Self::OtherBenchmark { .. } => "name the benchmark that the run is of, as it was then".to_owned(),
            Self::NothingToRate { .. } => "`scratchbed explain run --resume` makes what is left of a run".to_owned(),
            Self::JudgedOtherwise { file, .. } => {
                let judged = file.with_extension("jsonl");
                let (header, judged) = (file.display(), judged.display());
                format!("ask in the same way, or move {header} and {judged} away to have all rated anew")
            }
            Self::NothingToCompare { .. } => {
                "two must rate: `scratchbed explain rate BENCH RUN --rater NAME`, `scratchbed explain judge BENCH RUN`"
                    .to_owned()
            }
            Self::NothingShared { .. } => {
                "people get the same sample by the same --count and --seed; a judge rates all".to_owned()
            }
            Self::NoAnswers { .. } => "what is rated is kept: the same call again goes on from there".to_owned(),
            Self::BudgetExhausted { .. } => {
                "what is rated is kept: the same call with a larger budget goes on from there".to_owned()
            }
            Self::Truth { .. } => return None,
            Self::Agent(error) => return error.hint(),
            Self::Bugs(error) => return error.hint(),
            Self::Store(error) => return error.hint(),
        })
    }

    fn blame(&self) -> Blame {
        match self {
            Self::NoAnswers { .. } => Blame::Testbed,
            Self::Agent(error) => error.blame(),
            Self::Bugs(error) => error.blame(),
            // A broken line was written by hand.
            Self::Store(StoreError::Malformed { .. }) => Blame::Input,
            Self::Store(error) => error.blame(),
            _ => Blame::Input,
        }
    }
}
