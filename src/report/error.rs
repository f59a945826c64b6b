//! What can go wrong while a report is made.

use std::path::PathBuf;

use crate::benchmarks::tasks::regrade::RegradeError;
use crate::compile::BuildError;
use crate::export::ExportError;
use crate::fault_views::FaultViewError;
use crate::model::{Blame, Coded};
use crate::project::ProjectError;
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
    /// A fault or a repair can't be shown.
    #[error(transparent)]
    FaultView(#[from] FaultViewError),
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
            Self::FaultView(error) => error.code(),
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
            Self::FaultView(error) => error.hint(),
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
            Self::FaultView(error) => error.blame(),
            Self::Store(error) => error.blame(),
            Self::Grades(error) => error.blame(),
            Self::Matrix(error) => error.blame(),
            Self::Write { .. } | Self::Csv(_) => Blame::Testbed,
            Self::Project(_)
            | Self::Tasks(_)
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
        match self {
            Self::Build(error) => error.is_broken(),
            Self::FaultView(error) => error.is_broken(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::PageError;

    #[test]
    fn trouble_with_a_view_keeps_its_code_and_whether_another_try_may_help() {
        let lost = || PageError::LaunchFailed { reason: "no memory".to_owned() };
        let broken = ReportError::from(FaultViewError::from(BuildError::from(lost())));
        assert_eq!((broken.code(), broken.blame(), broken.is_broken()), (lost().code(), lost().blame(), true));
        let unsteady = ReportError::from(FaultViewError::Unsteady { id: "bee".to_owned(), scenario: "s1".to_owned() });
        assert_eq!((unsteady.code(), unsteady.blame(), unsteady.is_broken()), ("unsteady", Blame::Testbed, false));
    }
}
