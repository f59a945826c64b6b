//! `scratchbed run`: has an agent attempt tasks, judges what it made, and prints a table of verdicts.
//!
//! Who can act, and what each needs, is in `agents.rs`.

mod agents;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, Args};
use indicatif::ProgressBar;
use serde_json::{Value, json};

use self::agents::{AgentArgs, Scene};
use crate::cli::choice::ChoiceArgs;
use crate::cli::count::{AS_THE_REFERENCE, CountArgs, told, with_interval};
use crate::cli::env;
use crate::cli::failure::{Failure, Status};
use crate::cli::output::{Output, spinner};
use crate::cli::pack::PackArgs;
use crate::cli::settings::Settings;
use crate::cli::table::table;
use crate::cli::{fleet, output};
use crate::compile::BuiltProjects;
use crate::experiment::{Batch, Event, Job, LocalJudge, LocalTestbed, RemoteTestbed, Testbed, succeeded, summary};
use crate::grade::{Summary, TaskRow, TaskTables};
use crate::judge::Judges;
use crate::model::{
    AttemptRecord, Extras, LimitOverrides, Mode, Outcome, RUN_FORMAT, RunRecord, run_name, unix_seconds,
};
use crate::report::write_run_report;
use crate::session::{Fleet, SessionOptions, Sessions};
use crate::store::RunDir;
use crate::taskset::{MouseRecord, TaskEntry, TaskSet};

/// In-process sessions belong to the run; none expires under it.
const IDLE: Duration = Duration::from_secs(24 * 3600);

/// Notes of runs whose sessions have more than the published benchmark's.
const EXTENDED: &str = "extended sessions";
const REPORTED: &str = "actions are answered with reports";

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
    agent: AgentArgs,
    /// How it acts.
    #[arg(long, value_parser = mode)]
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
    /// Attempts at a time.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// How often an attempt that the testbed or the judge spoiled is made again.
    #[arg(long, default_value_t = 2, value_name = "N")]
    retries: u32,
    /// Take a picture after each action, so that `scratchbed log video` can show the attempts.
    #[arg(long, conflicts_with = "server")]
    record: bool,
    #[command(flatten)]
    extras: ExtrasArgs,
    /// Write beside each bundled task that the mouse oracle solved how many actions it needed (mouse.json): `check` asks
    /// for it, and the limit of primitive mode is made from it.
    #[arg(long, conflicts_with_all = ["skip_step", "pack"])]
    write_records: bool,
    /// Go on with an earlier run: what it has recorded is not done again.
    #[arg(long, value_name = "FOLDER")]
    resume: Option<PathBuf>,
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

    /// What sets the run apart from a plain one.
    fn notes(&self) -> Vec<String> {
        let extras = [(self.extras.extended, EXTENDED), (self.extras.report, REPORTED)];
        let given = extras.into_iter().filter(|(is_given, _)| *is_given).map(|(_, note)| note.to_owned());
        self.agent.notes().into_iter().chain(given).collect()
    }
}

/// A mode by its name, for arguments.
pub fn mode(text: &str) -> Result<Mode, String> {
    match text {
        "composite" => Ok(Mode::Composite),
        "primitive" => Ok(Mode::Primitive),
        _ => Err("choose composite or primitive".to_owned()),
    }
}

/// Runs the chosen tasks; the status is positive only if every one was solved.
pub async fn run(args: &RunArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    if args.write_records && !args.agent.is_by_mouse(args.mode) {
        let message = "only the mouse oracle's actions are recorded: use --write-records with --mode primitive";
        return Err(Failure::new(Status::Usage, "no_mouse_oracle", message));
    }
    let set = args.pack.tasks(settings, &args.choice.task)?;
    let entries = args.agent.chosen(&set, &args.choice, args.mode)?;
    let dir = run_dir(args, &set, &settings.root.join("runs"), &entries)?;
    let fleet = fleet::start(settings, 0).await?;
    let scene = Scene { settings, fleet: &fleet, mode: args.mode, has_sessions: args.server.is_none() };
    let jobs = args.agent.jobs(scene, entries).await?;
    let judges = Judges::new(fleet.clone(), args.jobs.into());
    let batch = Batch {
        testbed: testbed(args, settings, &fleet).await?,
        judge: LocalJudge::with(judges.clone()),
        mode: args.mode,
        limits: args.limits(),
        jobs: args.jobs.into(),
        retries: args.retries,
    };
    let progress = spinner("starting");
    let report = |event: Event| report(&progress, event);
    let result = batch.run(&jobs, &dir, &report).await;
    progress.finish_and_clear();
    judges.close().await;
    fleet.shutdown().await;
    let records = result?;
    if args.write_records {
        write_records(&jobs, &records)?;
    }
    let summary = summary(&records);
    let tables = TaskTables::of(&records, args.count.reference());
    show(&records, &summary, &tables, dir.path(), out);
    let page = write_run_report(&dir, &records, &summary, &tables)?;
    out.say(format!("report    {}", page.display()));
    let solved = !records.is_empty() && records.iter().all(succeeded);
    out.answer(&answer(&records, &summary, &tables, dir.path(), solved)?);
    Ok(Status::of(solved))
}

async fn testbed(args: &RunArgs, settings: &Settings, fleet: &Fleet) -> Result<Arc<dyn Testbed>, Failure> {
    let Some(server) = &args.server else {
        let projects = BuiltProjects::over(fleet.clone(), fleet::built_projects(settings));
        let options = SessionOptions { limit: args.jobs.into(), idle: IDLE };
        return Ok(LocalTestbed::with(Sessions::new(fleet.clone(), options), projects, args.record, args.extras()));
    };
    let failed = |error| Failure::of(Status::Infrastructure, "server_unreachable", &error);
    let testbed = RemoteTestbed::with(server, args.token.clone(), args.extras()).map_err(failed)?;
    testbed.check().await.map_err(|error| failed(error).hinted("start one with `scratchbed serve`"))?;
    Ok(testbed)
}

fn run_dir(args: &RunArgs, set: &TaskSet, runs: &Path, entries: &[TaskEntry]) -> Result<RunDir, Failure> {
    if let Some(path) = &args.resume {
        return resumed(path, &set.version()?, args);
    }
    let started_at = unix_seconds();
    let record = RunRecord {
        format: RUN_FORMAT,
        id: run_name(started_at, &format!("{}-{}", args.agent.kind(), args.mode)),
        started_at,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        agent: args.agent.name(),
        mode: args.mode,
        tasks: entries.iter().map(|entry| entry.task.id.clone()).collect(),
        task_set: Some(set.version()?),
        split: args.choice.split.clone().or_else(|| args.choice.all.then(|| "all".to_owned())),
        server: args.server.clone(),
        limits: args.limits(),
        notes: args.notes(),
    };
    Ok(RunDir::create(runs, record)?)
}

/// An earlier run, if its tasks and limits are still what they were: half its attempts would else be others.
fn resumed(path: &Path, version: &str, args: &RunArgs) -> Result<RunDir, Failure> {
    let (limits, agent) = (args.limits(), args.agent.name());
    let dir = RunDir::resume(path)?;
    let record = dir.record();
    if record.agent != agent {
        let message = format!("the run was begun with the agent `{}`, and not with `{agent}`", record.agent);
        return Err(Failure::new(Status::Input, "agent_changed", message).hinted("start a new run"));
    }
    if let Some(then) = record.task_set.as_ref().filter(|then| *then != version) {
        let message = format!("the run was begun with version {then} of the tasks, and now they are {version}");
        return Err(Failure::new(Status::Input, "task_set_changed", message).hinted("start a new run"));
    }
    same_extras(&record.notes, args.extras)?;
    if record.limits != limits {
        let message = format!("the run was begun with {}, and not with {}", words(record.limits), words(limits));
        return Err(Failure::new(Status::Input, "limits_changed", message)
            .hinted("give the same --max-steps and --wall, or start a new run"));
    }
    Ok(dir)
}

/// Refuses to go on with more or less than the run was begun with.
fn same_extras(notes: &[String], extras: ExtrasArgs) -> Result<(), Failure> {
    for (given, note, flag) in [(extras.extended, EXTENDED, "--extended"), (extras.report, REPORTED, "--report")] {
        let then = notes.iter().any(|one| one == note);
        if then != given {
            let message = format!("the run was begun {} {flag}", if then { "with" } else { "without" });
            return Err(Failure::new(Status::Input, "extras_changed", message)
                .hinted("give the same flags, or start a new run"));
        }
    }
    Ok(())
}

fn words(limits: LimitOverrides) -> String {
    let named = [("--max-steps", limits.max_steps), ("--wall", limits.wall_s)];
    let given: Vec<String> = named.iter().filter_map(|(name, value)| Some(format!("{name} {}", (*value)?))).collect();
    if given.is_empty() { "the tasks' own limits".to_owned() } else { given.join(" ") }
}

/// Notes what the mouse oracle needed beside the tasks that it solved.
fn write_records(jobs: &[Job], records: &[AttemptRecord]) -> Result<(), Failure> {
    for (job, record) in jobs.iter().zip(records).filter(|(_, record)| record.outcome == Outcome::Passed) {
        let (misses, replans) = (record.misses.unwrap_or_default(), record.replans.unwrap_or_default());
        let written = MouseRecord::of(&job.task, record.steps, misses, replans)?.write(&job.task.folder);
        written.map_err(|error| Failure::infrastructure("record_not_written", &error))?;
    }
    Ok(())
}

fn report(progress: &ProgressBar, event: Event) {
    match event {
        Event::Started(task) => progress.set_message(task.to_string()),
        Event::Ended { record, again } => progress.suspend(|| {
            let again = if again { ", trying again" } else { "" };
            output::progress(format!("{} {}{again}", record.task, record.outcome.name()));
        }),
    }
}

fn show(records: &[AttemptRecord], summary: &Summary, tables: &TaskTables, run: &Path, out: Output) {
    let rows = records.iter().map(|record| {
        [
            record.task.to_string(),
            record.category.to_string(),
            record.mode.to_string(),
            record.outcome.name().to_owned(),
            format!("{}/{}", record.passed_tests, record.total_tests),
            record.steps.to_string(),
            format!("{:.1} s", record.acting_s),
            format!("{:.1} s", record.judging_s),
            record.error.clone().unwrap_or_default(),
        ]
    });
    let head = ["task", "category", "mode", "outcome", "tests", "steps", "acting", "judging", "error"];
    out.say(table(&head, rows).to_string());
    out.say(String::new());
    for row in &tables.ours {
        out.say(rates(row));
    }
    if let Some(rows) = &tables.reference {
        out.say(AS_THE_REFERENCE);
        for row in rows {
            out.say(rates(row));
        }
    }
    let counts: Vec<String> = summary
        .outcomes
        .iter()
        .filter(|counted| counted.count > 0)
        .map(|counted| format!("{} {}", counted.count, Outcome::name(counted.outcome)))
        .collect();
    out.say(format!("outcomes  {}", counts.join(", ")));
    let left_out = records.iter().filter(|record| matches!(record.outcome, Outcome::InfraError | Outcome::JudgeError));
    for record in left_out {
        let why = record.error.as_deref().unwrap_or("no reason is known");
        out.say(format!("left out  {}: {}, {why}", record.task, record.outcome.name()));
    }
    out.say(format!("run       {}", run.display()));
}

/// A row of rates, with 95 % intervals.
pub fn rates(row: &TaskRow) -> String {
    let name = row.category.map_or("all", Into::into);
    let (sr, psr) = (with_interval(row.sr, row.sr_interval), with_interval(row.psr, row.psr_interval));
    let missing = if row.missing == 0 { String::new() } else { format!(", tasks missing: {}", row.missing) };
    format!("{name:<9} SR % {sr}  PSR % {psr}  (N = {}, {}{missing})", row.n, told(&row.left_out))
}

fn answer(
    records: &[AttemptRecord],
    summary: &Summary,
    tables: &TaskTables,
    run: &Path,
    solved: bool,
) -> Result<Value, Failure> {
    let failed = |error: serde_json::Error| Failure::infrastructure("run_not_shown", &error);
    Ok(json!({
        "solved": solved,
        "run": run,
        "attempts": serde_json::to_value(records).map_err(failed)?,
        "summary": serde_json::to_value(summary).map_err(failed)?,
        "tables": serde_json::to_value(tables).map_err(failed)?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_on_with_the_extras_that_it_was_begun_with() {
        let (plain, extended) =
            (ExtrasArgs { extended: false, report: false }, ExtrasArgs { extended: true, report: false });
        let notes = [EXTENDED.to_owned(), "a step left out".to_owned()];
        assert!(same_extras(&notes, extended).is_ok() && same_extras(&[], plain).is_ok());
        assert!(same_extras(&notes, plain).is_err() && same_extras(&[], extended).is_err());
        assert!(same_extras(&notes, ExtrasArgs { extended: true, report: true }).is_err());
    }
}
