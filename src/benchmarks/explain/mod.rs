//! The understanding track (ScratchEval, section 6): each item is a forged fault, which is to be explained.
//!
//! Parts: `items` are the instances, `ask` asks a model, program or built-in answerer, `measure` compares with the truth, `figures` are accuracies, and
//! `ratings` has a model or people rate the answers. The vocabulary and what is right, the room `explain` knows. Nothing is played but for a picture.

mod ask;
mod figures;
mod items;
mod measure;
pub mod ratings;

use async_trait::async_trait;

pub use ask::Answers;
pub use figures::{Group, Score, score};
pub use items::{ITEMS, Item};
pub use measure::Explained;

use crate::bugs::{Bench, BugsError, Instance};
use crate::experiment::{Benchmark, Cell, Ended, RunError};
use crate::forge::Plays;
use crate::grade::Count;
use crate::judge::{Judges, PlayError};
use crate::mend::{Manner, Sheet};
use crate::model::{AttemptRecord, ItemId, Outcome};
use crate::store::AttemptDir;
use crate::taskset::EvaluationSources;

/// Instances of a benchmark of faults, with who explains them.
pub struct Explanations {
    bench: Bench,
    items: Vec<Item>,
    answers: Answers,
    manner: Manner,
    /// Who plays what is shown beside questions; nobody where nothing is.
    players: Option<Players>,
}

/// Judges, and the script that plays scenarios.
pub type Players = (Judges, EvaluationSources);

impl Explanations {
    /// The instances of these names, or all without any.
    ///
    /// # Errors
    /// When a name is none of an instance.
    pub fn of(
        bench: Bench,
        ids: &[String],
        (answers, manner): (Answers, Manner),
        players: Option<Players>,
    ) -> Result<Self, BugsError> {
        let items = Item::chosen(&bench, ids)?;
        Ok(Self { bench, items, answers, manner, players })
    }

    /// What is shown beside the question, if anything is.
    async fn sheet(&self, instance: &Instance) -> Result<Option<Sheet>, PlayError> {
        let players = self.players.clone().filter(|_| self.manner.pictures && self.asks());
        let Some((judges, sources)) = players else { return Ok(None) };
        Sheet::of(instance, &Plays::of_suite(judges, sources, &instance.suite)).await.map(Some)
    }

    /// The instances that are asked about, with what tables group them by.
    pub fn chosen(&self) -> &[Item] {
        &self.items
    }
}

#[async_trait]
impl Benchmark for Explanations {
    /// `None` where there was no answer.
    type Detail = Option<Explained>;
    type Figures = Score;

    const NAME: &'static str = "explain";

    fn items(&self) -> Vec<ItemId> {
        self.items.iter().map(|item| item.id.clone()).collect()
    }

    async fn attempt(&self, cell: Cell<'_, Self::Detail>, dir: &AttemptDir) -> Result<Ended<Self::Detail>, RunError> {
        let wrong = |reason: String| RunError::Item { item: cell.item.to_string(), reason };
        let instance = self.bench.instance(cell.item.as_str()).map_err(|error| wrong(error.to_string()))?;
        let truth = crate::explain::Explained::of(&instance).map_err(|error| wrong(error.to_string()))?;
        let sheet = match self.sheet(&instance).await {
            Ok(sheet) => sheet,
            Err(error) => return Ok(measure::spoiled(&error)),
        };
        let said = self.ask((&instance, &truth), &cell, (sheet.as_ref(), dir)).await?;
        Ok(measure::measured(said, &truth))
    }

    fn reason(&self, record: &AttemptRecord<Self::Detail>) -> Option<String> {
        if record.outcome == Outcome::Passed {
            return None;
        }
        let lacks = || {
            let detail = record.detail.as_ref()?;
            let parts =
                [("trigger", detail.bug.trigger), ("mechanism", detail.bug.mechanism), ("outcome", detail.bug.outcome)];
            let wrong: Vec<&str> = parts.into_iter().filter(|(_, is_right)| !is_right).map(|(name, _)| name).collect();
            Some(detail.unreadable.clone().unwrap_or_else(|| format!("wrong: {}", wrong.join(", "))))
        };
        record.error.clone().or_else(lacks)
    }

    fn asks(&self) -> bool {
        matches!(self.answers, Answers::Asked { .. })
    }

    fn figures(&self, records: &[AttemptRecord<Self::Detail>], _: Count) -> Score {
        score(&self.items, records)
    }
}
