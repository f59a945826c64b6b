//! Certifying tasks: evidence that an evaluation script accepts correct projects and rejects faulty ones.
//!
//! Parts: `build` makes the projects of a task; `judging` is the judge as this module needs it, `kept` remembers
//! single judgements so that a check can be broken off and taken up again; `evidence` judges what must pass and what
//! must fail; `parts` says which mutants of the golden project are judged, `mutation` judges those with faults, `benign` those without,
//! `table` one that knows by heart what is asked, `unseen` those in which a sprite is never shown, and `uses` finds what each test is good for; `certificate` is the result, with the
//! reasons to refuse it, `current` says whether it still counts, `pace` whether the limits of time fit and `budget` those of steps,
//! `thresholds` what many tasks must reach, `listing` how certificates are listed; `solution` derives the golden project as calls, `oracle` tries
//! those that come with a task, `stats` computes figures of a task
//! set. How mutants are made
//! is the `project` room's work, how a project is run the `judge` room's.

mod benign;
mod budget;
mod build;
mod certificate;
mod current;
mod error;
mod evidence;
mod judging;
mod kept;
pub mod listing;
mod mutation;
mod oracle;
mod pace;
mod parts;
mod solution;
pub mod stats;
mod table;
#[cfg(test)]
mod tests;
mod thresholds;
mod unseen;
mod uses;

pub use budget::{budget_faults, with_budget};
pub use build::{build, build_ends};
pub use certificate::{
    Benign, BenignRecord, CERTIFICATE_FILE, CERTIFICATE_FORMAT, Certificate, GoldenRun, MutantOutcome, MutantRecord,
    Mutation, OracleTrial, ProjectHashes, TestKills, TestReport, TestUse,
};
pub use current::{Stale, current, current_in, kept_certificate, still_good};
pub use error::CheckError;
pub use evidence::{CheckOptions, Progress, Projects, certify};
pub use judging::{JudgeProject, Trial};
pub use kept::{KeptJudge, surroundings};
pub use oracle::with_oracle;
pub use solution::{SolutionError, solution};
pub use table::TableTrial;
pub use thresholds::{Score, Thresholds};
pub use unseen::UnseenTrial;
