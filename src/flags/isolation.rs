//! What keeps a program of the user's from the solutions: the flags of `run` that say it, and the check before a run.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::env;
use super::failure::{Failure, Status};
use super::settings::Settings;
use scratchbed::agent::RunAs;
use scratchbed::benchmarks::tasks::{Isolation, Via};
use scratchbed::files::make_private_folders;
use scratchbed::model::Mode;
use scratchbed::taskset::TaskEntry;

/// Readable files that an error names.
const NAMED: usize = 3;
/// What a benchmark of faults has beside its public half: any of it tells where faults are.
const TRUTH_OF_FAULTS: [&str; 4] = ["truth", "projects", "benchmark.json", "folds.json"];

/// What keeps a program from the solutions.
#[derive(Debug, Args)]
pub struct IsolationArgs {
    /// Run the program as this user of the machine, who must not be able to read solutions, evaluation scripts, the truth of
    /// faults and runs; that is checked first. Needs root.
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

    /// The user that a program of single questions runs as, if it is to be another one.
    ///
    /// # Errors
    /// When there is no such user, or this process may not become it.
    pub fn user_of_questions(&self) -> Result<Option<RunAs>, Failure> {
        self.user(Via::Lines)
    }

    /// Whether the user said what keeps the program from the solutions, or that nothing does.
    pub const fn is_given(&self) -> bool {
        self.agent_user.is_some() || self.isolation.is_some()
    }

    /// The same in the words of records, where the user said it.
    pub fn recorded(&self) -> Option<String> {
        let user = self.agent_user.clone().map(Isolation::User);
        user.or_else(|| self.isolation.map(|IsolationName::None| Isolation::None))
            .map(|isolation| isolation.to_string())
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
    refuse_reader(user, &secrets(entries, run, settings)).await
}

/// The same of faults: `bench` is the folder of their benchmark, absent where bundled tasks are repaired.
///
/// # Errors
/// As [`check`].
pub async fn check_faults(
    user: &RunAs,
    bench: Option<&Path>,
    run: Option<&Path>,
    settings: &Settings,
) -> Result<(), Failure> {
    refuse_reader(user, &fault_secrets(bench, run, settings)).await
}

async fn refuse_reader(user: &RunAs, secrets: &[PathBuf]) -> Result<(), Failure> {
    let readable = user.readable(secrets).await?;
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
    let others = run.map(Path::to_owned).into_iter().chain(ledgers(settings));
    let mut secrets: Vec<PathBuf> = folders.into_iter().chain(others).collect();
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

/// What tells the truth about the instances of a benchmark, the golden projects of this checkout, or what other attempts answered.
fn fault_secrets(bench: Option<&Path>, run: Option<&Path>, settings: &Settings) -> Vec<PathBuf> {
    let root = &settings.root;
    let own = |bench: &Path| TRUTH_OF_FAULTS.map(|name| bench.join(name));
    let others =
        [root.runs(), root.projects(), root.join("tasks"), root.join("assets/pool"), root.join(".git/objects")];
    bench.into_iter().flat_map(own).chain(others).chain(run.map(Path::to_owned)).chain(ledgers(settings)).collect()
}

/// The ledgers, which have secret seeds, that the command and the environment name: they may lie elsewhere than below the runs.
fn ledgers(settings: &Settings) -> impl Iterator<Item = PathBuf> {
    let of_environment = std::env::var(env::LEDGER).ok().filter(|given| !given.contains(':')).map(PathBuf::from);
    settings.ledger.clone().into_iter().chain(of_environment)
}

/// Makes the folders whose access is checked, so that what is checked is what will be there.
///
/// # Errors
/// When the disk refuses.
pub fn prepare(settings: &Settings) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::infrastructure("folder_not_made", &error);
    make_private_folders(&settings.root.runs()).map_err(failed)?;
    std::fs::create_dir_all(settings.root.projects()).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scratchbed::files::Checkout;

    #[test]
    fn the_ledger_that_a_command_names_is_kept_from_programs_like_runs_and_solutions() {
        let ledger = PathBuf::from("/elsewhere/own.sqlite");
        let settings = Settings { root: Checkout::at("/checkout"), chromium: None, ledger: Some(ledger.clone()) };
        for secrets in [secrets(&[], None, &settings), fault_secrets(None, None, &settings)] {
            assert!(secrets.contains(&ledger) && secrets.contains(&settings.root.runs()), "{secrets:?}");
        }
    }
}
