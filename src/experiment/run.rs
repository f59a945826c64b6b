//! A run: an experiment of one arm, whose attempts lie in a folder of its own. Its cells are worked on as those of any experiment; here
//! is what a run has besides: it ends when no one answers, and what a later part of it makes again.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::engine::{Arm, Caps, CellRef, EngineError, Local, Made, Noted, RunArm, Stop, work};
use super::run_entry::enter;
use super::{Benchmark, RunError};
use crate::ledger::{LOCAL, Ledger};
use crate::model::{AttemptRecord, Outcome};

/// After so many failed calls in a row a run ends: the silence of an endpoint that is gone is not a result.
const FAILED_IN_A_ROW: u32 = 10;

/// How a run is carried out. None of it changes a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOptions {
    /// Cells at a time.
    pub jobs: usize,
    /// How often an attempt that the testbed or the judge spoiled is made again.
    pub retries: u32,
    /// Whether attempts whose call failed in an earlier part of the run are made again.
    pub retry_failed_calls: bool,
}

/// Makes all attempts of a run that do not count yet, and returns the last try of each: by item, then by attempt. In the ledger the
/// run is an experiment with the name of its folder. When `drain` is cancelled, what runs ends, and nothing more is begun.
///
/// # Errors
/// When the run can't go on, ten calls in a row have failed, the budget is spent, or it was stopped; what is recorded stays, and the
/// same call resumes there. What is in progress then still ends, if the budget needs not grow for it.
pub async fn run<B: Benchmark + 'static>(
    ledger: &Ledger,
    arm: &Arc<RunArm<B>>,
    options: RunOptions,
    drain: &CancellationToken,
    on_note: &(dyn Fn(Noted<'_>) + Send + Sync),
) -> Result<Vec<AttemptRecord<B::Detail>>, RunError> {
    enter(ledger, arm, options).await?;
    let listening = Arc::new(Listening {
        arm: Arc::clone(arm),
        in_a_row: AtomicU32::new(0),
        gone: OnceLock::new(),
        stop: drain.child_token(),
    });
    let label = arm.dir.record().id.as_str();
    let local = Local {
        label: label.to_owned(),
        lane: LOCAL.to_owned(),
        arm: listening.clone(),
        pricing: arm.pricing.clone(),
        caps: Caps::default(),
    };
    let (stop, status) =
        work(ledger, label, vec![local], options.jobs, &listening.stop, on_note).await.map_err(of_run)?;
    if let Some((count, last)) = listening.gone.get() {
        return Err(RunError::NoAnswers { count: *count, last: last.clone() });
    }
    let records: Vec<_> = arm.dir.last_tries()?.into_iter().map(|tried| tried.record).collect();
    let (complete, all) = (records.len(), usize::try_from(status.cells.all()).unwrap_or(usize::MAX));
    match stop {
        Stop::Over => Ok(records),
        Stop::Budget(reason) => Err(RunError::BudgetExhausted { reason, complete, all }),
        Stop::Drained => Err(RunError::Stopped { complete, all }),
    }
}

/// What the engine says, without the arm: there is only one.
fn of_run(error: EngineError) -> RunError {
    match error {
        EngineError::Ledger(error) => error.into(),
        EngineError::Arm { source, .. } => source,
        EngineError::UnknownArm(arm) => {
            RunError::Differs { path: arm.into(), what: "the ledger has another arm of this name".to_owned() }
        }
    }
}

/// An arm that ends its run when no one answers any more.
struct Listening<B: Benchmark> {
    arm: Arc<RunArm<B>>,
    /// Calls that failed since the last that did not.
    in_a_row: AtomicU32,
    /// How many there were when the run was ended for them, and what the last one said.
    gone: OnceLock<(u32, String)>,
    stop: CancellationToken,
}

#[async_trait]
impl<B: Benchmark> Arm for Listening<B> {
    async fn attempt(&self, cell: &CellRef, told: &[Value]) -> Result<Made, RunError> {
        let made = self.arm.attempt(cell, told).await?;
        self.listen(&made);
        Ok(made)
    }

    fn finished(&self, cell: &CellRef) -> Result<Option<Made>, RunError> {
        self.arm.finished(cell)
    }
}

impl<B: Benchmark> Listening<B> {
    fn listen(&self, made: &Made) {
        match made.outcome {
            Outcome::CallFailed if !self.arm.benchmark.asks() => {}
            Outcome::CallFailed | Outcome::ProviderError => {
                let count = self.in_a_row.fetch_add(1, Ordering::SeqCst) + 1;
                if count >= FAILED_IN_A_ROW {
                    let last = made.finish.record["error"].as_str().unwrap_or_default();
                    self.gone.get_or_init(|| (count, last.to_owned()));
                    self.stop.cancel();
                }
            }
            // It says nothing of the model or program that is asked.
            outcome if !outcome.counts() => {}
            _ => self.in_a_row.store(0, Ordering::SeqCst),
        }
    }
}
