//! Solved instances that are shown before a question: always of the other half of the benchmark, so that no project is in both.

use serde::Serialize;

use super::MendError;
use super::examples::{Fold, Options, export};
use super::repair_examples::RepairTask;
use crate::bugs::{Bench, Folds};

/// Solved instances, by the half that they are in.
#[derive(Debug, Clone, Default)]
pub struct Shots {
    a: Vec<Shot>,
    b: Vec<Shot>,
    folds: Option<Folds>,
}

/// A solved instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shot {
    pub instance: String,
    pub question: String,
    pub answer: String,
}

impl Shots {
    /// So many of each half, of about so many tokens each at most.
    ///
    /// # Errors
    /// When the benchmark was not parted as it is now, or an example would leak.
    pub fn of(bench: &Bench, count: usize, tokens: usize) -> Result<Self, MendError> {
        if count == 0 {
            return Ok(Self::default());
        }
        let half = |fold| -> Result<Vec<Shot>, MendError> {
            let examples = export(bench, Options { fold, augment: false, tokens }, &RepairTask)?.examples;
            let shots = examples.into_iter().take(count).map(|example| {
                let [_, question, answer] = example.messages;
                Shot { instance: example.meta.instance, question: question.content, answer: answer.content }
            });
            Ok(shots.collect())
        };
        Ok(Self { a: half(Fold::A)?, b: half(Fold::B)?, folds: bench.folds()? })
    }

    /// What is shown before the question about an instance; nothing for one that is in no half.
    pub fn before(&self, instance: &str) -> &[Shot] {
        let Some(folds) = &self.folds else { return &[] };
        let is_in = |half: &[String]| half.iter().any(|id| id == instance);
        match (is_in(&folds.a), is_in(&folds.b)) {
            (true, false) => &self.b,
            (false, true) => &self.a,
            _ => &[],
        }
    }

    /// The instances that are shown to each half, for the run's options.
    pub fn names(&self) -> [Vec<&str>; 2] {
        [&self.b, &self.a].map(|shots| shots.iter().map(|shot| shot.instance.as_str()).collect())
    }
}
