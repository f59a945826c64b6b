//! `scratchbed repair probe, replay, regrade`: what can be had of budgeted repair without a model.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde_json::{Value, json};

use crate::arms::budgeted::{CasesArgs, replayed};
use crate::arms::house::House;
use crate::arms::output::Output;
use crate::arms::signs::bar;
use crate::flags::budget::PricesArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::benchmarks::trajectories::{Cases, Trajectories, differs};
use scratchbed::experiment::{Benchmark as _, Cell};
use scratchbed::model::{AttemptRecord, Signals, Trajectory};
use scratchbed::store::RunDir;
use scratchbed::trajectory::{Plans, Verified};

pub(super) type Record = AttemptRecord<Option<Trajectory>>;

/// Which cases are probed.
#[derive(Debug, Args)]
pub struct ProbeArgs {
    #[command(flatten)]
    cases: CasesArgs,
}

/// Which runs are made again.
#[derive(Debug, Args)]
pub struct AgainArgs {
    /// The folders of the runs.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    cases: CasesArgs,
    #[command(flatten)]
    prices: PricesArgs,
}

/// Probes cases and prints their signals.
pub async fn probe(args: &ProbeArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let plans = args.cases.plans()?;
    let house = House::start(settings, 1).await?;
    let made = probed(args, &plans, &house, out).await;
    house.close().await;
    out.answer(&json!({"probes": made?}));
    Ok(Status::of(true))
}

async fn probed(args: &ProbeArgs, plans: &Arc<Plans>, house: &House, out: Output) -> Result<Vec<Value>, Failure> {
    let (cases, _) = args.cases.open(house)?;
    let mut all = Vec::new();
    out.say(format!("{:<24} level  p_b   p_g   mis   inst  first  flags", "case"));
    for item in cases.items() {
        let case = cases.open(&item.id).await?;
        let told = match case.oracle.probe(plans).await {
            Ok(probe) => {
                out.say(line(item.id.as_str(), &probe.signals));
                json!({"case": item.id, "mechanism": item.mechanism, "signals": probe.signals})
            }
            Err(error) => {
                out.say(format!("{:<24} {error}", item.id));
                json!({"case": item.id, "mechanism": item.mechanism, "error": error.to_string()})
            }
        };
        all.push(told);
    }
    Ok(all)
}

fn line(case: &str, signals: &Signals) -> String {
    let first = signals.div_tick.map_or_else(|| "-".to_owned(), |tick| tick.to_string());
    format!(
        "{case:<24} {:>5}  {:.2}  {:.2}  {:.2}  {:.2}  {first:>5}  {}",
        signals.level,
        signals.p_b,
        signals.p_g,
        signals.mis,
        signals.inst,
        signals.flags.join(", ")
    )
}

/// Makes runs again from the answers that were kept: each record must be the same, times apart.
pub async fn replay(args: &AgainArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let house = House::start(settings, 1).await?;
    let made = replay_all(args, &house, out).await;
    house.close().await;
    let told = made?;
    let is_same = told.iter().all(|one| one["differs"].is_null());
    out.answer(&json!({"trajectories": told}));
    Ok(Status::of(is_same))
}

async fn replay_all(args: &AgainArgs, house: &House, out: Output) -> Result<Vec<Value>, Failure> {
    let mut told = Vec::new();
    for run in &args.runs {
        let dir = RunDir::open(run)?;
        let records = counted(&dir)?;
        let benchmark = replayed(&dir, &args.cases, &args.prices, house)?;
        let place = tempfile::tempdir().map_err(|error| Failure::infrastructure("no_temporary_folder", &error))?;
        let again = RunDir::create_in(&place.path().join("run"), dir.record().clone())?;
        let shown = bar("trajectories", records.len() as u64);
        for (record, trajectory) in records {
            let made = once_more(&benchmark, &record, &again).await?;
            let what = match &made {
                Some(made) => differs(&trajectory, made),
                None => Some("the testbed failed".to_owned()),
            };
            shown.inc(1);
            if let Some(what) = &what {
                out.say(format!("{} {}: {what}", trajectory.case, record.attempt));
            }
            told.push(json!({"run": run, "case": trajectory.case, "replicate": record.attempt, "differs": what}));
        }
        shown.finish_and_clear();
    }
    let other = told.iter().filter(|one| !one["differs"].is_null()).count();
    out.say(format!("{} trajectories made again, {other} came out otherwise", told.len()));
    Ok(told)
}

async fn once_more(benchmark: &Trajectories, record: &Record, again: &RunDir) -> Result<Option<Trajectory>, Failure> {
    let dir = again.begin(&record.item, record.attempt, 0)?;
    let cell = Cell { item: &record.item, attempt: record.attempt, earlier: &[] };
    Ok(benchmark.attempt(cell, &dir).await?.detail)
}

/// The trajectories of a run that count.
pub(super) fn counted(dir: &RunDir) -> Result<Vec<(Record, Trajectory)>, Failure> {
    if dir.record().benchmark != Trajectories::NAME {
        let message = format!("{} is no run of a controller", dir.path().display());
        let failure = Failure::new(Status::Input, "run_of_other_benchmark", message);
        return Err(failure.hinted("name a run of `repair run --mode heuristic` or another mode than single"));
    }
    let tries = dir.last_tries::<Option<Trajectory>>()?.into_iter().map(|tried| tried.record);
    Ok(tries.filter_map(|record| record.detail.clone().map(|trajectory| (record, trajectory))).collect())
}

/// Verifies the candidates of runs again, without asking anybody.
pub async fn regrade(args: &AgainArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let house = House::start(settings, 1).await?;
    let made = regrade_all(args, &house, out).await;
    house.close().await;
    let told = made?;
    let is_same = told.iter().all(|one| one["is_same"] == true);
    out.answer(&json!({"candidates": told}));
    Ok(Status::of(is_same))
}

async fn regrade_all(args: &AgainArgs, house: &House, out: Output) -> Result<Vec<Value>, Failure> {
    let (plans, (cases, _)) = (args.cases.plans()?, args.cases.open(house)?);
    let mut told = Vec::new();
    for run in &args.runs {
        let dir = RunDir::open(run)?;
        let records = counted(&dir)?;
        let shown = bar("trajectories", records.len() as u64);
        for (record, trajectory) in records {
            told.extend(graded((&dir, &record, &trajectory), &cases, &plans, out).await?);
            shown.inc(1);
        }
        shown.finish_and_clear();
    }
    let other = told.iter().filter(|one| one["is_same"] != true).count();
    out.say(format!("{} candidates verified again, {other} came out otherwise", told.len()));
    Ok(told)
}

async fn graded(
    (dir, record, trajectory): (&RunDir, &Record, &Trajectory),
    cases: &Cases,
    plans: &Plans,
    out: Output,
) -> Result<Vec<Value>, Failure> {
    let case = cases.open(&record.item).await?;
    let folder = dir.path().join(RunDir::place(record));
    let mut told = Vec::new();
    for attempt in &trajectory.attempts {
        let (Some(candidate), Some(before)) = (&attempt.candidate, &attempt.verification) else { continue };
        let file = folder.join(&candidate.file);
        let sb3 = std::fs::read(&file).map_err(|error| {
            Failure::new(Status::Input, "candidate_missing", format!("{} can't be read: {error}", file.display()))
        })?;
        let verified = case.oracle.verify(&sb3, plans.plan(attempt.plan).precheck).await;
        let Verified { precheck, full, .. } =
            verified.map_err(|error| Failure::infrastructure("testbed_failed", &error))?;
        let hashes = |stage: &Option<scratchbed::model::StageRecord>| {
            stage.as_ref().map(|stage| (stage.outcome.clone(), stage.failed, stage.trace_hashes.clone()))
        };
        let is_same = hashes(&before.precheck) == hashes(&precheck) && hashes(&before.full) == hashes(&full);
        if !is_same {
            out.say(format!("{} {} attempt {}: it came out otherwise", trajectory.case, record.attempt, attempt.a + 1));
        }
        let outcome = full.as_ref().or(precheck.as_ref()).map(|stage| stage.outcome.clone());
        told.push(
            json!({"run": dir.path(), "case": trajectory.case, "replicate": record.attempt, "attempt": attempt.a,
            "was": attempt.layer, "outcome": outcome, "is_same": is_same}),
        );
    }
    Ok(told)
}
