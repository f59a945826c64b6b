//! From arms that can be attempted to the plan that the ledger keeps.

use serde_json::{Value, json};

use super::arm::ReadyArm;
use super::checked::{Checked, CheckedArm};
use super::pins::pins;
use crate::flags::experiment::ExperimentFile;
use crate::flags::failure::Failure;
use scratchbed::experiment::engine::entry;
use scratchbed::ledger::{ArmPlan, CellPlan, Plan, Retry};
use scratchbed::model::RunRecord;

/// The plan of an experiment.
pub fn plan(checked: &Checked, ready: &[ReadyArm]) -> Result<Plan, Failure> {
    let file = &checked.file;
    let arms: Vec<ArmPlan> = checked.arms.iter().zip(ready).map(|(arm, ready)| arm_plan(arm, ready)).collect();
    let of: Vec<_> = arms
        .iter()
        .zip(&checked.arms)
        .map(|(plan, arm)| (plan.digest.as_str(), arm.outline.items.as_slice()))
        .collect();
    let cells = entry::cells(&of, file.epochs, file.seed)?;
    let sets: Vec<_> = ready.iter().map(|arm| &arm.record.set).collect();
    let mut pins = pins()?;
    pins.insert("sets".to_owned(), json!(sets));
    let mut pins = Value::Object(pins);
    entry::pin_judge_seeds(&mut pins, ready.iter().map(|arm| &arm.record));
    of_file(file, checked.text.clone(), pins, (arms, cells))
}

/// What the file says of an experiment, with these arms and cells.
pub fn of_file(
    file: &ExperimentFile,
    text: String,
    pins: Value,
    (arms, cells): (Vec<ArmPlan>, Vec<CellPlan>),
) -> Result<Plan, Failure> {
    Ok(Plan {
        id: file.name.clone(),
        name: file.name.clone(),
        file: text,
        run: None,
        pins,
        budget: file.budget()?,
        retry: Retry { infra: file.retry.infra, provider: file.retry.provider },
        lanes: file.lane_plans()?,
        arms,
        cells,
    })
}

fn arm_plan(arm: &CheckedArm, ready: &ReadyArm) -> ArmPlan {
    ArmPlan {
        label: arm.label.clone(),
        digest: digest(&ready.record, arm),
        spec: entry::spec(&ready.record, arm.caps.tokens),
        lane: arm.lane.clone(),
        is_stream: arm.outline.is_stream,
        cap_micro_usd: arm.caps.micro_usd,
        cap_tokens: arm.caps.tokens,
    }
}

/// The digest of an arm, as the ledger has it.
pub fn digest(record: &RunRecord, arm: &CheckedArm) -> String {
    entry::digest(&entry::spec(record, arm.caps.tokens))
}
