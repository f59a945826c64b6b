//! `scratchbed experiment`: arms of agents, models, modes and settings at items, worked on until each cell is decided; orders to
//! what runs; and what came of it.

mod arms;
mod enter;
mod fetch;
mod files;
mod orders;
mod plan;
mod progress;
mod results;
mod run;
mod status;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::output::Output;
use crate::cli::worker::connect;
use crate::flags::env;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::ledger::Ledger;

pub use arms::ReadyArm;
pub use enter::digest;
pub use files::Checked;

/// What to do with experiments.
#[derive(Debug, Subcommand)]
pub enum ExperimentCommand {
    /// Show the arms and cells of an experiment's file, and what they may cost; nothing is begun.
    Plan(plan::PlanArgs),
    /// Begin an experiment, or go on with it: the same command resumes.
    Run(run::RunArgs),
    /// List the experiments of the ledger.
    List(status::ListArgs),
    /// Show how far an experiment is, what it has spent, and what holds it up.
    Status(status::StatusArgs),
    /// Release no more cells; what runs goes on.
    Pause(orders::GateArgs),
    /// Release no more cells, and let what runs ask no model; its clocks stand still.
    Hold(orders::GateArgs),
    /// Go on after `pause`, `hold` or `drain`.
    Resume(orders::GateArgs),
    /// Let what runs end, and stop then.
    Drain(orders::GateArgs),
    /// Change limits while it runs, such as budget.usd=600 or lane.cloud.in_flight=20.
    Set(orders::SetArgs),
    /// Want dead cells again, or take the verdict of a decided one back.
    Requeue(orders::RequeueArgs),
    /// Set the arms side by side: rates, costs, what went wrong.
    Report(results::ReportArgs),
    /// Bring the attempts that workers made to where `report` and `export` look for them.
    Fetch(fetch::FetchArgs),
    /// Write the attempts of all arms for other programs.
    Export(results::ExportArgs),
}

/// Where the ledger is.
#[derive(Debug, Clone, Args)]
pub struct LedgerArgs {
    /// The ledger: a file on a local disk, or `env:VARIABLE` with the address of a Postgres database in that variable.
    /// runs/ledger.sqlite by default.
    #[arg(long, value_name = "FILE|env:VARIABLE", env = env::LEDGER, hide_env = true)]
    ledger: Option<String>,
}

impl LedgerArgs {
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
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| Failure::infrastructure("ledger_unreachable", &error))?;
        }
        Ok(Box::pin(Ledger::open(&file)).await?)
    }
}

/// An experiment that was begun.
#[derive(Debug, Clone, Args)]
pub struct NamedArgs {
    /// Its name.
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    ledger: LedgerArgs,
}

/// Carries a command out.
pub async fn run(command: ExperimentCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    use scratchbed::ledger::Gate;
    match command {
        ExperimentCommand::Plan(args) => plan::run(&args, settings, out).await,
        ExperimentCommand::Run(args) => Box::pin(run::run(&args, settings, out)).await,
        ExperimentCommand::List(args) => status::list(&args, settings, out).await,
        ExperimentCommand::Status(args) => status::run(&args, settings, out).await,
        ExperimentCommand::Pause(args) => orders::gate(&args, Gate::Paused, settings, out).await,
        ExperimentCommand::Hold(args) => orders::gate(&args, Gate::Held, settings, out).await,
        ExperimentCommand::Resume(args) => orders::gate(&args, Gate::Open, settings, out).await,
        ExperimentCommand::Drain(args) => orders::gate(&args, Gate::Draining, settings, out).await,
        ExperimentCommand::Set(args) => orders::set(&args, settings, out).await,
        ExperimentCommand::Requeue(args) => orders::requeue(&args, settings, out).await,
        ExperimentCommand::Report(args) => results::report(&args, settings, out).await,
        ExperimentCommand::Fetch(args) => fetch::run(&args, settings, out).await,
        ExperimentCommand::Export(args) => results::export(&args, settings, out).await,
    }
}
