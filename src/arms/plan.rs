//! From arms that can be attempted to the plan that the ledger keeps.

use serde_json::json;

use super::arm::ReadyArm;
use super::checked::{Checked, CheckedArm};
use crate::flags::failure::Failure;
use scratchbed::ledger::{ArmPlan, CellPlan, Plan, Retry};
use scratchbed::model::{RunRecord, sha256_hex};

/// The plan of an experiment. Its cells are in the order of epochs, then items, then arms: what drifts at a provider meets all
/// arms alike.
pub fn plan(checked: &Checked, ready: &[ReadyArm]) -> Result<Plan, Failure> {
    let file = &checked.file;
    let arms: Vec<ArmPlan> = checked.arms.iter().zip(ready).map(|(arm, ready)| arm_plan(arm, ready)).collect();
    let mut cells = Vec::new();
    let most = checked.arms.iter().map(|arm| arm.outline.items.len()).max().unwrap_or_default();
    for epoch in 1..=file.epochs {
        for place in 0..most {
            for (arm, of) in checked.arms.iter().enumerate() {
                let Some(item) = of.outline.items.get(place) else { continue };
                let key = sha256_hex(json!([arms[arm].digest, item, epoch, file.seed]).to_string().as_bytes());
                let seed = u64::from_str_radix(&key[..16], 16).unwrap_or(file.seed);
                cells.push(CellPlan { arm, item: item.to_string(), epoch, seed, key });
            }
        }
    }
    Ok(Plan {
        id: file.name.clone(),
        name: file.name.clone(),
        file: checked.text.clone(),
        pins: json!({"version": env!("CARGO_PKG_VERSION"), "sets": ready.iter().map(|arm| &arm.record.set).collect::<Vec<_>>()}),
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
        spec: spec(&ready.record, arm),
        lane: arm.lane.clone(),
        is_stream: arm.outline.is_stream,
        cap_micro_usd: arm.caps.micro_usd,
        cap_tokens: arm.caps.tokens,
    }
}

/// The digest of an arm, as the ledger has it.
pub fn digest(record: &RunRecord, arm: &CheckedArm) -> String {
    sha256_hex(spec(record, arm).to_string().as_bytes())
}

/// All that a score of the arm depends on, apart from item, epoch and seed. Limits that are only reckoned for the budget change
/// with prices, and are no part of it.
fn spec(record: &RunRecord, arm: &CheckedArm) -> serde_json::Value {
    json!({
        "benchmark": record.benchmark, "agent": record.agent, "mode": record.mode, "setting": record.setting,
        "options": record.options, "set": record.set, "tokens": arm.caps.tokens,
    })
}
