//! `scratchbed bench`: measures the budgets, or the endurance of the testbed.

use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::json;

use super::{bench_chaos, bench_editors, bench_fleet, building, judging, ocr};
use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::signs::{bar, spinner};
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use crate::forging::forge;
use scratchbed::model::pluralise;
use scratchbed::perf::bench::{self, archives};
use scratchbed::perf::endurance::{self, EndurancePlan};
use scratchbed::perf::soak::{self, SoakPlan};
use scratchbed::report::plain_table as table;
use scratchbed::session::{SessionOptions, Sessions};

/// Sessions that the largest benchmark has at once.
const SESSIONS: usize = 8;
/// No benchmark leaves a session alone for so long.
const IDLE: Duration = Duration::from_secs(600);

/// What to measure.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Instead of the budgets, drive this many sessions, eight at a time, and watch what they leave behind.
    #[arg(long, value_name = "SESSIONS")]
    soak: Option<usize>,
    /// Instead of the budgets, let sessions work at once for so many minutes, and watch that none is starved, lost
    /// or left behind.
    #[arg(long, value_name = "MINUTES", conflicts_with = "soak")]
    endurance: Option<u32>,
    /// Instead of the budgets, attack a server for so many minutes while agents use it: hostile projects and callers,
    /// cut requests, floods, and now and then kills and stops. Watch that nothing is lost, left or unanswered, that no
    /// agent and no file voids anything, that a solution passes with the same trace all the time, and that memory is
    /// level.
    #[arg(long, value_name = "MINUTES", conflicts_with_all = ["soak", "endurance"])]
    chaos: Option<u32>,
    /// What the chaos run is drawn from; the same seed does the same again.
    #[arg(long, default_value_t = 1, requires = "chaos")]
    seed: u64,
    /// Sessions of the endurance run, agents of the chaos run: of four of these, two are wild, one is a hostile caller,
    /// and one does nothing wrong.
    #[arg(long, value_name = "N", default_value_t = 16)]
    sessions: usize,
    /// How often the endurance run kills a Chromium.
    #[arg(long, value_name = "TIMES", default_value_t = 0, requires = "endurance")]
    kill_chromium: u32,
    /// Instead of the budgets, something by itself.
    #[command(subcommand)]
    alone: Option<Alone>,
}

/// What is measured by itself.
#[derive(Debug, Subcommand)]
enum Alone {
    /// Compare the words that are read in a picture with those a person sees in it, and take the time.
    Ocr(ocr::OcrArgs),
    /// Build all projects from their texts, none of which was built before: how fast.
    Build(building::BuildingArgs),
    /// Read archives that are meant to break what reads them: none may hang it, or take more memory than it is allowed.
    Archives(ArchivesArgs),
    /// Judge goldens again and again: how fast, and whether it says the same each time.
    Judge(judging::JudgingArgs),
    /// Measure both editors, one after the other: latency, memory and idle load side by side. Fetches the reference editor.
    Editors,
    /// Forge faults into a pool: loads, ticks and seconds by what they are for.
    Forge(forge::PoolArgs),
    /// Have a fleet of workers whose attempts sleep work on a database, while its processes are killed and frozen.
    Fleet(bench_fleet::FleetArgs),
    /// Be a process of such a fleet.
    #[command(hide = true)]
    FleetMember(bench_fleet::MemberArgs),
}

/// How many archives, and which.
#[derive(Debug, Args)]
struct ArchivesArgs {
    /// How many to read.
    #[arg(default_value_t = 10_000)]
    archives: u64,
    /// What they are drawn from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Measures on a testbed of its own.
pub async fn run(args: &BenchArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match &args.alone {
        Some(Alone::Ocr(args)) => return ocr::run(args, settings, out),
        Some(Alone::Build(args)) => return building::run(args, settings, out).await,
        Some(Alone::Archives(args)) => return Ok(read_archives(args, out)),
        Some(Alone::Judge(args)) => return judging::run(args, settings, out).await,
        Some(Alone::Editors) => return bench_editors::run(settings, out).await,
        Some(Alone::Forge(args)) => return Box::pin(forge::measured(args, settings, out)).await,
        Some(Alone::Fleet(args)) => return Box::pin(bench_fleet::run(args, out)).await,
        Some(Alone::FleetMember(args)) => return Box::pin(bench_fleet::member(args)).await,
        None => {}
    }
    if let Some(minutes) = args.chaos {
        return bench_chaos::run(minutes, args.sessions, args.seed, settings, out).await;
    }
    let fleet = browsers::start(settings, 1).await?;
    let sessions = Sessions::new(fleet, SessionOptions { limit: SESSIONS.max(args.sessions), idle: IDLE });
    let status = match args.soak {
        _ if args.endurance.is_some() => endure(&sessions, args, out).await,
        Some(number) => soak(&sessions, number, out).await,
        None => budgets(&sessions, out).await,
    };
    sessions.shutdown().await;
    status
}

async fn budgets(sessions: &Sessions, out: Output) -> Result<Status, Failure> {
    let progress = spinner("measuring");
    let budgets = bench::run(sessions, |what| progress.set_message(format!("measuring: {what}"))).await;
    progress.finish_and_clear();
    let budgets = budgets?;
    show(&budgets, out);
    out.answer(&json!({"budgets": budgets}));
    Ok(Status::of(budgets.iter().all(bench::Budget::is_met)))
}

/// Prints budgets with what was measured.
pub(super) fn show(budgets: &[bench::Budget], out: Output) {
    let rows = budgets.iter().map(|budget| {
        let met = if budget.is_met() { "met" } else { "MISSED" };
        [
            budget.name.clone(),
            format!("{:.2}", budget.value),
            budget.unit.clone(),
            budget.budget.to_string(),
            met.into(),
        ]
    });
    out.say(table(&["name", "value", "unit", "budget", ""], rows).to_string());
}

async fn endure(sessions: &Sessions, args: &BenchArgs, out: Output) -> Result<Status, Failure> {
    let time = Duration::from_secs(u64::from(args.endurance.unwrap_or_default()) * 60);
    let progress = bar("seconds", time.as_secs());
    let plan = EndurancePlan { sessions: args.sessions, time, kills: args.kill_chromium };
    let report = endurance::run(sessions, plan, |seconds| progress.set_position(seconds)).await;
    progress.finish_and_clear();
    let report = report?;
    let rows = report.sessions.iter().enumerate().map(|(number, session)| {
        [
            number.to_string(),
            session.calls.to_string(),
            session.infrastructure.to_string(),
            session.page_lost.to_string(),
            format!("{:.0}", session.wait_ms),
            format!("{:.0}", session.longest_wait_ms),
            format!("{:.0}", session.service_ms),
        ]
    });
    let head = ["session", "calls", "infrastructure", "pages lost", "wait ms", "longest", "service ms"];
    out.say(table(&head, rows).to_string());
    let (early, late) = report.memory_mb;
    out.say(format!(
        "{}; median wait {:.0} ms; memory {early:.0} MB, later {late:.0} MB",
        pluralise(report.kills, "kill"),
        report.median_wait_ms
    ));
    for breach in &report.breaches {
        out.say(format!("breach: {breach}"));
    }
    out.answer(&json!({"endurance": report, "passed": report.passed()}));
    Ok(Status::of(report.passed()))
}

fn read_archives(args: &ArchivesArgs, out: Output) -> Status {
    let progress = bar("archives", args.archives);
    let report = archives::run(args.archives, args.seed, |done| progress.set_position(done));
    progress.finish_and_clear();
    out.say(
        table(&["ending", "archives"], report.endings.iter().map(|(ending, n)| [ending.clone(), n.to_string()]))
            .to_string(),
    );
    let (longest, highest) = (report.longest_ms, report.highest_mb);
    out.say(format!(
        "{} in {:.0} s; the longest took {longest:.0} ms; memory rose to {highest:.0} MB",
        pluralise(report.archives, "archive"),
        report.seconds
    ));
    for breach in &report.breaches {
        out.say(format!("breach: {breach}"));
    }
    out.answer(&json!({"archives": report, "passed": report.breaches.is_empty()}));
    Status::of(report.breaches.is_empty())
}

async fn soak(sessions: &Sessions, number: usize, out: Output) -> Result<Status, Failure> {
    let progress = bar("sessions", number as u64);
    let plan = SoakPlan { sessions: number, at_once: SESSIONS };
    let report = soak::run(sessions, plan, |done| progress.set_position(done as u64)).await;
    progress.finish_and_clear();
    let (sessions, actions) = (pluralise(report.sessions, "session"), pluralise(report.actions, "action"));
    out.say(format!("{sessions}, {actions} in {:.0} s", report.seconds));
    let (first, last) = (report.first_rest_mb, report.last_rest_mb);
    out.say(format!("memory at rest: {first:.0} MB after the first {SESSIONS}, {last:.0} MB at the end"));
    for failure in &report.failures {
        out.say(format!("failed: {failure}"));
    }
    out.answer(&json!({"soak": report, "passed": report.passed()}));
    Ok(Status::of(report.passed()))
}
