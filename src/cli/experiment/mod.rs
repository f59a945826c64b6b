//! `scratchbed experiment`: arms of agents, models, modes and settings at items, worked on until each cell is decided; orders to
//! what runs; and what came of it.

mod archive;
mod fetch;
mod grading;
mod orders;
mod plan;
mod probe;
mod rebuild;
mod results;
mod run;
mod scratch;
mod status;

use clap::Subcommand;

use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;

/// What to do with experiments.
#[derive(Debug, Subcommand)]
pub enum ExperimentCommand {
    /// Show the arms and cells of an experiment's file, and what they may cost; nothing of it is begun.
    Plan(plan::PlanArgs),
    /// Ask each model of a file for known boxes and calls: what it sees, in which units it answers, what a call costs.
    Probe(probe::ProbeArgs),
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
    /// Compare arms pair by pair, of one experiment or several, at the tasks that both attempted.
    Compare(grading::CompareArgs),
    /// Judge the kept projects again, all of them or a sample.
    Regrade(grading::RegradeArgs),
    /// Bring the attempts that workers made to where `report` and `export` look for them.
    Fetch(fetch::FetchArgs),
    /// Enter an experiment anew from its folder, where the ledger was lost.
    Rebuild(rebuild::RebuildArgs),
    /// Write an experiment to files and take it out of the ledger.
    Archive(archive::ArchiveArgs),
    /// Write the attempts of all arms for other programs.
    Export(results::ExportArgs),
}

/// Carries a command out.
pub async fn run(command: ExperimentCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    use scratchbed::ledger::Gate;
    match command {
        ExperimentCommand::Plan(args) => Box::pin(plan::run(&args, settings, out)).await,
        ExperimentCommand::Probe(args) => probe::run(&args, out).await,
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
        ExperimentCommand::Compare(args) => grading::compare(&args, settings, out).await,
        ExperimentCommand::Regrade(args) => grading::regrade(&args, settings, out).await,
        ExperimentCommand::Fetch(args) => fetch::run(&args, settings, out).await,
        ExperimentCommand::Rebuild(args) => rebuild::run(&args, settings, out).await,
        ExperimentCommand::Archive(args) => archive::run(&args, settings, out).await,
        ExperimentCommand::Export(args) => results::export(&args, settings, out).await,
    }
}
