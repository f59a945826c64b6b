//! How a run is made: attempts, how many at a time, what is made again, what it may spend.

use std::path::{Path, PathBuf};

use clap::Args;

use super::budget::BudgetArgs;
use scratchbed::experiment::RunOptions;

/// How many items are worked on at once.
#[derive(Debug, Clone, Copy, Args)]
pub struct JobsArgs {
    /// Items that are worked on at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: u16,
}

/// How a run is made.
#[derive(Debug, Args)]
pub struct RunFlags {
    /// Attempts at each item.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub attempts: u32,
    #[command(flatten)]
    jobs: JobsArgs,
    /// How often an attempt that the testbed or the judge spoiled is made again.
    #[arg(long, value_name = "N", default_value_t = 2)]
    retries: u32,
    /// Go on with an earlier run, which must have been asked for in the same way: what it has recorded is not done
    /// again, save what the testbed or the judge spoiled.
    #[arg(long, value_name = "FOLDER")]
    pub resume: Option<PathBuf>,
    /// With --resume: make the attempts again whose call failed, because the model or the program was not there.
    #[arg(long, requires = "resume")]
    retry_failed_calls: bool,
    #[command(flatten)]
    pub budget: BudgetArgs,
}

impl RunFlags {
    /// Items at a time.
    pub fn jobs(&self) -> usize {
        self.jobs.jobs.into()
    }

    /// The run to go on with, if it is one.
    pub fn resume(&self) -> Option<&Path> {
        self.resume.as_deref()
    }

    /// How its attempts are made.
    pub fn options(&self) -> RunOptions {
        RunOptions { jobs: self.jobs(), retries: self.retries, retry_failed_calls: self.retry_failed_calls }
    }
}
