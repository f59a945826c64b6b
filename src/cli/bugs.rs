//! `scratchbed bugs …`: the instances of a benchmark of faults are listed, shown and checked.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;

use super::output::Output;
use super::table::table;
use crate::arms::browsers;
use crate::arms::signs::bar;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::bugs::{Bench, Instance};
use scratchbed::forge::{Checked, Plays, Rules, check};
use scratchbed::judge::Judges;
use scratchbed::taskset::player;

/// What to do with instances.
#[derive(Debug, Subcommand)]
pub enum BugsCommand {
    /// List the instances of a benchmark.
    List {
        /// The benchmark, as `scratchbed forge run` makes it.
        bench: PathBuf,
    },
    /// Show what a model is told of an instance, and with `--truth` what the fault is.
    Show {
        bench: PathBuf,
        /// The instance.
        id: String,
        /// Show the fault, its inverse and the suite as well.
        #[arg(long)]
        truth: bool,
    },
    /// Check instances: the inverse restores gold, gold passes, the buggy project fails, and no run comes out otherwise.
    Check(CheckArgs),
}

/// What to check, and how often.
#[derive(Debug, Args)]
pub struct CheckArgs {
    bench: PathBuf,
    /// Instances; all of them without any.
    ids: Vec<String>,
    /// How often each run is made.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Runs at a time.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    lanes: u16,
}

/// Does it.
pub async fn run(command: BugsCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        BugsCommand::List { bench } => list(&Bench::open(&bench)?, out),
        BugsCommand::Show { bench, id, truth } => show(&Bench::open(&bench)?.instance(&id)?, truth, out),
        BugsCommand::Check(args) => check_all(&args, settings, out).await,
    }
}

fn list(bench: &Bench, out: Output) -> Result<Status, Failure> {
    let rows = bench.entries().iter().map(|entry| {
        [entry.id.clone(), entry.project.clone(), entry.pattern.clone(), entry.operator.clone(), entry.difficulty.to_string()]
    });
    out.say(table(&["instance", "project", "pattern", "operator", "difficulty"], rows).to_string());
    out.say(format!("{} instances, profile {}, version {}", bench.entries().len(), bench.profile(), &bench.version()[..12]));
    out.answer(&json!({"name": bench.name(), "profile": bench.profile(), "version": bench.version(), "instances": bench.entries()}));
    Ok(Status::Success)
}

fn show(instance: &Instance, truth: bool, out: Output) -> Result<Status, Failure> {
    let report = &instance.report;
    out.say(format!("symptom    {}", report.symptom));
    out.say(format!("expected   {}", report.expected));
    out.say("reproduce");
    report.reproduce.iter().for_each(|step| out.say(format!("  {step}")));
    let mut answer = json!({"id": instance.entry.id, "report": report, "licence": instance.licence});
    if truth {
        let found = &instance.truth;
        out.say(format!("fault      {} ({}), {}", found.pattern, found.operator, found.difficulty));
        out.say(format!("site       {} {} in script {}", found.site.sprite_id, found.site.path, found.site.script));
        for edit in &found.inverse {
            out.say(format!("repair     {}", json!(edit)));
        }
        for assertion in &instance.suite.assertions {
            out.say(format!("assertion  {} in {}: {}", assertion.id, assertion.scenario, assertion.says));
        }
        answer["truth"] = json!(found);
        answer["suite"] = json!(instance.suite);
    }
    out.answer(&answer);
    Ok(Status::Success)
}

async fn check_all(args: &CheckArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let bench = Bench::open(&args.bench)?;
    let ids: Vec<String> = if args.ids.is_empty() {
        bench.entries().iter().map(|entry| entry.id.clone()).collect()
    } else {
        args.ids.clone()
    };
    let instances = ids.iter().map(|id| bench.instance(id)).collect::<Result<Vec<Instance>, _>>()?;
    let sources = player(&settings.root)?;
    let fleet = browsers::start(settings, 0).await?;
    let judges = Judges::new(fleet.clone(), usize::from(args.lanes));
    let shown = bar("instances", instances.len() as u64);
    let checked = async {
        let mut checked = Vec::new();
        for instance in &instances {
            let (every, reruns) = (instance.suite.every, instance.suite.seeds.len() as u64);
            let rules = Rules { every, reruns, ..Rules::default() };
            let plays = Plays::new(judges.clone(), sources.clone(), &rules);
            checked.push(check(instance, &plays, args.repeat).await?);
            shown.inc(1);
        }
        Ok::<Vec<Checked>, Failure>(checked)
    }
    .await;
    shown.finish_and_clear();
    judges.close().await;
    fleet.shutdown().await;
    let checked = checked?;
    let yes = |flag: bool| if flag { "yes" } else { "NO" }.to_owned();
    let rows = checked.iter().map(|one| {
        let shares = [one.golden, one.buggy].map(|share| format!("{share:.2}"));
        let [golden, buggy] = shares;
        [one.id.clone(), yes(one.restores), yes(one.is_current), golden, buggy, format!("{} of {}", one.flips, one.runs), yes(one.sound)]
    });
    out.say(table(&["instance", "restores", "files", "gold", "buggy", "flips", "sound"], rows).to_string());
    let sound = checked.iter().filter(|one| one.sound).count();
    out.say(format!("{sound} of {} instances are sound", checked.len()));
    out.answer(&json!({"checked": checked, "sound": sound}));
    Ok(Status::of(sound == checked.len()))
}
