//! `scratchbed explain …`: forged faults are explained by whoever is asked, and answers are scored.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::answers::{elsewhere, name_of};
use crate::arms::explanations::{ExplanationsArgs, asked, plan};
use crate::arms::output::Output;
use crate::arms::repairs::InstancesArgs;
use crate::arms::runs::{carry_out, say_outcomes};
use crate::arms::spending::say_spending;
use crate::flags::budget::{count_recorded, pricing};
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::benchmarks::explain::{Answers, Explained, Explanations, ITEMS, score};
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Plan, RunOptions};
use scratchbed::grade::{ANSWERS, Pricing, Spending, outcomes};
use scratchbed::mend::Manner;
use scratchbed::model::{AttemptRecord, Outcome};
use scratchbed::report::explanations_text;

/// What to do with faults.
#[derive(Debug, Subcommand)]
pub enum ExplainCommand {
    /// Have an agent explain the instances of a benchmark: trigger, mechanism, outcome, and what the project is.
    Run(Box<ExplanationsArgs>),
    /// Score answers that were given elsewhere: a file with an object a line, `id` and `response` or `error`.
    Score(ScoreArgs),
}

/// Which answers to which benchmark.
#[derive(Debug, Args)]
pub struct ScoreArgs {
    #[command(flatten)]
    instances: InstancesArgs,
    /// The answers.
    #[arg(long, value_name = "FILE")]
    answers: PathBuf,
    /// The name of who answered, in records and reports; the file's name by default.
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    name: Option<String>,
}

/// Does it.
pub async fn run(command: ExplainCommand, settings: &Settings, out: Output) -> Result<Status, Failure> {
    match command {
        ExplainCommand::Run(args) => run_all(&args, settings, out).await,
        ExplainCommand::Score(args) => score_all(&args, settings, out).await,
    }
}

async fn run_all(args: &ExplanationsArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let budget = args.run.budget.budget(args.model().as_deref())?;
    let (explanations, plan) = asked(args, &budget)?;
    let dir = plan.open(&settings.root.runs().join("explain"), args.run.resume())?;
    let pricing = pricing(&args.run.budget.prices, dir.record())?;
    count_recorded(&budget, &dir)?;
    let arm = Arc::new(RunArm { benchmark: explanations, dir, pricing });
    let records = carry_out(&arm, args.run.options(), settings).await?;
    let mut answer = finish(&arm, &records, out)?;
    let passed = |record: &AttemptRecord<_>| record.outcome == Outcome::Passed;
    let spending = Spending::of(records.iter().map(|record| (&record.cost, passed(record))), &arm.pricing);
    say_spending(&spending, "fault that was understood", out);
    answer["costs"] = json!(spending);
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
    let score = score(explanations.chosen(), records);
    let ended = outcomes(&ANSWERS, records.iter().map(|record| record.outcome));
    out.say(explanations_text(&score));
    say_outcomes(&ended, out);
    out.say(format!("run       {}", dir.path().display()));
    Ok(json!({"run": dir.path(), "score": score, "outcomes": ended}))
}

async fn score_all(args: &ScoreArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let (bench, ids) = args.instances.open()?;
    let (answers, ids, options) = elsewhere(&bench, &args.answers, ids)?;
    let version = bench.version().to_owned();
    let explanations = Explanations::of(bench, &ids, Answers::Given(answers), Manner::default())?;
    let name = name_of(args.name.as_deref(), &args.answers);
    let plan = Plan {
        name: format!("{}-answers", name.replace('-', "_")),
        agent: name,
        setting: "answers".to_owned(),
        options,
        attempts: 1,
        ..plan(&explanations, version)
    };
    let dir = plan.open(&settings.root.runs().join("explain"), None)?;
    let arm = Arc::new(RunArm { benchmark: explanations, dir, pricing: Pricing::Nothing });
    let options = RunOptions { jobs: 1, retries: 0, retry_failed_calls: false };
    let records = carry_out(&arm, options, settings).await?;
    out.answer(&finish(&arm, &records, out)?);
    Ok(Status::Success)
}
