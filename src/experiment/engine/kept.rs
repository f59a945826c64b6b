//! An experiment as its folders tell it, where the ledger is lost: arms from the records of their runs, cells from their items, and
//! what became of each from the records of attempts.

use serde_json::{Value, json};

use super::arm::finish;
use super::{Caps, entry};
use crate::experiment::RunError;
use crate::grade::Pricing;
use crate::ledger::{ArmPlan, CellPlan, ELSEWHERE, KeptAttempt, Usage};
use crate::model::{ItemId, RunRecord};
use crate::store::{RunDir, StoreError, TakenFrom};

/// Who made attempts of this checkout of which only the files are left.
const WORKER: &str = "rebuilt";

/// An arm whose attempts lie in a folder.
pub struct KeptArm {
    pub dir: RunDir,
    pub lane: String,
    pub pricing: Pricing,
    /// What one attempt may use, as the experiment's file says it.
    pub caps: Caps,
}

/// What folders tell of an experiment.
#[derive(Debug)]
pub struct KeptExperiment {
    pub arms: Vec<ArmPlan>,
    pub cells: Vec<CellPlan>,
    pub attempts: Vec<KeptAttempt>,
    /// What all arms have alike, as it is entered when an experiment begins.
    pub pins: Value,
    /// Milliseconds since 1970 when the first arm was begun.
    pub begun_ms: Option<u64>,
}

impl KeptExperiment {
    /// Reads the folders of arms. There are at least `epochs` attempts at each item; more where more were made.
    ///
    /// # Errors
    /// When a folder can't be read; [`RunError::TooManyCells`] when its records ask for too many attempts.
    pub fn read(arms: &[KeptArm], epochs: u32, seed: u64) -> Result<Self, RunError> {
        let records: Vec<&RunRecord> = arms.iter().map(|arm| arm.dir.record()).collect();
        let plans: Vec<ArmPlan> = arms.iter().map(arm_plan).collect();
        let epochs = records.iter().map(|record| record.attempts).max().unwrap_or_default().max(epochs);
        let of: Vec<(&str, &[ItemId])> =
            plans.iter().zip(&records).map(|(plan, record)| (plan.digest.as_str(), record.items.as_slice())).collect();
        let cells = entry::cells(&of, epochs, seed)?;
        let mut attempts = Vec::new();
        for (at, arm) in arms.iter().enumerate() {
            attempts.extend(arm_attempts(at, arm)?);
        }
        let mut pins = json!({
            "version": records.first().map(|record| &record.version),
            "sets": records.iter().map(|record| &record.set).collect::<Vec<_>>(),
        });
        entry::pin_judge_seeds(&mut pins, records.iter().copied());
        Ok(Self {
            pins,
            begun_ms: records.iter().map(|record| record.started_at).min_by(f64::total_cmp).map(milliseconds),
            arms: plans,
            cells,
            attempts,
        })
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a time after 1970")]
pub(in crate::experiment) fn milliseconds(seconds: f64) -> u64 {
    (seconds.max(0.0) * 1000.0) as u64
}

pub(in crate::experiment) fn arm_plan(arm: &KeptArm) -> ArmPlan {
    let record = arm.dir.record();
    let spec = entry::spec(record, arm.caps.tokens);
    ArmPlan {
        label: record.id.clone(),
        digest: entry::digest(&spec),
        spec,
        lane: arm.lane.clone(),
        is_stream: entry::learns(record),
        cap_micro_usd: arm.caps.micro_usd,
        cap_tokens: arm.caps.tokens,
    }
}

/// What became of the attempts of one arm, which is at this place in the plan.
///
/// # Errors
/// When its folder can't be read.
pub(in crate::experiment) fn arm_attempts(arm: usize, of: &KeptArm) -> Result<Vec<KeptAttempt>, StoreError> {
    let kept = |item: &ItemId, epoch: u32, retry: u32, finish| KeptAttempt {
        arm,
        item: item.to_string(),
        epoch,
        number: u64::from(retry) + 1,
        worker: WORKER.to_owned(),
        finish,
    };
    let mut attempts = Vec::new();
    for (name, record) in of.dir.attempts::<Value>()? {
        let mut finish = finish(&of.dir, &of.pricing, &record);
        let from = TakenFrom::read(&of.dir.path().join(RunDir::place(&record)));
        if from.is_some() {
            // It was paid for where it was made.
            finish.usage = Usage { micro_usd: Some(0), ..Usage::default() };
        }
        let worker = match from {
            // Where it was made is said by its files, which came with the folder like all that is known of it.
            _ if of.dir.is_claimed(&name) => ELSEWHERE.to_owned(),
            Some(from) => format!("taken from {}", from.experiment),
            None => WORKER.to_owned(),
        };
        attempts.push(KeptAttempt { worker, ..kept(&record.item, record.attempt, record.retry, Some(finish)) });
    }
    let half = of.dir.broken_off()?;
    attempts.extend(half.iter().map(|(item, epoch, retry)| kept(item, *epoch, *retry, None)));
    Ok(attempts)
}
