//! `scratchbed judge`: judges one project, a file or a text, for one task, or many predictions.

mod predictions;

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use serde_json::Value;

use crate::arms::browsers;
use crate::arms::files;
use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::arms::signs::spinner;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::tasks::{LocalJudge, SecretSeed};
use scratchbed::grade::{Graded, Rates};
use scratchbed::judge::{Conditions, Judgement, Judges};
use scratchbed::model::{Clock, Outcome, SeedKind, SeedResult, Verdict, pluralise};
use scratchbed::taskset::TaskEntry;

/// What to judge.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("which").required(true).args(["file", "golden", "initial", "predictions"])))]
pub struct JudgeArgs {
    /// The task's name.
    #[arg(long, value_name = "ID", required_unless_present = "predictions", conflicts_with = "predictions")]
    task: Option<String>,
    /// The project: an .sb3 file, or a project text (.txt), which may use the assets of the task and of its base.
    file: Option<PathBuf>,
    /// Judge the task's own solution, which must pass.
    #[arg(long)]
    golden: bool,
    /// Judge the project that agents start from, which must fail.
    #[arg(long)]
    initial: bool,
    /// Seed of the random streams; the task's first one by default.
    #[arg(long, conflicts_with = "predictions")]
    seed: Option<u64>,
    /// The time that the project and the script run in.
    #[arg(long, value_parser = named::<Clock>(), default_value_t, conflicts_with = "predictions")]
    clock: Clock,
    /// Write what the project did, tick by tick, to this file; `scratchbed trace diff` compares two.
    #[arg(long, value_name = "FILE", conflicts_with = "predictions")]
    trace: Option<PathBuf>,
    /// Draw the stage in every tick, as the editor does; the trace is the same, and it takes longer.
    #[arg(long, conflicts_with = "predictions")]
    draw: bool,
    #[command(flatten)]
    many: predictions::PredictionArgs,
    #[command(flatten)]
    pack: PackArgs,
}

/// Judges it; the status is positive only if all tests passed.
pub async fn run(args: &JudgeArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let tasks = args.pack.tasks(settings, args.task.as_slice())?;
    let Some(task) = &args.task else { return predictions::run(&args.many, &tasks, settings, out).await };
    let entry = tasks.find(task)?;
    let seed = args.seed.or_else(|| entry.task.seeds.first().copied()).unwrap_or_default();
    let fleet = browsers::start(settings, 0).await?;
    let progress = spinner("judging");
    let judges = Judges::new(fleet.clone(), 1);
    let how =
        Conditions { clock: args.clock, trace: args.trace.is_some(), draw: args.draw, ..Conditions::seeded(seed) };
    let judgement = async {
        if let Some(file) = &args.file {
            let sb3 = files::of_task(&fleet, file, entry).await?;
            let secret = SecretSeed::from(args.many.judge_seed.map(u64::from));
            let judge = LocalJudge::over(judges.clone(), secret, browsers::built_projects(settings));
            return Ok::<_, Failure>(judge.judge_attempt(entry, &sb3, &how, secret).await?);
        }
        // The task's own projects are there to try the script: what breaks is never theirs to answer for.
        let built = files::build(&fleet, &browsers::built_projects(settings), &text_of(args, entry)).await?;
        Ok(judges.judge(entry, &built, &how).await?)
    }
    .await;
    progress.finish_and_clear();
    judges.close().await;
    fleet.shutdown().await;
    let Judgement { verdict, trace, .. } = judgement?;
    if let (Some(file), Some(trace)) = (&args.trace, trace) {
        files::write(file, trace.to_string().as_bytes())?;
    }
    show(&verdict, out);
    if args.file.is_some() && verdict.outcome == Outcome::Passed && is_half(entry, &verdict)? {
        out.say(HALF);
    }
    out.answer(&answer(entry, &verdict)?);
    Ok(status(verdict.outcome))
}

/// What is said of a project that passed where attempts are judged under two seeds, and this was one of them.
const HALF: &str = "note: what is asked under the public seed can be read; attempts must also pass under a secret one \
                    (--judge-seed N)";

fn is_half(entry: &TaskEntry, verdict: &Verdict) -> Result<bool, Failure> {
    Ok(verdict.seed_results.is_empty() && entry.evaluation()?.draws())
}

fn text_of(args: &JudgeArgs, entry: &TaskEntry) -> PathBuf {
    if args.golden { entry.golden() } else { entry.initial() }
}

fn show(verdict: &Verdict, out: Output) {
    for case in &verdict.details {
        let error = case.error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
        out.say(format!("{:<6} {}{error}", if case.passed { "passed" } else { "FAILED" }, case.name));
    }
    for warning in &verdict.warnings {
        out.say(format!("warning: {warning}"));
    }
    if let Some(error) = &verdict.error {
        out.say(error);
    }
    for SeedResult { kind, outcome, passed_tests, total_tests, .. } in &verdict.seed_results {
        let kind = if *kind == SeedKind::Public { "public" } else { "secret" };
        let tests = pluralise(*total_tests, "test");
        out.say(format!("{kind} seed: {}, {passed_tests} of {tests}", outcome.name()));
    }
    let tests = pluralise(verdict.total_tests, "test");
    out.say(format!("{}: {} of {tests}", verdict.outcome.name(), verdict.passed_tests));
}

/// The verdict with the rates over this one attempt.
fn answer(entry: &TaskEntry, verdict: &Verdict) -> Result<Value, Failure> {
    let graded = Graded::of_verdict(entry.task.category, verdict);
    let failed = |error: serde_json::Error| Failure::infrastructure("verdict_not_shown", &error);
    let mut answer = serde_json::to_value(verdict).map_err(failed)?;
    answer["rates"] = serde_json::to_value(Rates::over([&graded])).map_err(failed)?;
    Ok(answer)
}

const fn status(outcome: Outcome) -> Status {
    match outcome {
        Outcome::Passed => Status::Success,
        outcome if !outcome.counts() => Status::Infrastructure,
        _ => Status::Negative,
    }
}
