//! `scratchbed bench build`: how fast projects are built from their texts.

use clap::Args;
use serde_json::json;

use crate::arms::browsers;
use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::arms::signs::bar;
use crate::flags::choice::ChoiceArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::compile::texts_of;
use scratchbed::model::pluralise;
use scratchbed::perf::bench::Budget;
use scratchbed::perf::bench::building;

/// Which projects to build: what the tasks start from, what solves them, and their other solutions, each text once.
///
/// What was built before is not used. Exit code 0 only if the budgets are met; they are for all bundled tasks.
#[derive(Debug, Args)]
pub struct BuildingArgs {
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    pack: PackArgs,
}

/// Builds in a page of its own.
pub async fn run(args: &BuildingArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let set = args.pack.tasks(settings, &args.choice.task)?;
    let texts = texts_of(set.select(&args.choice.selection())?);
    let cache = tempfile::tempdir().map_err(|error| Failure::infrastructure("no_folder", &error))?;
    let fleet = browsers::start(settings, 0).await?;
    let progress = bar("projects built", texts.len() as u64);
    let report = building::run(&fleet, cache.path(), &texts, |done| progress.set_position(done as u64)).await;
    progress.finish_and_clear();
    fleet.shutdown().await;
    let report = report?;
    let budgets = report.budgets();
    super::bench::show(&budgets, out);
    out.say(format!(
        "{}; the first, with its page, {:.0} ms; the slowest of the others {:.0} ms",
        pluralise(report.projects, "project"),
        report.first_ms,
        report.longest_ms
    ));
    out.answer(&json!({"building": report, "budgets": budgets}));
    Ok(Status::of(budgets.iter().all(Budget::is_met)))
}
