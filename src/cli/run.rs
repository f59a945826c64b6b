//! `scratchbed run`: has an agent attempt tasks, judges what it made, and prints a table of verdicts.

use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, Args};
use serde_json::json;

use crate::cli::door::{Behind, ServedDoor};
use crate::cli::fleet;
use crate::cli::mcp;
use crate::cli::output::{Output, bar};
use crate::cli::pack::PackArgs;
use crate::cli::runs::{RunFlags, say_outcomes};
use crate::cli::spending::say_spending;
use crate::cli::table::table;
use crate::flags::actor::ActorArgs;
use crate::flags::budget::pricing;
use crate::flags::choice::ChoiceArgs;
use crate::flags::count::{AS_THE_REFERENCE, CountArgs, left_out_text, with_interval};
use crate::flags::env;
use crate::flags::failure::{Failure, Status};
use crate::flags::isolation;
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::agent::Observing;
use scratchbed::agent::llm::AnswerStore;
use scratchbed::benchmarks::tasks::{
    Actor, Door, Job, LocalJudge, LocalTestbed, Memory, RemoteTestbed, Stage, Tasks, Testbed, costs, seeded_order,
    succeeded, summary,
};
use scratchbed::compile::BuiltProjects;
use scratchbed::experiment::{Benchmark as _, Plan};
use scratchbed::grade::{RunCosts, Summary, TaskRow, TaskTables, dollars};
use scratchbed::http::Access;
use scratchbed::judge::Judges;
use scratchbed::model::{Extras, ItemId, KeptPictures, LimitOverrides, Mode, Outcome, TaskRecord};
use scratchbed::report::write_run_report;
use scratchbed::session::{Fleet, Passes, SessionOptions, Sessions};
use scratchbed::taskset::{MouseRecord, TaskEntry, TaskSet};

/// In-process sessions belong to the run; none expires under it.
const IDLE: Duration = Duration::from_secs(24 * 3600);

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
    run: RunFlags,
    /// Which pictures are kept of each attempt, for replays, videos and the live view. Left out, models, programs and the mouse
    /// get `all`; built-in agents in composite mode, which a picture a step would slow, get `agent`.
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
        if self.server.is_some() && self.keep_pictures == Some(KeptPictures::All) {
            let message = "a server's sessions take their own pictures; a run keeps those that the agent was shown";
            let failure = Failure::new(Status::Usage, "no_pictures_of_server", message);
            return Err(failure.hinted("start the server with --record-dir, or leave --server out"));
        }
        let is_slow =
            matches!(actor, Actor::Model(_) | Actor::Awm(_) | Actor::Command { .. }) || self.mode == Mode::Primitive;
        let usual =
            if self.record || (is_slow && self.server.is_none()) { KeptPictures::All } else { KeptPictures::Agent };
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

/// Whether a model can be shown this: not everything fits each mode, or is to be had of a server.
fn observable(observing: Observing, args: &RunArgs) -> Result<(), Failure> {
    let (code, message, hint) = if observing == Observing::Markdown && args.mode == Mode::Primitive {
        let message = "the project as Markdown is an observation of composite mode";
        ("observation_not_in_mode", message, "give --mode composite, or another --observation")
    } else if observing != Observing::Native && args.server.is_some() {
        let message =
            "a server shows its sessions in its own way; other observations are to be had in this process only";
        ("no_published_observation", message, "give --observation native, or leave --server out")
    } else {
        return Ok(());
    };
    Err(Failure::new(Status::Usage, code, message).hinted(hint))
}

/// Runs the chosen tasks; the status is positive only if every one was solved.
pub async fn run(args: &RunArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let budgets = args.actor.budgets(&args.run.budget)?;
    let memory = args.actor.memory(args.run.jobs())?;
    let actor = args.actor.actor(args.mode, &budgets, &memory)?;
    if args.write_records && !actor.is_by_mouse(args.mode) {
        let message = "only the mouse oracle's actions are recorded: use --write-records with --mode primitive";
        return Err(Failure::new(Status::Usage, "no_mouse_oracle", message));
    }
    observable(actor.observing(), args)?;
    let set = args.pack.tasks(settings, &args.choice.task)?;
    let mut entries = actor.chosen(&set, &args.choice.selection(), args.mode)?;
    if memory.grows() {
        entries = seeded_order(entries, args.actor.seed);
    }
    if args.server.is_some() && actor.works_by_itself() {
        let message = "--via http and mcp are for the sessions of this process, not of a server";
        let failure = Failure::new(Status::Usage, "no_pass_of_server", message);
        return Err(failure.hinted("leave --server out, or give --via lines"));
    }
    if let Some(user) = actor.user() {
        isolation::prepare(settings)?;
        isolation::check(user, &entries, args.run.resume(), settings).await?;
    }
    let (plan, pictures) = (args.plan(&actor, &set, &entries)?, args.pictures(&actor)?);
    let dir = plan.open(&settings.root.runs(), args.run.resume())?;
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    let memory = Memory::of(&dir, &memory)?;
    let answers = args.actor.answers(&dir, &budgets)?;
    let fleet = fleet::start(settings, 0).await?;
    let judges = Judges::new(fleet.clone(), args.run.jobs());
    let local = args.server.is_none().then(|| local_testbed(args, settings, &fleet, pictures));
    let opened = match local.as_ref().filter(|_| actor.works_by_itself()) {
        Some(testbed) => Some(open_door(args, settings, testbed, set).await?),
        None => None,
    };
    let door = opened.as_ref().map(|(door, _)| door);
    let tasks = Tasks {
        jobs: jobs(&actor, args, settings, &fleet, (entries, &answers, door)).await?,
        testbed: match local {
            Some(testbed) => testbed,
            None => remote_testbed(args).await?,
        },
        judge: LocalJudge::with(judges.clone()),
        mode: args.mode,
        limits: args.limits(),
        memory,
        pictures,
    };
    let result = args.run.carry_out(&tasks, &dir).await;
    if let Some((_, served)) = opened {
        served.close().await;
    }
    judges.close().await;
    fleet.shutdown().await;
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

async fn jobs(
    actor: &Actor,
    args: &RunArgs,
    settings: &Settings,
    fleet: &Fleet,
    (entries, answers, door): (Vec<TaskEntry>, &Arc<AnswerStore>, Option<&Door>),
) -> Result<Vec<Job>, Failure> {
    let cache = fleet::built_projects(settings);
    let stage = Stage { fleet, cache: &cache, mode: args.mode, has_sessions: args.server.is_none(), answers, door };
    fleet::build_ahead(fleet, &cache, &actor.texts(stage, &entries)).await;
    let progress = bar("plans", entries.len() as u64);
    let jobs = actor.jobs(stage, entries, || progress.inc(1)).await;
    progress.finish_and_clear();
    Ok(jobs?)
}

fn local_testbed(args: &RunArgs, settings: &Settings, fleet: &Fleet, pictures: KeptPictures) -> Arc<LocalTestbed> {
    let projects = BuiltProjects::over(fleet.clone(), fleet::built_projects(settings));
    let options = SessionOptions { limit: args.run.jobs(), idle: IDLE };
    LocalTestbed::with(Sessions::new(fleet.clone(), options), projects, pictures, args.extras())
}

/// Serves the sessions of a run to programs that have a pass.
async fn open_door(
    args: &RunArgs,
    settings: &Settings,
    testbed: &Arc<LocalTestbed>,
    tasks: TaskSet,
) -> Result<(Door, ServedDoor), Failure> {
    let passes = Passes::default();
    let access = |address| Ok(Access::new(address, None)?.admitting_passes(passes.clone()));
    let behind = Behind { sessions: testbed.sessions().clone(), tasks, projects: testbed.projects() };
    let furnish = |api| mcp::mounted_with(api, false, args.extras.extended);
    let served = ServedDoor::open(behind, access, furnish, settings).await?;
    Ok((Door { testbed: Arc::clone(testbed), passes, url: served.url.clone() }, served))
}

async fn remote_testbed(args: &RunArgs) -> Result<Arc<dyn Testbed>, Failure> {
    let server = args.server.as_deref().unwrap_or_default();
    let failed = |error| Failure::of(Status::Infrastructure, "server_unreachable", &error);
    let testbed = RemoteTestbed::with(server, args.token.clone(), args.extras()).map_err(failed)?;
    testbed.check().await.map_err(|error| failed(error).hinted("start one with `scratchbed serve`"))?;
    Ok(testbed)
}

/// Notes what the mouse oracle needed beside the tasks that it solved.
fn write_records(jobs: &[Job], records: &[TaskRecord]) -> Result<(), Failure> {
    for job in jobs {
        let is_its = |record: &&TaskRecord| record.item.as_str() == job.task.task.id.as_str();
        let Some(record) = records.iter().filter(is_its).find(|record| record.outcome == Outcome::Passed) else {
            continue;
        };
        let (misses, replans) = (record.detail.misses.unwrap_or_default(), record.detail.replans.unwrap_or_default());
        let written = MouseRecord::of(&job.task, record.detail.steps, misses, replans)?.write(&job.task.folder);
        written.map_err(|error| Failure::infrastructure("record_not_written", &error))?;
    }
    Ok(())
}

/// Prints a row for each attempt; what its calls cost only where there were any.
fn show(records: &[TaskRecord], costs: &RunCosts, out: Output) {
    let is_priced = costs.all.calls > 0;
    let rows = records.iter().zip(&costs.micro_usd).map(|(record, micro_usd)| {
        let cost = is_priced.then(|| dollars(*micro_usd));
        let cells = [
            record.item.to_string(),
            record.detail.category.to_string(),
            record.detail.mode.to_string(),
            record.outcome.name().to_owned(),
            format!("{}/{}", record.detail.passed_tests, record.detail.total_tests),
            record.detail.steps.to_string(),
            format!("{:.1} s", record.cost.seconds),
            format!("{:.1} s", record.detail.judging_s),
        ];
        cells.into_iter().chain(cost).chain([record.error.clone().unwrap_or_default()]).collect::<Vec<_>>()
    });
    let mut head = vec!["task", "category", "mode", "outcome", "tests", "steps", "acting", "judging", "error"];
    if is_priced {
        head.insert(8, "cost");
    }
    out.say(table(&head, rows).to_string());
    out.say(String::new());
}

/// Prints how attempts ended, and which of them do not count.
fn say_rest(records: &[TaskRecord], summary: &Summary, out: Output) {
    say_outcomes(&summary.outcomes, out);
    for record in records.iter().filter(|record| !record.outcome.counts()) {
        let why = record.error.as_deref().unwrap_or("no reason is known");
        out.say(format!("left out  {}: {}, {why}", record.item, record.outcome.name()));
    }
}

/// Prints our rates, and the reference's where there are some.
pub fn say_rates(tables: &TaskTables, out: Output) {
    for row in &tables.ours {
        out.say(rates(row));
    }
    if let Some(rows) = &tables.reference {
        out.say(AS_THE_REFERENCE);
        for row in rows {
            out.say(rates(row));
        }
    }
}

/// A row of rates, with 95 % intervals.
fn rates(row: &TaskRow) -> String {
    let name = row.category.map_or("all", Into::into);
    let (sr, psr) = (with_interval(row.sr, row.sr_interval), with_interval(row.psr, row.psr_interval));
    let missing = if row.missing == 0 { String::new() } else { format!(", tasks missing: {}", row.missing) };
    format!("{name:<9} SR % {sr}  PSR % {psr}  (N = {}, {}{missing})", row.n, left_out_text(&row.left_out))
}
