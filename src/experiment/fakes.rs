//! Runs of tests, each with a ledger of its own beside its folder.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::engine::RunArm;
use super::{Benchmark, RunError, RunOptions, run};
use crate::grade::Pricing;
use crate::ledger::Ledger;
use crate::model::AttemptRecord;
use crate::store::RunDir;

pub fn arm<B: Benchmark>(benchmark: B, dir: &RunDir) -> Arc<RunArm<B>> {
    Arc::new(RunArm { benchmark, dir: dir.clone(), pricing: Pricing::Nothing })
}

pub async fn ledger(dir: &RunDir) -> Ledger {
    Ledger::open(&dir.path().with_extension("sqlite")).await.unwrap()
}

/// One part of a run.
pub async fn played<B: Benchmark + 'static>(
    arm: &Arc<RunArm<B>>,
    options: RunOptions,
) -> Result<Vec<AttemptRecord<B::Detail>>, RunError> {
    run(&ledger(&arm.dir).await, arm, options, &CancellationToken::new(), &|_| ()).await
}
