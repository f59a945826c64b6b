//! `scratchbed experiment plan`: what a file asks for, before anything of it is begun.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::scratch;
use crate::arms::checked::{Checked, CheckedArm};
use crate::arms::output::Output;
use crate::arms::planned::{most, planned};
use crate::flags::failure::{Failure, Status};
use crate::flags::ledger::LedgerArgs;
use crate::flags::settings::Settings;
use scratchbed::grade::dollars;
use scratchbed::model::{pluralise, pluralise_as};
use scratchbed::report::plain_table as table;

/// Which file.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The file of the experiment.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Make so many attempts of each arm, in an experiment NAME-probe, and reckon from them what all will need.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=50))]
    probe: Option<u16>,
    /// Attempts at a time: of the probe, and by which the time is reckoned.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64), requires = "probe")]
    jobs: u16,
    #[command(flatten)]
    ledger: LedgerArgs,
}

/// Prints the matrix. The most that it can cost is reckoned from the longest attempts and long requests; most cost far less.
pub async fn run(args: &PlanArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let settings = &args.ledger.known_to(settings);
    let checked = Checked::read(&args.file, settings).await?;
    let epochs = u64::from(checked.file.epochs);
    let rows = checked.arms.iter().map(|arm| {
        let items = arm.outline.items.len();
        [
            arm.label.clone(),
            arm.lane.clone(),
            items.to_string(),
            (items as u64 * epochs).to_string(),
            if arm.outline.is_stream { "one after another" } else { "side by side" }.to_owned(),
            most_text(arm, 1),
            most_text(arm, items as u64 * epochs),
        ]
    });
    out.say(table(&["arm", "lane", "items", "cells", "attempts go", "attempt <=", "arm <="], rows).to_string());
    let budget = checked.file.budget()?;
    let (arms, cells) = (pluralise(checked.arms.len(), "arm"), pluralise(checked.cells(), "cell"));
    out.say(format!("\n{arms}, {cells}"));
    if budget.micro_usd.is_some() {
        out.say(format!("budget    {}", dollars(budget.micro_usd)));
        out.say(format!("overshoot {} at most: one call of each attempt in flight", dollars(overshoot(&checked))));
    }
    let others = if checked.file.reuse { args.ledger.existing(settings).await? } else { None };
    let planned = planned(&checked, others.as_ref()).await?;
    for (arm, cells) in &planned.reused {
        let decided = |cells| pluralise_as(cells, "cell is decided", "cells are decided");
        let cells = cells.map_or_else(|| "known when it runs".to_owned(), decided);
        out.say(format!("reuse     {arm}: in other experiments, {cells}"));
    }
    for model in &planned.unpriced {
        out.say(format!("no price  {model}: give it a `price` to see costs"));
    }
    let mut answer = json!(planned);
    if let Some(cells) = args.probe {
        let (name, estimate) =
            Box::pin(scratch::estimate(&checked, (cells, args.jobs), &args.ledger, settings)).await?;
        scratch::show(&name, &estimate, args.jobs, out);
        answer["probe"] = json!({"experiment": name, "estimate": estimate});
    }
    out.answer(&answer);
    Ok(Status::Success)
}

/// What attempts of an arm may cost at most, in words.
fn most_text(arm: &CheckedArm, attempts: u64) -> String {
    if arm.outline.model.is_none() { "-".to_owned() } else { dollars(most(arm, attempts)) }
}

/// What may be spent beyond the budget: each lane may have as many calls on their way as attempts, and each arm is in one.
fn overshoot(checked: &Checked) -> Option<u64> {
    let of_lane = |(name, lane): (&String, &crate::flags::experiment::LaneTable)| {
        let calls = checked.arms.iter().filter(|arm| arm.lane == *name).map(|arm| arm.call_micro_usd);
        let dearest = calls.collect::<Option<Vec<u64>>>()?.into_iter().max().unwrap_or_default();
        Some(dearest.saturating_mul(lane.in_flight.into()))
    };
    checked.file.lanes.iter().map(of_lane).sum()
}
