//! `scratchbed explain …`: forged faults are explained by whoever is asked, and answers are scored; ratings are in `judging` and
//! `rating`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::answers::{AnswersArgs, Elsewhere};
use super::judging::{JudgeArgs, judge};
use super::rating::{AgreementArgs, RateArgs, agreement, rate};
use crate::arms::explanations::{ExplanationsArgs, asked, plan};
use crate::arms::house::House;
use crate::arms::output::Output;
use crate::arms::repairs::players;
use crate::arms::runs::{carry_out, say_outcomes, say_preset};
use crate::arms::spending::say_costs;
use crate::flags::budget::{count_recorded, pricing};
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::benchmarks::explain::{Answers, BASELINE, Explained, Explanations, ITEMS, score};
use scratchbed::bugs::Bench;
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Benchmark as _, RunOptions};
use scratchbed::export::claims;
use scratchbed::grade::{ANSWERS, Pricing, outcomes};
use scratchbed::mend::Manner;
use scratchbed::model::AttemptRecord;
use scratchbed::report::{explanations_text, write_explain_report};
use scratchbed::store::RunDir;

/// What to do with faults.
#[derive(Debug, Subcommand)]
pub enum ExplainCommand {
    /// Have an agent explain the instances of a benchmark: trigger, mechanism, outcome, and what the project is.
    Run(Box<ExplanationsArgs>),
    /// Score answers that were given elsewhere: a file with an object a line, `id` and `response` or `error`.
    Score(AnswersArgs),
    /// Have a second model rate the explanations of a run, 1 to 5 by a rubric. The same call again goes on where it ended.
    Judge(Box<JudgeArgs>),
    /// Rate explanations of a run yourself, by keys on a page of this machine. The same call again goes on where it ended.
    Rate(RateArgs),
    /// Print the figures of a run again and write its page: what was said of each fault beside what is right.
    Report(ReportArgs),
    /// Tell how far those who rated a run agree.
    Agreement(AgreementArgs),
}

/// Which run, of which benchmark.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The benchmark that it is of.
    bench: PathBuf,
    /// The folder of the run.
    run: PathBuf,
}

/// Does it.
pub async fn run(command: ExplainCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        ExplainCommand::Run(args) => run_all(&args, settings, out).await,
        ExplainCommand::Score(args) => score_all(&args, settings, out).await,
        ExplainCommand::Judge(args) => judge(&args, out).await,
        ExplainCommand::Rate(args) => rate(&args, out).await,
        ExplainCommand::Report(args) => report(&args, out),
        ExplainCommand::Agreement(args) => agreement(&args, out),
    }
}

async fn run_all(args: &ExplanationsArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    args.check_isolation(settings).await?;
    let house = if args.has_pictures() { Some(House::start(settings, args.run.jobs()).await?) } else { None };
    let made = explain_all(args, settings, house.as_ref(), out).await;
    if let Some(house) = house {
        house.close().await;
    }
    made
}

async fn explain_all(
    args: &ExplanationsArgs,
    settings: &Settings,
    house: Option<&House>,
    out: Output,
) -> Result<Status, Failure> {
    let budget = args.run.budget.budget(args.model().as_deref())?;
    let (explanations, plan) = asked(args, &budget, house.map(players).transpose()?)?;
    let dir = plan.open(&settings.root.runs().join("explain"), args.run.resume())?;
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    count_recorded(&budget, &dir)?;
    let arm = Arc::new(RunArm { benchmark: explanations, dir, pricing });
    let records = carry_out(&arm, args.run.options(), settings).await?;
    let mut answer = finish(&arm, &records, out)?;
    answer["costs"] = json!(say_costs(&records, &arm.pricing, "fault that was understood", out));
    out.answer(&answer);
    Ok(Status::of(records.iter().all(|record| record.detail.is_some())))
}

/// Writes down what tables group by, which no agent may know, and prints the figures.
fn finish(
    RunArm { benchmark: explanations, dir, .. }: &RunArm<Explanations>,
    records: &[AttemptRecord<Option<Explained>>],
    out: Output,
) -> Result<Value, Failure> {
    dir.keep(ITEMS, &explanations.chosen())?;
    dir.keep(BASELINE, &explanations.baseline()?)?;
    told(dir, records, explanations, out)
}

/// Prints the figures above their floor, and writes the page.
fn told(
    dir: &RunDir,
    records: &[AttemptRecord<Option<Explained>>],
    explanations: &Explanations,
    out: Output,
) -> Result<Value, Failure> {
    let items = explanations.chosen();
    let score = score(items, records).above(items, &explanations.baseline()?);
    let ended = outcomes(&ANSWERS, records.iter().map(|record| record.outcome));
    let page = write_explain_report(dir, records, items, (&score, &explanations.truths()?))?;
    out.say(explanations_text(&score));
    say_preset(dir, out);
    say_outcomes(&ended, out);
    out.say(format!("run       {}", dir.path().display()));
    out.say(format!("report    {}", page.display()));
    Ok(json!({"run": dir.path(), "report": page, "score": score, "outcomes": ended}))
}

fn report(args: &ReportArgs, out: Output) -> Result<Status, Failure> {
    let (bench, dir) = (Bench::open(&args.bench)?, RunDir::open(&args.run)?);
    let claimed = claims([&dir]);
    if let Some(note) = &claimed {
        out.say(format!("note: {note}"));
    }
    let record = dir.record();
    if record.benchmark != Explanations::NAME || record.set != bench.version() {
        let (run, bench) = (args.run.display(), args.bench.display());
        let message = format!("{run} is no run of explanations of {bench} as it is now");
        return Err(Failure::new(Status::Input, "run_of_other_benchmark", message));
    }
    let ids: Vec<String> = record.items.iter().map(ToString::to_string).collect();
    let explanations = Explanations::of(bench, &ids, (Answers::Nothing, Manner::default()), None)?;
    let tries = dir.last_tries::<Option<Explained>>()?.into_iter();
    let records: Vec<_> = tries.map(|tried| tried.record).collect();
    let mut answer = told(&dir, &records, &explanations, out)?;
    answer["claims"] = json!(claimed);
    out.answer(&answer);
    Ok(Status::Success)
}

async fn score_all(args: &AnswersArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let given = args.read()?;
    let plan = given.plan(plan(&given.bench, &given.ids)?);
    let Elsewhere { bench, ids, answers, .. } = given;
    let explanations = Explanations::of(bench, &ids, (Answers::Given(answers), Manner::default()), None)?;
    let dir = plan.open(&settings.root.runs().join("explain"), None)?;
    let arm = Arc::new(RunArm { benchmark: explanations, dir, pricing: Pricing::Nothing });
    let options = RunOptions { jobs: 1, retries: 0, retry_failed_calls: false };
    let records = carry_out(&arm, options, settings).await?;
    out.answer(&finish(&arm, &records, out)?);
    Ok(Status::Success)
}
