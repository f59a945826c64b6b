//! What the file of an experiment asks for, in the form that the command line and the server answer with.

use std::collections::{BTreeMap, BTreeSet};

use super::checked::{Checked, CheckedArm};
use crate::flags::failure::Failure;
use scratchbed::experiment::engine::entry;
use scratchbed::http::{PlannedArm, PlannedExperiment};
use scratchbed::ledger::Ledger;

/// What a file asks for. `others` is the ledger whose cells may be reused, where there is one.
pub async fn planned(checked: &Checked, others: Option<&Ledger>) -> Result<PlannedExperiment, Failure> {
    Ok(PlannedExperiment {
        name: checked.file.name.clone(),
        arms: checked.arms.iter().map(|arm| planned_arm(arm, checked.file.epochs)).collect(),
        cells: checked.cells() as u64,
        reused: reusable(checked, others).await?,
        unpriced: unpriced(checked),
    })
}

/// What so many attempts of an arm may cost at most, in micro-dollars; `None` where no price is known.
pub fn most(arm: &CheckedArm, attempts: u64) -> Option<u64> {
    let reckoned = arm.call_micro_usd.map(|call| call.saturating_mul(arm.outline.most_calls));
    Some(arm.caps.micro_usd.or(reckoned)?.saturating_mul(attempts))
}

fn planned_arm(arm: &CheckedArm, epochs: u32) -> PlannedArm {
    let items = arm.outline.items.len() as u64;
    PlannedArm {
        label: arm.label.clone(),
        lane: arm.lane.clone(),
        model: arm.outline.model.clone(),
        items,
        cells: items * u64::from(epochs),
        is_stream: arm.outline.is_stream,
        most_micro_usd_per_attempt: most(arm, 1),
    }
}

/// Models without a price.
fn unpriced(checked: &Checked) -> Vec<String> {
    let unpriced = checked.arms.iter().filter(|arm| arm.call_micro_usd.is_none());
    let models: BTreeSet<String> = unpriced.filter_map(|arm| arm.outline.model.clone()).collect();
    models.into_iter().collect()
}

/// For each arm whose attempts may be reused, how many of its cells other experiments have decided; `None` where only a browser can
/// tell what it measures.
async fn reusable(checked: &Checked, others: Option<&Ledger>) -> Result<BTreeMap<String, Option<u64>>, Failure> {
    if !checked.file.reuse {
        return Ok(BTreeMap::new());
    }
    let decided = match others {
        Some(ledger) => ledger.decided_elsewhere(&checked.file.name).await?,
        None => BTreeSet::new(),
    };
    let count = |arm: &CheckedArm| -> Result<Option<u64>, Failure> {
        let Some(record) = &arm.outline.record else { return Ok(None) };
        let digest = entry::digest(&entry::spec(record, arm.caps.tokens));
        let cells =
            entry::cells(&[(digest.as_str(), arm.outline.items.as_slice())], checked.file.epochs, checked.file.seed)?;
        Ok(Some(cells.iter().filter(|cell| decided.contains(&cell.key)).count() as u64))
    };
    let arms = checked.arms.iter().filter(|arm| !arm.outline.is_stream);
    arms.map(|arm| Ok((arm.label.clone(), count(arm)?))).collect()
}
