//! The repair track (ScratchEval, section 5): each item is a forged fault, which is to be mended by a patch of edits.
//!
//! Parts: `items` are the instances, `ask` asks a model, program or built-in answerer, `measure` has the patch scored, `desk` is for agents of their own, `figures` are rates, distances and drifts over the attempts of `tally`, `filter` says what validators would have saved.
//! What is asked, and what a patch is worth, the room `mend` knows.

mod ask;
mod desk;
mod figures;
mod filter;
mod items;
mod measure;
mod reading;
mod tally;

use async_trait::async_trait;

pub use ask::{Answers, Manner};
pub(in crate::benchmarks) use ask::{keep_question, pictures, question_files};
pub use desk::{BugList, BugOptions, BugView, Desk, DeskError, HandedIn, Patcher};
pub use figures::{Band, FLOOR, Group, Score, score};
pub use filter::{Filtered, filtered};
pub use items::{ITEMS, Item};
pub(in crate::benchmarks) use tally::{Judged, Tally};

use self::reading::{References, referred};
use crate::bugs::{Bench, BugsError, Instance};
use crate::experiment::{Benchmark, Cell, Ended, RunError};
use crate::forge::Plays;
use crate::grade::Count;
use crate::judge::{Judges, PlayError};
use crate::mend::{Pictures, Repair, Sheet};
use crate::model::{AttemptRecord, Cost, ItemId, Outcome};
use crate::store::AttemptDir;
use crate::taskset::EvaluationSources;

/// Instances of a benchmark of faults, with who mends them.
pub struct Repairs {
    bench: Bench,
    items: Vec<Item>,
    answers: Answers,
    manner: Manner,
    judges: Judges,
    /// The script that plays scenarios.
    sources: EvaluationSources,
    references: References,
}

impl Repairs {
    /// The instances of these names, or all without any.
    ///
    /// # Errors
    /// When a name is none of an instance.
    pub fn of(
        bench: Bench,
        ids: &[String],
        (answers, manner): (Answers, Manner),
        (judges, sources): (Judges, EvaluationSources),
    ) -> Result<Self, BugsError> {
        let items = Item::chosen(&bench, ids)?;
        Ok(Self { bench, items, answers, manner, judges, sources, references: References::default() })
    }

    /// The instances that are asked about, with what tables group them by.
    pub fn chosen(&self) -> &[Item] {
        &self.items
    }

    /// What is shown beside the question, if anything is.
    async fn sheet(&self, instance: &Instance, plays: &Plays) -> Result<Option<Sheet>, PlayError> {
        match self.manner.pictures {
            Pictures::Sheet if self.asks() => Sheet::of(instance, plays).await.map(Some),
            Pictures::Costumes if self.asks() => Sheet::of_costumes(instance),
            _ => Ok(None),
        }
    }

    fn instance(&self, item: &ItemId) -> Result<Instance, RunError> {
        let wrong = |error: BugsError| RunError::Item { item: item.to_string(), reason: error.to_string() };
        self.bench.instance(item.as_str()).map_err(wrong)
    }
}

#[async_trait]
impl Benchmark for Repairs {
    /// `None` where there was no answer.
    type Detail = Option<Repair>;
    type Figures = Score;

    const NAME: &'static str = "repair";

    fn items(&self) -> Vec<ItemId> {
        self.items.iter().map(|item| item.id.clone()).collect()
    }

    async fn attempt(&self, cell: Cell<'_, Self::Detail>, dir: &AttemptDir) -> Result<Ended<Self::Detail>, RunError> {
        let instance = self.instance(cell.item)?;
        // Before anybody is asked: an answer that can't be scored would be paid for in vain.
        let plays = Plays::of_suite(self.judges.clone(), self.sources.clone(), &instance.suite);
        let place = self.references.place(&instance.entry.id);
        let reference = match referred(&place, &instance, &plays).await {
            Ok(reference) => reference,
            Err(error) => return Ok(measure::spoiled(&error, Cost::default())),
        };
        let sheet = match self.sheet(&instance, &plays).await {
            Ok(sheet) => sheet,
            Err(error) => return Ok(measure::spoiled(&error, Cost::default())),
        };
        let said = self.ask(&instance, cell.item, cell.attempt, (sheet.as_ref(), dir)).await?;
        measure::measured((&instance, reference), said, &plays, dir).await
    }

    fn reason(&self, record: &AttemptRecord<Self::Detail>) -> Option<String> {
        if record.outcome == Outcome::Passed {
            return None;
        }
        let said = || {
            let repair = record.detail.as_ref()?;
            let first = || repair.failed.first().or(repair.broken.first()).cloned();
            let why = repair.message.clone().or_else(first).unwrap_or_default();
            Some(format!("{}: {why}", repair.stage))
        };
        record.error.clone().or_else(said)
    }

    fn asks(&self) -> bool {
        matches!(self.answers, Answers::Asked { .. })
    }

    fn figures(&self, records: &[AttemptRecord<Self::Detail>], _: Count) -> Score {
        score(&self.items, records)
    }
}
