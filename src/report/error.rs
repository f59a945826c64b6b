//! What can go wrong while a report is made.

use std::path::PathBuf;

use crate::benchmarks::tasks::regrade::RegradeError;
use crate::compile::BuildError;
use crate::export::ExportError;
use crate::judge::PlayError;
use crate::model::{Blame, Coded};
use crate::project::ProjectError;
use crate::project::edit::EditError;
use crate::store::StoreError;
use crate::taskset::TasksetError;

/// Errors of the report room.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A project can't be built or drawn.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A built project can't be read.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The files of a task can't be read.
    #[error(transparent)]
    Tasks(#[from] TasksetError),
    /// A scenario can't be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A patch does not fit its project.
    #[error("the patch of {id} does not fit its project")]
    Patch { id: String, source: EditError },
    /// Pictures show a program only while it does what it does without them.
    #[error("{id} did something else in {scenario} when it was played again for its pictures")]
    Unsteady { id: String, scenario: String },
    /// A run can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Runs of controllers make no common matrix.
    #[error(transparent)]
    Matrix(#[from] ExportError),
    /// Energy that was found in different ways is no common figure.
    #[error("{0}")]
    EnergyMixed(String),
    /// Of this benchmark there are no tables.
    #[error("runs of `{benchmark}` have no tables")]
    NoTables { benchmark: String },
    /// A grade that was asked for is not there.
    #[error(transparent)]
    Grades(#[from] RegradeError),
    /// Only attempts at tasks are compared pair by pair.
    #[error("{run} is no run of tasks, and only those are compared pair by pair")]
    OnlyTasks { run: String },
    /// Two runs have nothing in common.
    #[error("{first} and {second} have no attempt that counts at the same task")]
    NothingShared { first: String, second: String },
    /// Runs can't be counted as one.
    #[error("these runs can't be pooled: {why}")]
    NotPooled { why: String },
    /// A final report is asked for, and attempts are lacking.
    #[error("attempts are lacking, {runs}")]
    NotFinal { runs: String },
    /// A table can't be written as CSV.
    #[error("the table could not be written")]
    Csv(#[from] csv::Error),
    /// A page can't be made from its template.
    #[error("the page {page} could not be made")]
    Template { page: String, source: minijinja::Error },
    /// A file of the report can't be written.
    #[error("could not write {}", .path.display())]
    Write { path: PathBuf, source: std::io::Error },
}

impl Coded for ReportError {
    fn code(&self) -> &str {
        match self {
            Self::Build(BuildError::Page(error)) => error.code(),
            Self::Build(error) => error.code(),
            Self::Project(error) => error.code(),
            Self::Tasks(error) => error.code(),
            Self::Play(error) => error.code(),
            Self::Patch { .. } => "patch_unfit",
            Self::Unsteady { .. } => "unsteady",
            Self::Store(error) => error.code(),
            Self::Matrix(error) => error.code(),
            Self::EnergyMixed(_) => "energy_mixed",
            Self::NoTables { .. } => "no_tables",
            Self::Grades(error) => error.code(),
            Self::OnlyTasks { .. } => "compare_tasks_only",
            Self::NothingShared { .. } => "nothing_shared",
            Self::NotPooled { .. } => "not_pooled",
            Self::NotFinal { .. } => "not_final",
            Self::Csv(_) => "table_not_written",
            Self::Template { .. } => "page_not_made",
            Self::Write { .. } => "report_not_written",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Build(error) => error.hint(),
            Self::Store(error) => error.hint(),
            Self::Grades(error) => error.hint(),
            Self::Matrix(error) => error.hint(),
            Self::EnergyMixed(_) => Some("set runs side by side whose energy was found in one way".to_owned()),
            Self::OnlyTasks { .. } => Some("`scratchbed report` puts runs of any benchmark side by side".to_owned()),
            Self::NothingShared { .. } => Some("compare runs of the same split, with as many attempts".to_owned()),
            Self::NotPooled { .. } => Some(
                "name one run of each half that `scratchbed bugs folds` made, asked in the same way".to_owned(),
            ),
            Self::NotFinal { .. } => Some(
                "make owed attempts by resuming the run, with more --retries where they are dead; without --final the report \
                 shows what there is"
                    .to_owned(),
            ),
            _ => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Build(error) => error.blame(),
            Self::Play(error) => error.blame(),
            Self::Store(error) => error.blame(),
            Self::Grades(error) => error.blame(),
            Self::Matrix(error) => error.blame(),
            Self::Write { .. } | Self::Csv(_) | Self::Unsteady { .. } => Blame::Testbed,
            Self::Project(_)
            | Self::Tasks(_)
            | Self::Patch { .. }
            | Self::EnergyMixed(_)
            | Self::NoTables { .. }
            | Self::OnlyTasks { .. }
            | Self::NothingShared { .. }
            | Self::NotPooled { .. }
            | Self::NotFinal { .. }
            | Self::Template { .. } => Blame::Input,
        }
    }
}

impl ReportError {
    /// Whether the testbed broke, so that another try may succeed.
    pub const fn is_broken(&self) -> bool {
        matches!(self, Self::Build(BuildError::Page(_)))
    }
}
