//! What can go wrong with pools and benchmarks on disk.

use std::path::PathBuf;

use crate::model::{Blame, Coded};
use crate::project::ProjectError;

/// Errors of the room.
#[derive(Debug, thiserror::Error)]
pub enum BugsError {
    /// A file can't be read or written.
    #[error("{file}: {source}")]
    File { file: PathBuf, source: std::io::Error },
    /// A file is not what it should be.
    #[error("{file}: {message}")]
    Malformed { file: PathBuf, message: String },
    /// There is no such folder of projects.
    #[error("{0} is no pool of projects: it has no pool.json")]
    NoPool(PathBuf),
    /// There is no such benchmark.
    #[error("{0} is no benchmark of faults: it has no benchmark.json")]
    NoBench(PathBuf),
    /// The benchmark has no such instance.
    #[error("there is no instance `{id}` in {bench}")]
    NoInstance { id: String, bench: PathBuf },
    /// The pool has no such project.
    #[error("there is no project `{id}` in {pool}")]
    NoProject { id: String, pool: PathBuf },
    /// A project of the pool or the benchmark can't be read.
    #[error("{file}: {source}")]
    Project { file: PathBuf, source: ProjectError },
}

impl Coded for BugsError {
    fn code(&self) -> &str {
        match self {
            Self::File { .. } => "bugs_file",
            Self::Malformed { .. } => "bugs_malformed",
            Self::NoPool(_) => "no_pool",
            Self::NoBench(_) => "no_benchmark",
            Self::NoInstance { .. } => "unknown_instance",
            Self::NoProject { .. } => "unknown_project",
            Self::Project { .. } => "project_invalid",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NoPool(_) => Some("make one with `scratchbed intake scan FOLDER --out POOL`".to_owned()),
            Self::NoBench(_) => Some("make one with `scratchbed forge run --pool POOL --out BENCH`".to_owned()),
            Self::NoInstance { .. } => Some("`scratchbed bugs list BENCH` lists them".to_owned()),
            Self::NoProject { .. } => Some("`scratchbed intake list POOL` lists them".to_owned()),
            _ => None,
        }
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}
