//! The smallest benchmark: a script decides how each item ends. It tests the machinery for runs without a browser.

mod ask;
mod experiments;
mod figures;
mod fleet;
mod items;
mod kept;
mod measure;
mod tests;

use async_trait::async_trait;

use self::items::Coins;
use crate::experiment::{Benchmark, Cell, Ended, RunError};
use crate::grade::Count;
use crate::model::{AttemptRecord, ItemId};
use crate::store::AttemptDir;

#[async_trait]
impl Benchmark for Coins {
    type Detail = u32;
    type Figures = usize;

    const NAME: &'static str = "coin";

    fn items(&self) -> Vec<ItemId> {
        items::names()
    }

    async fn attempt(&self, cell: Cell<'_, u32>, dir: &AttemptDir) -> Result<Ended<u32>, RunError> {
        let answer = self.ask(cell.item, cell.attempt);
        dir.keep("answer.txt", answer.as_bytes())?;
        measure::measured(answer, &cell)
    }

    fn figures(&self, records: &[AttemptRecord<u32>], count: Count) -> usize {
        figures::passed(records, count)
    }
}
