//! What a benchmark must provide to be run: its items, how one attempt is made and measured, and the figures of them all.

use async_trait::async_trait;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::RunError;
use crate::grade::Count;
use crate::model::{AttemptRecord, Cost, ItemId, Outcome};
use crate::store::AttemptDir;

/// Items of one kind with the agent that attempts them.
#[async_trait]
pub trait Benchmark: Send + Sync {
    /// What is measured of an attempt.
    type Detail: Clone + Serialize + DeserializeOwned + Send + Sync;
    /// The figures of a run.
    type Figures: Serialize;

    const NAME: &'static str;

    /// The items, in the order of tables.
    fn items(&self) -> Vec<ItemId>;

    /// Whether there is such an attempt: items may have different numbers of them.
    fn has(&self, _item: &ItemId, _attempt: u32) -> bool {
        true
    }

    /// Makes one try at an attempt. An infrastructure error is an outcome.
    ///
    /// # Errors
    /// When the run can't go on.
    async fn attempt(&self, cell: Cell<'_, Self::Detail>, dir: &AttemptDir) -> Result<Ended<Self::Detail>, RunError>;

    /// Why an attempt did not pass, in a few words, for progress output.
    fn reason(&self, record: &AttemptRecord<Self::Detail>) -> Option<String> {
        record.error.clone()
    }

    /// Whether a model or program is asked that may be gone: then a run ends after some failed calls in a row.
    fn asks(&self) -> bool {
        true
    }

    /// The figures of these attempts, the last try of each, with whose denominators.
    fn figures(&self, records: &[AttemptRecord<Self::Detail>], count: Count) -> Self::Figures;
}

/// Which attempt at which item.
#[derive(Debug)]
pub struct Cell<'a, D> {
    pub item: &'a ItemId,
    /// From 1.
    pub attempt: u32,
    /// Tries at it that did not count, the first one first.
    pub earlier: &'a [AttemptRecord<D>],
}

#[derive(Debug, Clone, PartialEq)]
pub struct Ended<D> {
    pub outcome: Outcome,
    /// What went wrong, in words.
    pub error: Option<String>,
    pub cost: Cost,
    pub detail: D,
}
