//! `scratchbed experiment plan --probe`: a few attempts of each arm in an experiment of their own, and what all will need by them.

use std::collections::BTreeMap;
use std::time::Duration;

use super::run::{Way, Worked, worked};
use crate::arms::checked::Checked;
use crate::arms::output::Output;
use crate::flags::failure::Failure;
use crate::flags::ledger::LedgerArgs;
use crate::flags::settings::Settings;
use scratchbed::experiment::engine::{Estimate, Measured, MeasuredArm, Need};
use scratchbed::grade::dollars;
use scratchbed::ledger::{AttemptRow, Ledger};
use scratchbed::model::pluralise;
use scratchbed::report::plain_table as table;
use scratchbed::store::bytes_in;

/// What follows the experiment's name in that of its probe.
const PROBE: &str = "-probe";

/// Makes so many attempts of each arm, and reckons. The same again makes none anew.
pub async fn estimate(
    checked: &Checked,
    (cells, jobs): (u16, u16),
    ledger: &LedgerArgs,
    settings: &Settings,
) -> Result<(String, Estimate), Failure> {
    let mut scratch = Checked::of(&checked.text, settings).await?;
    scratch.file.name += PROBE;
    (scratch.file.epochs, scratch.file.reuse) = (1, false);
    for arm in &mut scratch.arms {
        arm.outline.items.truncate(cells.into());
    }
    let ledger = ledger.open(settings).await?;
    let way = Way { jobs, ..Way::default() };
    let Worked { after, .. } = Box::pin(worked(&scratch, &ledger, way, settings)).await?;
    let measured = measured(&ledger, &scratch.file.name).await?;
    let arms: Vec<MeasuredArm> = checked
        .arms
        .iter()
        .filter_map(|arm| {
            let of = after.arms.iter().find(|of| of.label == arm.label)?;
            Some(MeasuredArm {
                label: arm.label.clone(),
                lane: arm.lane.clone(),
                cells: arm.outline.items.len() as u64 * u64::from(checked.file.epochs),
                attempts: measured.get(&of.id).cloned().unwrap_or_default(),
                decided: of.cells.decided,
                bytes: bytes_in(&scratch.folder(settings).join(&arm.label)),
            })
        })
        .collect();
    let lanes = scratch.file.lane_plans()?.into_iter().map(|lane| (lane.name, lane.in_flight)).collect();
    Ok((scratch.file.name, Estimate::of(&arms, &lanes, jobs.into())))
}

/// The attempts of an experiment that have ended, by the ids of arms.
async fn measured(ledger: &Ledger, name: &str) -> Result<BTreeMap<String, Vec<Measured>>, Failure> {
    let cells = ledger.cells(name).await?;
    let arms: BTreeMap<&str, &str> = cells.iter().map(|cell| (cell.id.as_str(), cell.arm.as_str())).collect();
    let mut all: BTreeMap<String, Vec<Measured>> = BTreeMap::new();
    for attempt in ledger.attempts(name).await? {
        let AttemptRow { cell, micro_usd, tokens, is_unpriced, took_ms: Some(took_ms), .. } = attempt else { continue };
        let Some(arm) = arms.get(cell.as_str()) else { continue };
        let micro_usd = (!is_unpriced).then_some(micro_usd);
        all.entry((*arm).to_owned()).or_default().push(Measured { micro_usd, tokens, took_ms });
    }
    Ok(all)
}

/// Prints what all will need.
pub fn show(name: &str, estimate: &Estimate, jobs: u16, out: Output) {
    let cells = |label: &str, need: &Need| {
        [label.to_owned(), dollars(need.micro_usd), need.tokens.to_string(), time(need.work_ms), gigabytes(need.bytes)]
    };
    let rows = estimate.arms.iter().map(|(label, need)| cells(label, need));
    let rows: Vec<_> = rows.chain([cells("all", &estimate.all)]).collect();
    out.say(format!("\nby the attempts of `{name}`, all cells will need"));
    out.say(table(&["arm", "dollars", "tokens", "attempts take", "GB"], rows).to_string());
    out.say(format!("time      {} with {} at a time", time(estimate.wall_ms), pluralise(jobs, "attempt")));
    for arm in &estimate.unknown {
        out.say(format!("unknown   {arm}: no attempt counts yet"));
    }
}

fn time(ms: u64) -> String {
    humantime::format_duration(Duration::from_secs(ms.div_ceil(1000))).to_string()
}

#[expect(clippy::cast_precision_loss, reason = "shown with three decimals")]
fn gigabytes(bytes: u64) -> String {
    format!("{:.3}", bytes as f64 / 1e9)
}
