//! Flags of a server that runs experiments.

use clap::Args;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::checks::Checks;
use super::child::{Nursery, Program};
use super::tenants::Tenants;
use super::{Hosting, Inner};
use crate::flags::env;
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::LedgerArgs;
use crate::flags::lent_key::LentKey;
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
    /// A variable with the key of an endpoint that their files may name as `key_env`, and the only host that the key may be
    /// sent to, such as `MODEL_KEY=https://api.example.com`; may be given several times. They see no other variable.
    #[arg(long, value_name = "NAME=URL", requires = "experiments")]
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
        if self.hosts() && !access.takes_orders() {
            let message = "--experiments is for researchers, and this server has none";
            return Err(Failure::new(Status::Usage, "experiments_for_nobody", message).hinted(
                "add --researcher-token TOKEN; on a server without any token, --open-runs lets whoever reaches the port \
                 create experiments",
            ));
        }
        self.keys()?.iter().try_for_each(|key| check_key(&key.variable, ledger, "--key-env"))
    }

    /// The keys that files may name.
    fn keys(&self) -> Result<Vec<LentKey>, Failure> {
        self.key_env.iter().map(|text| LentKey::read(text, "--key-env")).collect()
    }

    /// What runs the experiments, if any are run; it begins with those that it ran before.
    pub fn open(
        &self,
        ledger: Option<&Ledger>,
        named: &LedgerArgs,
        settings: &Settings,
    ) -> Result<Option<Hosting>, Failure> {
        let (Some(limit), Some(ledger)) = (self.experiments, ledger) else { return Ok(None) };
        let keys = self.keys()?;
        let lent = keys.iter().map(|key| key.variable.clone());
        let program = Program {
            binary: own_binary()?,
            root: settings.root.to_path_buf(),
            chromium: settings.chromium.clone(),
            variables: lent.chain(named.variable().map(str::to_owned)).collect(),
        };
        let nursery = Nursery { program, ledger: named.named(settings), jobs: self.experiment_jobs };
        let closing = CancellationToken::new();
        Ok(Some(Hosting::open(Inner {
            ledger: ledger.clone(),
            settings: settings.clone(),
            keys,
            checks: Checks::new(&closing),
            nursery,
            tenants: Tenants::new(limit.into()),
            wake: Notify::new(),
            closing,
            tasks: TaskTracker::new(),
        })))
    }
}
