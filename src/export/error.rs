//! Why runs can't be exported.

use std::path::{Path, PathBuf};

use crate::model::{Blame, Coded};
use crate::store::StoreError;

/// Errors of an export. Nothing is left behind by one that fails.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A run can't be read.
    #[error(transparent)]
    Run(#[from] StoreError),
    /// There is something where the export is to go.
    #[error("{} is there and not empty", .path.display())]
    Taken { path: PathBuf },
    /// A file of the export can't be written.
    #[error("{} can't be written", .path.display())]
    Unwritable { path: PathBuf, source: std::io::Error },
    /// A format has no files for this benchmark.
    #[error("{} is a run of the benchmark `{benchmark}`, which this format has no place for", .path.display())]
    Benchmark { path: PathBuf, benchmark: String },
    /// Questions that were named are not those of the run.
    #[error("{} is a run of another set of questions", .path.display())]
    OtherSet { path: PathBuf },
    /// A run that is no run of budgeted repair.
    #[error("{} is no run of budgeted repair: its setting `{mode}` is no mode of the controller", .path.display())]
    NoMode { path: PathBuf, mode: String },
    /// A place of the matrix is taken twice.
    #[error("the trajectory {trajectory} is in {first} and in {second}")]
    TrajectoryTwice { trajectory: String, first: String, second: String },
    /// What decides a record is not the same in two of them.
    #[error("{first} and {second} have different {what}")]
    MixedDigests { what: String, first: String, second: String },
    /// Two attempts would have the same files.
    #[error("{name} would be written for two runs")]
    Twice { name: String },
}

impl ExportError {
    pub(super) fn unwritable(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Unwritable { path: path.to_owned(), source }
    }
}

impl Coded for ExportError {
    fn code(&self) -> &str {
        match self {
            Self::Run(error) => error.code(),
            Self::Taken { .. } => "export_exists",
            Self::Unwritable { .. } => "export_not_written",
            Self::Benchmark { .. } => "format_without_benchmark",
            Self::OtherSet { .. } => "set_differs",
            Self::NoMode { .. } => "no_controller_mode",
            Self::TrajectoryTwice { .. } => "trajectory_twice",
            Self::MixedDigests { .. } => "digests_mixed",
            Self::Twice { .. } => "exported_twice",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Run(error) => return error.hint(),
            Self::Taken { .. } => "nothing is ever overwritten: name a new or empty folder",
            Self::Unwritable { .. } => return None,
            Self::Benchmark { .. } => {
                "submission and inspect take runs of tasks; csv, jsonl and bundle take runs of any benchmark"
            }
            Self::OtherSet { .. } => "name the folder that `perception run` had with --set",
            Self::NoMode { .. } => "name runs that a controller made",
            Self::TrajectoryTwice { .. } => "leave one of the runs out: no trajectory counts twice",
            Self::MixedDigests { .. } => "such trajectories do not compare: export them to folders of their own",
            Self::Twice { .. } => "these runs have the same model, mode and agent: export them to folders of their own",
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Run(error) => error.blame(),
            Self::Taken { .. } | Self::Twice { .. } | Self::TrajectoryTwice { .. } => Blame::Caller,
            Self::Benchmark { .. } | Self::OtherSet { .. } | Self::NoMode { .. } | Self::MixedDigests { .. } => {
                Blame::Input
            }
            Self::Unwritable { .. } => Blame::Testbed,
        }
    }
}
