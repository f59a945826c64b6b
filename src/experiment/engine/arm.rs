//! One arm: a benchmark with an agent, and the folder of its attempts.

use async_trait::async_trait;
use serde::Serialize;
use serde_json::Value;

use crate::experiment::{Benchmark, Cell, Ended, RunError};
use crate::grade::Pricing;
use crate::ledger::{Class, Files, Finish, Usage};
use crate::model::{AttemptRecord, Cost, ItemId, Outcome, RUN_FORMAT, sha256_hex};
use crate::store::RunDir;

/// Which try at which cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellRef {
    pub item: ItemId,
    /// From 1.
    pub epoch: u32,
    /// Which try, from 1.
    pub number: u32,
}

impl CellRef {
    /// A try as the ledger has it.
    pub fn of(item: &str, epoch: u64, number: u64) -> Self {
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        Self { item: ItemId::plain(item), epoch: small(epoch), number: small(number) }
    }

    /// How many tries there were before.
    pub const fn retry(&self) -> u32 {
        self.number.saturating_sub(1)
    }

    /// The folder of its files, relative to that of its arm's run.
    pub fn folder(&self) -> String {
        RunDir::place_of(&self.item, self.epoch, self.retry())
    }
}

/// What an attempt came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    pub finish: Finish,
    pub outcome: Outcome,
    /// Why it did not pass, in a few words.
    pub reason: Option<String>,
}

/// Makes attempts at items.
#[async_trait]
pub trait Arm: Send + Sync {
    /// Makes an attempt; its record is on the disk when this returns. `told` are records of tries at the cell before this one that
    /// the ledger tells of: others may have made them, on other disks.
    ///
    /// # Errors
    /// When there is no result: the budget is spent, or the disk refuses or is full. The attempt is owed.
    async fn attempt(&self, cell: &CellRef, told: &[Value]) -> Result<Made, RunError>;

    /// The result of an attempt whose record is on the disk already, made by a process that died before it could hand it in.
    ///
    /// # Errors
    /// When it can't be read.
    fn finished(&self, cell: &CellRef) -> Result<Option<Made>, RunError>;
}

/// A benchmark as an arm.
pub struct RunArm<B: Benchmark> {
    pub benchmark: B,
    pub dir: RunDir,
    pub pricing: Pricing,
}

#[async_trait]
impl<B: Benchmark> Arm for RunArm<B> {
    async fn attempt(&self, cell: &CellRef, told: &[Value]) -> Result<Made, RunError> {
        let CellRef { item, epoch, .. } = cell;
        let retry = cell.retry();
        self.dir.check_room()?;
        let earlier = self.earlier(cell, told)?;
        let folder = self.dir.begin(item, *epoch, retry)?;
        let Ended { outcome, error, cost, detail } =
            self.benchmark.attempt(Cell { item, attempt: *epoch, earlier: &earlier }, &folder).await?;
        if outcome == Outcome::InfraError {
            // What a full disk spoils is no try at the cell.
            self.dir.check_room()?;
        }
        let record = AttemptRecord {
            format: RUN_FORMAT,
            item: item.clone(),
            attempt: *epoch,
            retry,
            outcome,
            error,
            cost,
            detail,
        };
        folder.complete(&record)?;
        Ok(self.made(&record))
    }

    fn finished(&self, cell: &CellRef) -> Result<Option<Made>, RunError> {
        let record = self.dir.one::<B::Detail>(&cell.item, cell.epoch, cell.retry())?;
        Ok(record.map(|record| self.made(&record)))
    }
}

impl<B: Benchmark> RunArm<B> {
    /// The tries before this one, the first one first: those whose files are here, and the others that the ledger tells of.
    fn earlier(&self, cell: &CellRef, told: &[Value]) -> Result<Vec<AttemptRecord<B::Detail>>, RunError> {
        let mut earlier = self.dir.earlier::<B::Detail>(&cell.item, cell.epoch, cell.retry())?;
        for record in told {
            match serde_json::from_value::<AttemptRecord<B::Detail>>(record.clone()) {
                Ok(record) if earlier.iter().any(|here| here.retry == record.retry) => {}
                Ok(record) => earlier.push(record),
                // An older version may have written it; what it says of that try is no reason not to make this one.
                Err(error) => {
                    tracing::warn!(%error, item = %cell.item, "the ledger's record of an earlier try can't be read");
                }
            }
        }
        earlier.sort_by_key(|record| record.retry);
        Ok(earlier)
    }

    fn made(&self, record: &AttemptRecord<B::Detail>) -> Made {
        let finish = finish(&self.dir, &self.pricing, record);
        Made { finish, outcome: record.outcome, reason: self.benchmark.reason(record) }
    }
}

/// What the ledger is told of an attempt whose record lies in `dir`.
pub(super) fn finish<D: Serialize>(dir: &RunDir, pricing: &Pricing, record: &AttemptRecord<D>) -> Finish {
    let text = serde_json::to_string(record).unwrap_or_default();
    let files = Files {
        uri: dir.path().join(RunDir::place(record)).display().to_string(),
        sha256: sha256_hex(text.as_bytes()),
        bytes: text.len() as u64,
    };
    Finish {
        class: class(record.outcome),
        outcome: record.outcome.name().to_owned(),
        code: (!record.outcome.counts()).then(|| record.outcome.name().to_owned()),
        usage: usage(&record.cost, pricing),
        record: as_value(record),
        files: Some(files),
    }
}

fn as_value(record: &impl Serialize) -> Value {
    serde_json::to_value(record).unwrap_or_default()
}

/// How an outcome counts for its cell.
const fn class(outcome: Outcome) -> Class {
    match outcome {
        Outcome::ProviderError => Class::Provider,
        Outcome::InfraError | Outcome::JudgeError => Class::Infra,
        _ => Class::Counts,
    }
}

/// What an attempt used, as the ledger counts it.
fn usage(cost: &Cost, pricing: &Pricing) -> Usage {
    Usage {
        micro_usd: pricing.of(cost),
        input_tokens: cost.input_tokens,
        cached_tokens: cost.cached_tokens,
        cache_written_tokens: cost.cache_written_tokens,
        output_tokens: cost.output_tokens,
        reasoning_tokens: cost.reasoning_tokens,
        calls: cost.calls.into(),
        waited_ms: 0,
    }
}
