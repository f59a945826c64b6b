//! Flags of a server that runs experiments.

use clap::Args;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::child::{Nursery, Program};
use super::tenants::Tenants;
use super::{Hosting, Inner};
use crate::flags::env;
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::LedgerArgs;
use crate::flags::settings::{Settings, own_binary};
use scratchbed::http::Access;
use scratchbed::ledger::Ledger;

/// Which experiments a server runs.
#[derive(Debug, Clone, Args)]
pub struct HostingArgs {
    /// Run experiments that researchers create over HTTP, so many at a time.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    experiments: Option<u16>,
    /// Attempts at a time of each of them.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64), requires = "experiments")]
    experiment_jobs: u16,
    /// A variable with the key of an endpoint that their files may name as `key_env`; may be given several times. They see no
    /// other variable.
    #[arg(long, value_name = "NAME", requires = "experiments")]
    key_env: Vec<String>,
}

/// Refuses a variable as that of an endpoint's key which is not set, or which no endpoint must learn. `place` names it.
pub fn check_key(name: &str, ledger: &LedgerArgs, place: &str) -> Result<(), Failure> {
    if env::ALL.iter().any(|(ours, _)| *ours == name) || ledger.variable() == Some(name) {
        let message = format!("{name} is a variable of the server itself, and no endpoint must learn it");
        return Err(Failure::new(Status::Usage, "key_is_servers", message)
            .hinted("put the endpoint's key into a variable of its own"));
    }
    if std::env::var_os(name).is_none() {
        return Err(Failure::new(Status::Input, "variable_not_set", format!("{place}: {name} is not set")));
    }
    Ok(())
}

impl HostingArgs {
    /// Whether any are run.
    pub const fn hosts(&self) -> bool {
        self.experiments.is_some()
    }

    /// Refuses flags that make no sense, before anything is opened.
    pub fn check(&self, ledger: &LedgerArgs, access: &Access) -> Result<(), Failure> {
        if self.hosts() && !access.shows_runs() {
            let message = "--experiments is for researchers, and this server has none";
            return Err(Failure::new(Status::Usage, "experiments_for_nobody", message).hinted(
                "add --researcher-token TOKEN; --open-runs lets every caller on this machine create experiments",
            ));
        }
        for name in &self.key_env {
            check_key(name, ledger, "--key-env")?;
        }
        Ok(())
    }

    /// What runs the experiments, if any are run; it begins with those that it ran before.
    pub fn open(
        &self,
        ledger: Option<&Ledger>,
        named: &LedgerArgs,
        settings: &Settings,
    ) -> Result<Option<Hosting>, Failure> {
        let (Some(limit), Some(ledger)) = (self.experiments, ledger) else { return Ok(None) };
        let program = Program {
            binary: own_binary()?,
            root: settings.root.to_path_buf(),
            chromium: settings.chromium.clone(),
            variables: self.key_env.iter().cloned().chain(named.variable().map(str::to_owned)).collect(),
        };
        let nursery = Nursery { program, ledger: named.named(settings), jobs: self.experiment_jobs };
        Ok(Some(Hosting::open(Inner {
            ledger: ledger.clone(),
            settings: settings.clone(),
            keys: self.key_env.clone(),
            nursery,
            tenants: Tenants::new(limit.into()),
            wake: Notify::new(),
            closing: CancellationToken::new(),
            tasks: TaskTracker::new(),
        })))
    }
}
