//! Which set of tasks a command works on.

use std::path::PathBuf;

use clap::Args;

use super::signs::progress;
use crate::flags::failure::Failure;
use crate::flags::settings::Settings;
use scratchbed::taskset::TaskSet;

/// The choice between the bundled tasks, those that are being written, and a pack.
#[derive(Debug, Clone, Default, Args)]
pub struct PackArgs {
    /// Take the tasks from this task pack instead of the bundled ones.
    #[arg(long, value_name = "DIR")]
    pub pack: Option<PathBuf>,
    /// Take the drafts in tasks/drafts instead, which belong to no set.
    #[arg(long, conflicts_with = "pack")]
    pub drafts: bool,
}

impl PackArgs {
    /// Whether the tasks are not this checkout's.
    pub const fn is_foreign(&self) -> bool {
        self.pack.is_some()
    }

    /// Reads the chosen set, of which these tasks are `named`; none for all.
    pub fn tasks(&self, settings: &Settings, named: &[String]) -> Result<TaskSet, Failure> {
        Ok(match &self.pack {
            Some(pack) => TaskSet::read_pack(pack)?,
            None if self.drafts => drafts(settings, named)?,
            None => TaskSet::read(&settings.root)?,
        })
    }
}

/// The drafts that can be used; the others are reported. A draft that is named and can't be used is an error later,
/// and faults of others do not matter to who names one.
fn drafts(settings: &Settings, named: &[String]) -> Result<TaskSet, Failure> {
    let drafts = TaskSet::read_drafts(&settings.root)?;
    if named.is_empty() {
        for problem in drafts.unfinished() {
            progress(format!("unfinished: {problem}"));
        }
    }
    Ok(drafts)
}
