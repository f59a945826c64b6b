//! `scratchbed run`: has an agent attempt tasks, judges what it made, and prints a table of verdicts.

mod prepare;
mod show;

use clap::{ArgGroup, Args};
use serde_json::json;

use crate::cli::output::Output;
use crate::cli::pack::PackArgs;
use crate::cli::runs::RunFlags;
use crate::cli::spending::say_spending;
use crate::flags::actor::ActorArgs;
use crate::flags::choice::ChoiceArgs;
use crate::flags::count::CountArgs;
use crate::flags::env;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::tasks::{Actor, Tasks, costs, succeeded, summary};
use scratchbed::experiment::{Benchmark as _, Plan};
use scratchbed::grade::TaskTables;
use scratchbed::model::{Extras, ItemId, KeptPictures, LimitOverrides, Mode};
use scratchbed::report::write_run_report;
use scratchbed::taskset::{TaskEntry, TaskSet};

pub use prepare::{Asked, House, Ready};
pub use show::say_rates;
use show::{say_rest, show, write_records};

/// What sessions have beyond the published benchmark.
#[derive(Debug, Clone, Copy, Args)]
struct ExtrasArgs {
    /// Let the agent add whole scripts, run the project and see the stage in composite mode: no setting of the published
    /// benchmark.
    #[arg(long)]
    extended: bool,
    /// Answer each of its actions with a report of what it met and changed: no setting of the published benchmark.
    #[arg(long)]
    report: bool,
}

/// What to run.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("which").required(true).args(["task", "split", "all"])))]
pub struct RunArgs {
    #[command(flatten)]
    actor: ActorArgs,
    /// How it acts.
    #[arg(long, value_parser = named::<Mode>())]
    mode: Mode,
    // With the oracle, a split and all tasks are those that have a list for the mode.
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    pack: PackArgs,
    /// Act on sessions of this server instead of own ones; judging stays in this process.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// The server's token; of no use without --server.
    #[arg(long, env = env::TOKEN, hide_env = true, hide_env_values = true)]
    token: Option<String>,
    /// How often an agent may decide, instead of as often as each task says; `done` is one of the decisions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_steps: Option<u32>,
    /// Seconds that an attempt may last, instead of each task's own.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    wall: Option<u32>,
    #[command(flatten)]
    pub run: RunFlags,
    /// Which pictures are kept of each attempt, for replays, videos and the live view. Left out, models and programs get `all`,
    /// in both modes: pictures are taken while they think. Built-in agents, which do not think, get `sampled`; with --server
    /// all get `agent`.
    #[arg(long, value_name = "WHICH", value_parser = named::<KeptPictures>())]
    keep_pictures: Option<KeptPictures>,
    /// The former name of `--keep-pictures all`.
    #[arg(long, hide = true, conflicts_with_all = ["server", "keep_pictures"])]
    record: bool,
    #[command(flatten)]
    extras: ExtrasArgs,
    /// Write beside each bundled task that the mouse oracle solved how many actions it needed (mouse.json): `check` asks
    /// for it, and the limit of primitive mode is made from it.
    #[arg(long, conflicts_with_all = ["skip_step", "pack"])]
    write_records: bool,
    #[command(flatten)]
    count: CountArgs,
}

impl RunArgs {
    const fn limits(&self) -> LimitOverrides {
        LimitOverrides { max_steps: self.max_steps, wall_s: self.wall }
    }

    const fn extras(&self) -> Extras {
        Extras { extended: self.extras.extended, report: self.extras.report }
    }

    /// Which pictures are kept of attempts by this actor. Those that a session takes for its own log belong to its server.
    fn pictures(&self, actor: &Actor) -> Result<KeptPictures, Failure> {
        if self.server.is_some() && self.keep_pictures.is_some_and(KeptPictures::films) {
            let message = "a server's sessions take their own pictures; a run keeps those that the agent was shown";
            let failure = Failure::new(Status::Usage, "no_pictures_of_server", message);
            return Err(failure.hinted("start the server with --record-dir, or leave --server out"));
        }
        let usual = match actor {
            _ if self.record => KeptPictures::All,
            _ if self.server.is_some() => KeptPictures::Agent,
            Actor::Oracle { .. } | Actor::Noop | Actor::Random { .. } => KeptPictures::Sampled,
            _ => KeptPictures::All,
        };
        Ok(self.keep_pictures.unwrap_or(usual))
    }

    /// What the run sets out to do with these tasks.
    fn plan(&self, actor: &Actor, set: &TaskSet, entries: &[TaskEntry]) -> Result<Plan, Failure> {
        let (agent, kind) = self.actor.names();
        let extras =
            [(self.extras.extended, "extended sessions"), (self.extras.report, "actions are answered with reports")];
        let given = extras.into_iter().filter(|(is_given, _)| *is_given).map(|(_, note)| note.to_owned());
        Ok(Plan {
            benchmark: Tasks::NAME,
            agent,
            name: format!("{kind}-{}", self.mode),
            mode: Some(self.mode),
            setting: if self.extras.extended { "extended" } else { "plain" }.to_owned(),
            options: json!({
                "agent": actor.options(), "limits": self.limits(), "report": self.extras.report,
                "keep_pictures": self.pictures(actor)?,
            }),
            set: set.version()?,
            attempts: self.run.attempts,
            items: entries.iter().map(|entry| ItemId::from(&entry.task.id)).collect(),
            split: self.choice.split.clone().or_else(|| self.choice.all.then(|| "all".to_owned())),
            server: self.server.clone(),
            notes: actor.notes().into_iter().chain(given).collect(),
        })
    }
}

/// Runs the chosen tasks; the status is positive only if every one was solved.
pub async fn run(args: &RunArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let asked = args.asked(settings).await?;
    let dir = asked.plan.clone().open(&settings.root.runs(), args.run.resume())?;
    let house = House::start(settings, args.run.jobs()).await?;
    let mut ready = asked.ready(dir, &house).await?;
    let result = args.run.carry_out(&ready.tasks, &ready.dir).await;
    ready.close_door().await;
    house.close().await;
    let Ready { tasks, dir, pricing, .. } = ready;
    let records = result?;
    if args.write_records {
        write_records(&tasks.jobs, &records)?;
    }
    let summary = summary(&records);
    let tables = TaskTables::of(&records, args.count.reference());
    let costs = costs(&records, &pricing);
    show(&records, &costs, out);
    say_rates(&tables, out);
    say_rest(&records, &summary, out);
    say_spending(&costs.all, "solved task", out);
    out.say(format!("run       {}", dir.path().display()));
    let page = write_run_report(&dir, &records, (&summary, &tables, &costs))?;
    out.say(format!("report    {}", page.display()));
    let solved = !records.is_empty() && records.iter().all(succeeded);
    out.answer(&json!({
        "solved": solved, "run": dir.path(), "attempts": records, "summary": summary, "tables": tables,
        "costs": costs,
    }));
    Ok(Status::of(solved))
}
