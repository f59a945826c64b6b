//! `scratchbed experiment compare` and `regrade`: the commands of these names, over the arms of experiments.

use std::collections::BTreeMap;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use super::results::arms;
use crate::arms::output::Output;
use crate::cli::{compare, regrade};
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::NamedArgs;
use crate::flags::run_folders::current_judges;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::tasks::regrade::{Regraded, Regrading, Sample};
use scratchbed::ledger::{Grade, Judged};
use scratchbed::model::pluralise_as;
use scratchbed::report::{by_worker, by_worker_text};

/// Which experiments. Each arm is compared with each later one at the same tasks and attempts, and p is corrected for all of them
/// together (Holm).
#[derive(Debug, Args)]
pub struct CompareArgs {
    #[command(flatten)]
    named: NamedArgs,
    /// More experiments, whose arms are compared with these.
    #[arg(value_name = "OTHER")]
    others: Vec<String>,
    #[command(flatten)]
    form: compare::FormArgs,
}

/// Which experiment. The projects of its attempts are judged again, with no model and no session. The new grades are kept beside the
/// first ones, in the attempts' folders and in the ledger; `report` and `compare` read them with --grading current.
///
/// The exit code is 1 when a grade changed, 5 when a judge broke.
#[derive(Debug, Args)]
pub struct RegradeArgs {
    #[command(flatten)]
    named: NamedArgs,
    #[command(flatten)]
    how: regrade::HowArgs,
    /// Judge some attempts only, drawn at random over all arms: a share, rounded up, or a number.
    #[arg(long, value_name = "SHARE%|N")]
    sample: Option<Sample>,
    /// Which sample is drawn.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample")]
    seed: u64,
}

/// Prints or writes the tables.
pub async fn compare(args: &CompareArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let ledger = args.named.ledger.open(settings).await?;
    let mut runs = Vec::new();
    for name in std::iter::once(&args.named.name).chain(&args.others) {
        runs.extend(arms(&ledger.status(name).await?, settings)?);
    }
    args.form.write(&runs, settings, out)
}

/// Judges, tells what flipped, and enters the grades.
pub async fn regrade(args: &RegradeArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let started = Instant::now();
    let (ledger, name) = (args.named.ledger.open(settings).await?, &args.named.name);
    let runs = arms(&ledger.status(name).await?, settings)?;
    let judges = current_judges(args.how.pack.tasks(settings, &[])?, settings);
    let only = args.sample.map(|sample| sample.of(&runs, args.seed)).transpose()?.unwrap_or_default();
    let all = args.how.judged(&runs, &judges, &only, settings, out).await?;
    let judged = ledger.judged(name).await?;
    let found = in_ledger(&all, &judged);
    ledger.add_grades(&found.iter().map(|(one, of)| grade(one, of)).collect::<Vec<_>>()).await?;
    let workers = by_worker(found.iter().map(|(one, of)| (of.worker.as_str(), *one)));
    if args.sample.is_some() {
        out.say(by_worker_text(&workers));
    }
    let seconds = started.elapsed().as_secs_f64();
    let grades = pluralise_as(found.len(), "grade is", "grades are");
    out.say(format!("{grades} in the ledger; took {seconds:.1} s"));
    out.answer(&json!({
        "experiment": name, "runs": all, "workers": workers, "grades": found.len(), "seconds": seconds,
    }));
    Ok(regrade::status(&all))
}

/// What was judged again, each with its attempt in the ledger.
fn in_ledger<'a>(all: &'a [Regrading], judged: &'a [Judged]) -> Vec<(&'a Regraded, &'a Judged)> {
    let places: BTreeMap<(&str, &str, u64), &Judged> =
        judged.iter().map(|one| ((one.arm.as_str(), one.item.as_str(), one.epoch), one)).collect();
    let regraded = all.iter().flat_map(|run| run.regraded.iter().map(move |one| (run.run.as_str(), one)));
    regraded
        .filter_map(|(arm, one)| Some((one, *places.get(&(arm, one.task.as_str(), u64::from(one.epoch)))?)))
        .collect()
}

fn grade(one: &Regraded, of: &Judged) -> Grade {
    Grade {
        attempt: of.attempt.clone(),
        grading: one.judge.clone(),
        outcome: one.change.after.outcome.name().to_owned(),
        passed: one.change.after.passed_tests.into(),
        total: one.change.after.total_tests.into(),
    }
}
