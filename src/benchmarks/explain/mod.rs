//! The understanding track (ScratchEval, section 6): each item is a forged fault, which is to be explained.
//!
//! Parts: `items` are the instances, `ask` asks a model, program or built-in answerer, `measure` compares with the truth, `figures` are accuracies, and
//! `ratings` has a model or people rate the answers. The vocabulary and what is right, the room `explain` knows. Nothing is played but for a picture.

mod ask;
mod figures;
mod items;
mod measure;
pub mod ratings;

use std::collections::BTreeMap;

use async_trait::async_trait;

pub use ask::Answers;
pub use figures::{FLOOR, Group, Score, ScoredRecords, score};
pub use items::{BASELINE, ITEMS, Item};
pub use measure::Explained;

use crate::bugs::{Bench, BugsError, Instance};
use crate::experiment::{Benchmark, Cell, Ended, RunError, free};
use crate::explain::truth_in_words;
use crate::forge::Plays;
use crate::grade::Count;
use crate::judge::{Judges, PlayError};
use crate::mend::{Manner, Pictures, Sheet};
use crate::model::{AttemptRecord, ItemId, Outcome, RUN_FORMAT};
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
        if self.manner.pictures == Pictures::Costumes && self.asks() {
            return Sheet::of_costumes(instance);
        }
        let players = self.players.clone().filter(|_| self.manner.pictures == Pictures::Sheet && self.asks());
        let Some((judges, sources)) = players else { return Ok(None) };
        Sheet::of(instance, &Plays::of_suite(judges, sources, &instance.suite)).await.map(Some)
    }

    /// The instances that are asked about, with what tables group them by.
    pub fn chosen(&self) -> &[Item] {
        &self.items
    }

    /// What the baseline `report` comes to at these instances: the floor of every table about them. Nothing is played or asked for it.
    ///
    /// # Errors
    /// When an instance can't be read.
    pub fn baseline(&self) -> Result<Vec<AttemptRecord<Option<Explained>>>, BugsError> {
        self.items.iter().map(|item| baseline(&self.bench, item)).collect()
    }

    /// What is right of each instance, in words, by its name.
    ///
    /// # Errors
    /// When an instance can't be read.
    pub fn truths(&self) -> Result<BTreeMap<String, String>, BugsError> {
        let told = |item: &Item| -> Result<(String, String), BugsError> {
            let (instance, truth) = known(&self.bench, item)?;
            Ok((item.id.to_string(), truth_in_words(&instance, &truth)))
        };
        self.items.iter().map(told).collect()
    }
}

/// An instance, and what is right of it.
fn known(bench: &Bench, item: &Item) -> Result<(Instance, crate::explain::Explained), BugsError> {
    let instance = bench.instance(item.id.as_str())?;
    let truth = crate::explain::Explained::of(&instance)
        .map_err(|source| BugsError::Project { file: bench.public(item.id.as_str()), source })?;
    Ok((instance, truth))
}

/// The attempt of the baseline at an instance.
fn baseline(bench: &Bench, item: &Item) -> Result<AttemptRecord<Option<Explained>>, BugsError> {
    let (instance, truth) = known(bench, item)?;
    let said = free(ask::report_alone(&instance));
    let Ended { outcome, error, cost, detail } = measure::measured(said, &truth);
    let (format, item) = (RUN_FORMAT, item.id.clone());
    Ok(AttemptRecord { format, item, attempt: 1, retry: 0, outcome, error, cost, detail })
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
