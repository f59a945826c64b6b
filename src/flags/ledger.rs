//! Which ledger, and which experiment of it: flags of all commands that work on experiments.

use std::path::{Path, PathBuf};

use clap::Args;

use super::env;
use super::failure::{Failure, Status};
use super::settings::Settings;
use scratchbed::files::{Checkout, make_private_folders};
use scratchbed::ledger::Ledger;
use scratchbed::store::RunDir;

/// Where the ledger is.
#[derive(Debug, Clone, Args)]
pub struct LedgerArgs {
    /// The ledger: a file on a local disk, or `env:VARIABLE` with the address of a Postgres database in that variable.
    /// runs/ledger.sqlite by default.
    #[arg(long, value_name = "FILE|env:VARIABLE", env = env::LEDGER, hide_env = true)]
    ledger: Option<String>,
}

impl LedgerArgs {
    /// The ledger of runs, which one process works on: the usual file, even where experiments are in a database, whose workers
    /// would take their cells.
    pub async fn of_runs(settings: &Settings) -> Result<Ledger, Failure> {
        let ledger = std::env::var(env::LEDGER).ok().filter(|given| !given.contains(':'));
        Self { ledger }.open(settings).await
    }

    /// Opens it if it is there: a question makes no file.
    pub async fn existing(&self, settings: &Settings) -> Result<Option<Ledger>, Failure> {
        let is_elsewhere = self.ledger.as_deref().is_some_and(|given| given.contains(':'));
        let file = self.ledger.as_deref().map_or_else(|| settings.root.ledger(), PathBuf::from);
        if is_elsewhere || file.is_file() { self.open(settings).await.map(Some) } else { Ok(None) }
    }

    /// How another process of this program is told which ledger it is, by `--ledger`.
    pub fn named(&self, settings: &Settings) -> String {
        self.ledger.clone().unwrap_or_else(|| settings.root.ledger().display().to_string())
    }

    /// The settings with the file that is named, so that programs of other users are kept from it.
    pub fn known_to(&self, settings: &Settings) -> Settings {
        let file = self.ledger.as_deref().filter(|given| !given.contains(':')).map(PathBuf::from);
        Settings { ledger: file.or_else(|| settings.ledger.clone()), ..settings.clone() }
    }

    /// The variable with the address of the database, where it is one.
    pub fn variable(&self) -> Option<&str> {
        self.ledger.as_deref()?.strip_prefix("env:")
    }

    /// Opens it; a file is made if there is none.
    pub async fn open(&self, settings: &Settings) -> Result<Ledger, Failure> {
        let given = self.ledger.as_deref();
        if let Some(queue) = given.filter(|given| given.starts_with("env:")) {
            return Box::pin(connect(queue)).await;
        }
        // Arguments are seen by everybody on the machine, and stay in the history of shells.
        if given.is_some_and(|given| given.contains("://")) {
            let message = "the address of a database holds its password, so it is no argument";
            let failure = Failure::new(Status::Usage, "address_in_argument", message);
            return Err(failure.hinted("put it into an environment variable, and name that: --ledger env:VARIABLE"));
        }
        let file = given.map_or_else(|| settings.root.ledger(), PathBuf::from);
        refuse_shown(&file, &settings.root)?;
        if let Some(folder) = file.parent() {
            make_private_folders(folder).map_err(|error| Failure::infrastructure("ledger_unreachable", &error))?;
        }
        // Once its folders are there, it is known where a path with `..` leads.
        refuse_shown(&file, &settings.root)?;
        Ok(Box::pin(Ledger::open(&file)).await?)
    }
}

/// Refuses a file that would be shown: all that lies in the folders of the editor is served, and all in the folder of a run is packed
/// with it.
fn refuse_shown(file: &Path, checkout: &Checkout) -> Result<(), Failure> {
    let file = without_links(file);
    let served = [checkout.scratch_gui(), checkout.node_modules(), checkout.reference_editor()];
    let is_served = served.iter().any(|folder| file.starts_with(without_links(folder)));
    if !is_served && !file.ancestors().skip(1).any(RunDir::is_at) {
        return Ok(());
    }
    let what = if is_served { "served with the editor" } else { "packed with a run" };
    let message = format!("{} would be {what}, and a ledger has secret seeds", file.display());
    Err(Failure::new(Status::Usage, "ledger_shown", message).hinted("name a file in a folder of its own with --ledger"))
}

/// A path without links, as far as it is there.
fn without_links(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // A link may lead to what is not there yet.
    let target = std::fs::read_link(&path).ok().and_then(|target| Some(path.parent()?.join(target)));
    let path = target.unwrap_or(path);
    let there = |folder: &Path| Some(folder.canonicalize().ok()?.join(path.strip_prefix(folder).ok()?));
    path.ancestors().find_map(there).unwrap_or_else(|| path.clone())
}

/// An experiment that was begun.
#[derive(Debug, Clone, Args)]
pub struct NamedArgs {
    /// Its name.
    #[arg(value_name = "NAME")]
    pub name: String,
    #[command(flatten)]
    pub ledger: LedgerArgs,
}

/// The ledger of a fleet, whose tickets a queue delivers.
pub async fn connect(queue: &str) -> Result<Ledger, Failure> {
    let Some(variable) = queue.strip_prefix("env:") else {
        let message = "the address of a database holds its password, so it is no argument";
        return Err(Failure::new(Status::Usage, "address_in_argument", message)
            .hinted("put it into an environment variable, and name that: --queue env:SCRATCHBED_QUEUE"));
    };
    let address = std::env::var(variable).map_err(|_| {
        Failure::new(Status::Input, "variable_not_set", format!("{variable} is not set"))
            .hinted("put the address of the database into it, such as postgres://user:password@host/name")
    })?;
    Ok(Ledger::connect(&address, None).await?.with_queue(&address, QUEUE_CONNECTIONS).await?)
}

/// Connections of the queue of one process.
const QUEUE_CONNECTIONS: u32 = 2;

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
