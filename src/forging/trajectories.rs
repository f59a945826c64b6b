//! `scratchbed repair replay, regrade`: runs of budgeted repair once more, without a model.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::arms::cases::{CasesArgs, Record, counted, replayed};
use crate::arms::house::House;
use crate::arms::output::Output;
use crate::arms::signs::bar;
use crate::flags::budget::PricesArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::benchmarks::trajectories::{Cases, Trajectories, differs};
use scratchbed::experiment::{Benchmark as _, Cell};
use scratchbed::model::{Trajectory, pluralise};
use scratchbed::store::RunDir;
use scratchbed::trajectory::{Plans, Verified};

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
        let mut lines = Vec::new();
        let all = async {
            for (record, trajectory) in records {
                let made = once_more(&benchmark, &record, &again).await?;
                let what = match &made {
                    Some(made) => differs(&trajectory, made),
                    None => Some("the testbed failed".to_owned()),
                };
                shown.inc(1);
                lines.extend(what.iter().map(|what| format!("{} {}: {what}", trajectory.case, record.attempt)));
                told.push(json!({"run": run, "case": trajectory.case, "replicate": record.attempt, "differs": what}));
            }
            Ok::<_, Failure>(())
        };
        let all = all.await;
        shown.finish_and_clear();
        for line in &lines {
            out.say(line);
        }
        all?;
    }
    let other = told.iter().filter(|one| !one["differs"].is_null()).count();
    out.say(format!("{} made again, {other} came out otherwise", pluralise(told.len(), "trajectory")));
    Ok(told)
}

async fn once_more(benchmark: &Trajectories, record: &Record, again: &RunDir) -> Result<Option<Trajectory>, Failure> {
    let dir = again.begin(&record.item, record.attempt, 0)?;
    let cell = Cell { item: &record.item, attempt: record.attempt, earlier: &[] };
    Ok(benchmark.attempt(cell, &dir).await?.detail)
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
        let mut lines = Vec::new();
        let all = async {
            for (record, trajectory) in records {
                told.extend(graded((&dir, &record, &trajectory), &cases, &plans, &mut lines).await?);
                shown.inc(1);
            }
            Ok::<_, Failure>(())
        };
        let all = all.await;
        shown.finish_and_clear();
        for line in &lines {
            out.say(line);
        }
        all?;
    }
    let other = told.iter().filter(|one| one["is_same"] != true).count();
    out.say(format!("{} verified again, {other} came out otherwise", pluralise(told.len(), "candidate")));
    Ok(told)
}

async fn graded(
    (dir, record, trajectory): (&RunDir, &Record, &Trajectory),
    cases: &Cases,
    plans: &Plans,
    lines: &mut Vec<String>,
) -> Result<Vec<Value>, Failure> {
    let failed = |error| Failure::infrastructure("testbed_failed", &error);
    let case = cases.open(&record.item).await?.map_err(failed)?;
    let folder = dir.path().join(RunDir::place(record));
    let mut told = Vec::new();
    for attempt in &trajectory.attempts {
        let (Some(candidate), Some(before)) = (&attempt.candidate, &attempt.verification) else { continue };
        let sb3 = dir.file_of(record, &candidate.file).ok_or_else(|| {
            let message = format!("{:?} can't be read in {}", candidate.file, folder.display());
            Failure::new(Status::Input, "candidate_missing", message)
        })?;
        let verified = case.oracle.verify(&sb3, plans.plan(attempt.plan).precheck).await;
        let Verified { unloadable, precheck, full, .. } = verified.map_err(failed)?;
        let hashes = |stage: &Option<scratchbed::model::StageRecord>| {
            stage.as_ref().map(|stage| (stage.outcome.clone(), stage.failed, stage.trace_hashes.clone()))
        };
        // What was verified could be loaded: a file of which nothing is known now is another one, even if the record claims no stage.
        let is_same = unloadable.is_none()
            && hashes(&before.precheck) == hashes(&precheck)
            && hashes(&before.full) == hashes(&full);
        if !is_same {
            let (case, number) = (&trajectory.case, attempt.a + 1);
            let why = unloadable.map(|message| format!(": {message}")).unwrap_or_default();
            lines.push(format!("{case} {} attempt {number}: it came out otherwise{why}", record.attempt));
        }
        let outcome = full.as_ref().or(precheck.as_ref()).map(|stage| stage.outcome.clone());
        told.push(
            json!({"run": dir.path(), "case": trajectory.case, "replicate": record.attempt, "attempt": attempt.a,
            "was": attempt.layer, "outcome": outcome, "is_same": is_same}),
        );
    }
    Ok(told)
}
