//! What keeps a program of the user's from the solutions: the flags of `run` that say it, and the check before a run.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::failure::{Failure, Status};
use super::settings::Settings;
use scratchbed::agent::RunAs;
use scratchbed::benchmarks::tasks::{Isolation, Via};
use scratchbed::model::Mode;
use scratchbed::taskset::TaskEntry;

/// Readable files that an error names.
const NAMED: usize = 3;

/// What keeps a program from the solutions.
#[derive(Debug, Args)]
pub struct IsolationArgs {
    /// Run the program as this user of the machine, who must not be able to read solutions, evaluation scripts and runs;
    /// that is checked first. Needs root.
    #[arg(long, value_name = "NAME", requires = "command", conflicts_with = "isolation")]
    agent_user: Option<String>,
    /// Run the program as the user of this command, who can read the solutions. Every report says so. With --via http or
    /// mcp, either this or --agent-user must be given.
    #[arg(long, value_enum, value_name = "none", requires = "command")]
    isolation: Option<IsolationName>,
}

/// The ways to do without a user of the program's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum IsolationName {
    /// Nothing keeps the program from the solutions.
    None,
}

impl IsolationArgs {
    /// The user that the program runs as, if it is to be another one.
    ///
    /// # Errors
    /// When a program that works by itself is to run without saying how it is kept from the solutions.
    pub fn user(&self, via: Via) -> Result<Option<RunAs>, Failure> {
        match (&self.agent_user, self.isolation) {
            (Some(name), _) => Ok(Some(RunAs::named(name)?)),
            (None, None) if via != Via::Lines => {
                let message = "a program that works by itself could read the solutions on this machine";
                Err(not_isolated(message.to_owned()))
            }
            (None, _) => Ok(None),
        }
    }
}

/// What records and reports say of it.
pub fn isolation(user: Option<&RunAs>) -> Isolation {
    user.map_or(Isolation::None, |user| Isolation::User(user.name().to_owned()))
}

/// Refuses a user who can read what the program must not know. `run` is the folder of a run that goes on.
///
/// # Errors
/// When it can, or the check can't be made.
pub async fn check(
    user: &RunAs,
    entries: &[TaskEntry],
    run: Option<&Path>,
    settings: &Settings,
) -> Result<(), Failure> {
    let readable = user.readable(&secrets(entries, run, settings)).await?;
    if readable.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = readable.iter().take(NAMED).map(|path| path.display().to_string()).collect();
    let more = readable.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    Err(not_isolated(format!("the user {} can read {}{more}", user.name(), named.join(", "))))
}

fn not_isolated(message: String) -> Failure {
    Failure::new(Status::Usage, "agent_not_isolated", message).hinted(
        "give --agent-user NAME, a user who can't read tasks, scripts and runs (chmod 700 on the checkout does it), or \
         --isolation none, which every report then shows",
    )
}

/// The files and folders that tell solutions, or what other attempts made.
fn secrets(entries: &[TaskEntry], run: Option<&Path>, settings: &Settings) -> Vec<PathBuf> {
    let root = &settings.root;
    // The history of a checkout has everything that is in it.
    let folders = [root.runs(), root.projects(), root.join(".git/objects")];
    let mut secrets: Vec<PathBuf> = folders.into_iter().chain(run.map(Path::to_owned)).collect();
    for entry in entries {
        secrets.extend([entry.golden(), entry.script()]);
        secrets.extend(entry.second_solutions());
        secrets.extend(entry.slow_solutions());
        let lists = entry.task.oracle.as_ref();
        let list = |mode: Mode| Some(entry.folder.join(lists?.of(mode)?));
        secrets.extend([Mode::Composite, Mode::Primitive].into_iter().filter_map(list));
    }
    secrets.sort();
    secrets.dedup();
    secrets
}

/// Makes the folders whose access is checked, so that what is checked is what will be there.
///
/// # Errors
/// When the disk refuses.
pub fn prepare(settings: &Settings) -> Result<(), Failure> {
    for folder in [settings.root.runs(), settings.root.projects()] {
        std::fs::create_dir_all(folder).map_err(|error| Failure::infrastructure("folder_not_made", &error))?;
    }
    Ok(())
}
