//! How a run comes into the ledger: as an experiment of one arm, with the name of its folder. The folder tells what became of its
//! attempts where the ledger does not know it, or knows another one.

use std::path::Path;

use serde_json::json;

use super::engine::{Caps, CellRef, KeptArm, RunArm, entry, kept};
use super::{Benchmark, RunError, RunOptions};
use crate::ledger::{
    AttemptState, Budget, CellPlan, CellState, Gate, LOCAL, LanePlan, Ledger, LedgerError, Plan, Requeue, Retry, Scope,
    Status, Unended,
};
use crate::model::Outcome;

/// Who gives the orders that `--resume` stands for.
const WHO: &str = "resume";

/// Enters a run, or goes on with it: what an earlier part of it did not decide is owed again.
pub(super) async fn enter<B: Benchmark>(ledger: &Ledger, arm: &RunArm<B>, options: RunOptions) -> Result<(), RunError> {
    let kept =
        KeptArm { dir: arm.dir.clone(), lane: LOCAL.to_owned(), pricing: arm.pricing.clone(), caps: Caps::default() };
    let plan = plan(arm, &kept, options)?;
    let known = match ledger.status(&plan.id).await {
        Err(LedgerError::UnknownExperiment(_)) => None,
        status => Some(status?),
    };
    match known {
        Some(status) if is_of(&status, &plan) && agrees(ledger, &kept).await? => {
            ledger.enter(&plan).await?;
        }
        known => {
            if let Some(status) = known {
                forget(ledger, &plan.id, is_of(&status, &plan)).await?;
            }
            let begun = Some(kept::milliseconds(arm.dir.record().started_at));
            ledger.rebuild(&plan, begun, &kept::arm_attempts(0, &kept)?).await?;
        }
    }
    want_again(ledger, &plan.id, options).await
}

/// The run as an experiment.
fn plan<B: Benchmark>(arm: &RunArm<B>, kept: &KeptArm, options: RunOptions) -> Result<Plan, RunError> {
    let record = arm.dir.record();
    let arm_plan = kept::arm_plan(kept);
    let all = entry::cells(&[(arm_plan.digest.as_str(), record.items.as_slice())], record.attempts, 0)?;
    let has = |cell: &CellPlan| {
        record.items.iter().any(|item| item.as_str() == cell.item && arm.benchmark.has(item, cell.epoch))
    };
    Ok(Plan {
        id: record.id.clone(),
        name: record.id.clone(),
        file: String::new(),
        run: Some(whole_path(arm.dir.path())),
        pins: json!({"version": record.version, "sets": [record.set]}),
        budget: Budget::default(),
        // A provider was asked often enough within the attempt.
        retry: Retry { infra: options.retries + 1, provider: 1 },
        lanes: vec![LanePlan::local()],
        cells: all.into_iter().filter(has).collect(),
        arms: vec![arm_plan],
    })
}

fn whole_path(folder: &Path) -> String {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).display().to_string()
}

/// Whether what the ledger has is the run in this folder: it may be a copy of it, or one of the same name elsewhere.
fn is_of(status: &Status, plan: &Plan) -> bool {
    status.run == plan.run
}

/// Whether the ledger knows of the attempts in the folder, and the folder has those that the ledger knows of: people remove some to
/// have them made again.
async fn agrees(ledger: &Ledger, kept: &KeptArm) -> Result<bool, RunError> {
    let id = &kept.dir.record().id;
    let mut here = kept.dir.complete()?;
    for attempt in ledger.attempts(id).await? {
        let Some(uri) = attempt.uri else { continue };
        if !here.remove(last_part(&uri)) {
            return Ok(false);
        }
    }
    // Those that had ended when their process died are handed in.
    for Unended { lease, item, epoch, .. } in ledger.unended(id).await? {
        here.remove(last_part(&CellRef::of(&item, epoch, lease.number).folder()));
    }
    Ok(here.is_empty())
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Takes a run out of the ledger, which its folder knows better. Nobody works on it if it is that of this folder, which is locked.
async fn forget(ledger: &Ledger, id: &str, is_own: bool) -> Result<(), RunError> {
    ledger.reap().await?;
    if is_own {
        ledger.interrupted(id).await?;
    }
    let rows = ledger.rows(id).await?;
    Ok(ledger.remove(id, &rows).await?)
}

/// Wants cells again that were given up, and, if asked for, those whose call failed; opens the gate.
async fn want_again(ledger: &Ledger, id: &str, options: RunOptions) -> Result<(), RunError> {
    let cells = ledger.cells(id).await?;
    let dead: Vec<String> =
        cells.iter().filter(|cell| cell.state == CellState::Dead).map(|cell| cell.id.clone()).collect();
    if !dead.is_empty() {
        ledger.requeue(id, &Requeue::Cells(dead), WHO).await?;
    }
    if options.retry_failed_calls {
        for attempt in ledger.attempts(id).await? {
            let is_failed = attempt.outcome.as_deref() == Some(Outcome::CallFailed.name());
            if is_failed && attempt.state == AttemptState::Done {
                let what = Requeue::Void { cell: attempt.cell, reason: "--retry-failed-calls".to_owned() };
                ledger.requeue(id, &what, WHO).await?;
            }
        }
    }
    let status = ledger.status(id).await?;
    if status.state != Gate::Open && !status.cells.is_over() {
        ledger.set_gate(id, &Scope::Experiment, Gate::Open, WHO, None).await?;
    }
    Ok(())
}
