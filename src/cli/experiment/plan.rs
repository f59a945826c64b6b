//! `scratchbed experiment plan`: what a file asks for, before anything is begun.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::arms::checked::{Checked, CheckedArm};
use crate::cli::output::Output;
use crate::cli::table::table;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::grade::dollars;

/// Which file.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The file of the experiment.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Prints the matrix. The most that it can cost is reckoned from the longest attempts and long requests; most cost far less.
pub async fn run(args: &PlanArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
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
    out.say(format!("\n{} arms, {} cells", checked.arms.len(), checked.cells()));
    if budget.micro_usd.is_some() {
        out.say(format!("budget    {}", dollars(budget.micro_usd)));
        out.say(format!("overshoot {} at most: one call of each attempt in flight", dollars(overshoot(&checked))));
    }
    for model in unpriced(&checked) {
        out.say(format!("no price  {model}: give it a `price` to see costs"));
    }
    out.answer(&answer(&checked));
    Ok(Status::Success)
}

/// What attempts of an arm may cost at most, in words.
fn most_text(arm: &CheckedArm, attempts: u64) -> String {
    if arm.outline.model.is_none() { "-".to_owned() } else { dollars(most(arm, attempts)) }
}

fn most(arm: &CheckedArm, attempts: u64) -> Option<u64> {
    let reckoned = arm.call_micro_usd.map(|call| call.saturating_mul(arm.outline.most_calls));
    Some(arm.caps.micro_usd.or(reckoned)?.saturating_mul(attempts))
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

/// Models without a price.
fn unpriced(checked: &Checked) -> Vec<String> {
    let unpriced = checked.arms.iter().filter(|arm| arm.call_micro_usd.is_none());
    let mut models: Vec<String> = unpriced.filter_map(|arm| arm.outline.model.clone()).collect();
    models.sort();
    models.dedup();
    models
}

fn answer(checked: &Checked) -> Value {
    let epochs = u64::from(checked.file.epochs);
    let arms: Vec<Value> = checked
        .arms
        .iter()
        .map(|arm| {
            let items = arm.outline.items.len() as u64;
            json!({
                "label": arm.label, "lane": arm.lane, "model": arm.outline.model, "items": items, "cells": items * epochs,
                "is_stream": arm.outline.is_stream, "most_micro_usd_per_attempt": most(arm, 1),
            })
        })
        .collect();
    json!({"name": checked.file.name, "arms": arms, "cells": checked.cells(), "unpriced": unpriced(checked)})
}
