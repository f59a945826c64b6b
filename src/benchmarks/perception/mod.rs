//! Questions about pictures of the editor: what is connected, what is visible, what fields show.
//!
//! Parts: an [`Item`] is one question with its kind; a [`PerceptionSet`] in `items` is a folder of them; `ask` asks them,
//! `measure` decides right or wrong, `figures` are accuracies; `import` reads the published layout, and `make` makes items
//! of our own.

mod ask;
mod error;
mod figures;
mod import;
mod item;
mod items;
mod make;
mod measure;

use async_trait::async_trait;

pub use crate::experiment::Reply;
pub use ask::{Answers, prompts};
pub use error::PerceptionError;
pub use figures::{Group, ITEMS, Score, YesNo, score};
pub use import::{Imported, import};
pub use item::{AnswerForm, Item, Tag, TaskType};
pub use items::{Origin, PerceptionSet, SET_FORMAT, SetHead, lines};
pub use make::{BuildOptions, Built, build};
pub use measure::{Answered, given, is_right};

use crate::experiment::{Benchmark, Cell, Ended, RunError};
use crate::grade::Count;
use crate::model::{AttemptRecord, ItemId, Outcome};
use crate::store::AttemptDir;

/// The questions of a set with the agent that answers them.
pub struct Questions {
    pub set: PerceptionSet,
    pub answers: Answers,
}

#[async_trait]
impl Benchmark for Questions {
    /// `None` where there was no answer.
    type Detail = Option<Answered>;
    type Figures = Score;

    const NAME: &'static str = "perception";

    fn items(&self) -> Vec<ItemId> {
        self.set.items.iter().map(|item| item.id.clone()).collect()
    }

    async fn attempt(&self, cell: Cell<'_, Self::Detail>, dir: &AttemptDir) -> Result<Ended<Self::Detail>, RunError> {
        let wrong = |error: PerceptionError| RunError::Item { item: cell.item.to_string(), reason: error.to_string() };
        let item = self.set.find(cell.item.as_str()).map_err(wrong)?;
        Ok(measure::measured(item, self.ask(item, cell.attempt, dir).await?))
    }

    fn reason(&self, record: &AttemptRecord<Self::Detail>) -> Option<String> {
        if record.outcome == Outcome::Passed {
            return None;
        }
        let said = || Some(format!("said {}", record.detail.as_ref()?.response.trim()));
        record.error.clone().or_else(said)
    }

    fn asks(&self) -> bool {
        matches!(self.answers, Answers::Asked { .. })
    }

    fn figures(&self, records: &[AttemptRecord<Self::Detail>], count: Count) -> Score {
        figures::score(&self.set.items, records, count)
    }
}

#[cfg(test)]
mod tests;
