//! The command line: clap types, settings, exit codes. The only room that prints.
//!
//! One thin file a subcommand: it resolves its arguments, calls the room that does the work, and prints.

mod bench;
mod bench_chaos;
mod bench_editors;
mod bench_fleet;
mod building;
mod catalogue;
mod certificates;
mod check;
mod compare;
mod demonstrations;
mod doctor;
mod drag;
mod experiment;
mod export;
mod gen_files;
mod guide;
mod judge;
mod judging;
mod launchers;
mod leaderboard;
mod mcp;
mod ocr;
mod oracle;
mod pack;
mod perception;
mod reference;
mod regrade;
mod replay_page;
mod report;
mod run;
mod runtime;
mod serve;
mod session_log;
mod setup;
mod stats;
mod task;
mod task_build;
mod task_expand;
mod task_expand_judge;
mod task_new;
mod task_text;
mod trace;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use self::runtime::wait;
use crate::arms::output::Output;
use crate::flags::env;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::{GlobalArgs, Settings};
use crate::forging::{bugs, explain, forge, intake, lint, repair};

/// A testbed for agents that program in Scratch.
#[derive(Debug, Parser)]
#[command(version, about, after_long_help = format!("{}\n{}", Status::help(), env::help()))]
struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    /// What to do; without one it is said what there is to do next.
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Fetch and prepare what the testbed needs; redoes nothing that is there.
    Setup(setup::SetupArgs),
    /// Check that this machine is ready, up to the editor in a real page.
    Doctor,
    /// Judge a project file for a task by running it.
    Judge(judge::JudgeArgs),
    /// List, show, start and import tasks; turn texts into projects and back.
    #[command(subcommand)]
    Task(task::TaskCommand),
    /// Certify tasks: solutions pass, starts fail, and the tests notice faults.
    Check(check::CheckArgs),
    /// Compare recorded traces.
    #[command(subcommand)]
    Trace(trace::TraceCommand),
    /// Show, check, replay and compare the event logs of sessions.
    #[command(subcommand)]
    Log(session_log::LogCommand),
    /// Measure the budgets on an otherwise idle machine.
    Bench(bench::BenchArgs),
    /// The drag benchmark: run it, and make, list and verify its scenes.
    #[command(subcommand)]
    Drag(drag::DragCommand),
    /// The perception benchmark: run it, and make and score its questions.
    #[command(subcommand)]
    Perception(perception::PerceptionCommand),
    /// Take projects into a pool: gates, features, duplicates, records.
    #[command(subcommand)]
    Intake(intake::IntakeCommand),
    /// Put a fault into each project of a pool, with a suite that tells it apart.
    #[command(subcommand)]
    Forge(forge::ForgeCommand),
    /// List, show and check the instances of a benchmark of faults.
    #[command(subcommand)]
    Bugs(bugs::BugsCommand),
    /// Tell what looks odd about a project or a patch of it, without running it.
    Lint(lint::LintArgs),
    /// Have an agent mend forged faults (the repair track), and score patches.
    #[command(subcommand)]
    Repair(repair::RepairCommand),
    /// Have an agent explain forged faults (the understanding track), and score answers.
    #[command(subcommand)]
    Explain(explain::ExplainCommand),
    /// Serve the API for agents and pages for people, until SIGINT or SIGTERM.
    Serve(serve::ServeArgs),
    /// Serve the testbed to one MCP host over standard input and output.
    Mcp(mcp::McpArgs),
    /// Have an agent attempt tasks, and judge what it made.
    Run(Box<crate::arms::tasks::TasksArgs>),
    /// Run agents, models and modes from a file; control it and see how far it is.
    #[command(subcommand)]
    Experiment(experiment::ExperimentCommand),
    /// Work on the experiments of a ledger, beside workers on other machines.
    Worker(crate::flags::worker::WorkerArgs),
    /// Put runs side by side: rates, costs and what went wrong.
    Report(report::ReportArgs),
    /// Compare runs of tasks, and say whether chance explains the difference.
    Compare(compare::CompareArgs),
    /// Judge the projects of recorded attempts anew, and tell what flips.
    Regrade(regrade::RegradeArgs),
    /// Write the solved attempts of a run as examples to learn from.
    Demonstrations(demonstrations::DemonstrationsArgs),
    /// Make a static page of complete runs, to publish.
    Leaderboard(leaderboard::LeaderboardArgs),
    /// Write runs as tables, submissions, logs for Inspect, or one bundle.
    Export(export::ExportArgs),
    /// Print what has Kubernetes, Slurm or systemd start workers.
    #[command(subcommand)]
    Fleet(launchers::FleetCommand),
    /// Print a shell's completions.
    Completions(guide::CompletionsArgs),
    /// Write the committed files that are made from the code.
    #[command(hide = true)]
    Gen,
    /// Keeps one Chromium from outliving its owner.
    #[command(hide = true)]
    Guard {
        /// The Chromium program.
        #[arg(long)]
        chromium: PathBuf,
        /// The profile folder, removed at the end.
        #[arg(long)]
        profile: PathBuf,
        /// Flags for Chromium.
        #[arg(last = true)]
        flags: Vec<String>,
    },
    /// Starts a program of the user's, and ends what it has started with it.
    #[command(hide = true)]
    GuardProgram {
        /// Ids of the user and the group that the program runs as, if they are others.
        #[arg(long, num_args = 2, value_names = ["USER", "GROUP"])]
        ids: Vec<u32>,
        /// The program, as `sh` reads it.
        #[arg(last = true)]
        program: String,
    },
}

/// The whole command line, as clap knows it.
fn command() -> clap::Command {
    guide::grouped(Cli::command())
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let cli = Cli::from_arg_matches(&command().get_matches()).unwrap_or_else(|error| error.exit());
    let out = Output::new(cli.global.json);
    run(cli, out).unwrap_or_else(|failure| out.failure(&failure).into())
}

fn run(cli: Cli, out: Output) -> Result<ExitCode, Failure> {
    if let Some(Command::Guard { chromium, profile, flags }) = cli.command {
        return Ok(ExitCode::from(scratchbed::page::guard::run(&chromium, &profile, &flags)));
    }
    if let Some(Command::GuardProgram { ids, program }) = &cli.command {
        let ids = ids.first().copied().zip(ids.get(1).copied());
        return Ok(ExitCode::from(scratchbed::agent::program_guard::run(ids, program)));
    }
    crate::arms::logging::start(&cli.global)?;
    let here = std::env::current_dir().map_err(|error| Failure::infrastructure("no_working_directory", &error))?;
    let settings = Settings::resolve(&cli.global, &here)?;
    let Some(command) = cli.command else { return Ok(guide::welcome(&settings, out).into()) };
    let status = match command {
        Command::Setup(args) => wait(setup::run(&args, &settings, out)),
        Command::Doctor => wait(doctor::run(&settings, out)),
        Command::Judge(args) => wait(judge::run(&args, &settings, out)),
        Command::Task(command) => wait(task::run(command, &settings, out)),
        Command::Check(args) => wait(check::run(&args, &settings, out)),
        Command::Trace(command) => trace::run(&command, out),
        Command::Log(command) => wait(session_log::run(&command, &settings, out)),
        Command::Bench(args) => wait(bench::run(&args, &settings, out)),
        Command::Drag(command) => wait(drag::run(command, &settings, out)),
        Command::Perception(command) => wait(perception::run(command, &settings, out)),
        Command::Intake(command) => wait(intake::run(command, &settings, out)),
        Command::Forge(command) => wait(forge::run(command, &settings, out)),
        Command::Bugs(command) => wait(bugs::run(command, &settings, out)),
        Command::Lint(args) => lint::run(&args, out),
        Command::Explain(command) => wait(explain::run(command, &settings, out)),
        Command::Repair(command) => wait(repair::run(command, &settings, out)),
        Command::Serve(args) => runtime::serve(serve::run(&args, &settings, out)),
        Command::Mcp(args) => runtime::serve(mcp::run(&args, &settings)),
        Command::Run(args) => wait(run::run(&args, &settings, out)),
        Command::Experiment(command) => wait(experiment::run(command, &settings, out)),
        Command::Worker(args) => wait(worker::run(&args, &settings, out)),
        Command::Report(args) => report::run(&args, &settings, out),
        Command::Compare(args) => compare::run(&args, &settings, out),
        Command::Regrade(args) => wait(regrade::run(&args, &settings, out)),
        Command::Demonstrations(args) => demonstrations::run(&args, &settings, out),
        Command::Leaderboard(args) => leaderboard::run(&args, &settings, out),
        Command::Export(args) => export::run(&args, &settings, out),
        Command::Fleet(command) => launchers::run(&command, out),
        Command::Completions(args) => Ok(guide::completions(&args, self::command(), out)),
        Command::Gen => gen_files::run(&settings, guide::reference(self::command()), out),
        Command::Guard { .. } | Command::GuardProgram { .. } => Ok(Status::Success),
    }?;
    Ok(status.into())
}

#[cfg(test)]
mod tests;
