//! The explanations of a run that can be rated: those that could be read. Who wrote them is not told.

use serde::{Deserialize, Serialize};

use super::RatingError;
use crate::agent::TemplateError;
use crate::benchmarks::explain::{Explained, Explanations};
use crate::bugs::{Bench, Instance};
use crate::experiment::Benchmark as _;
use crate::explain::{self, explanation_in_words, rubric_question, truth_in_words};
use crate::mend::Message;
use crate::model::ItemId;
use crate::store::RunDir;

/// Which explanation: an instance, and the number of the attempt at it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    pub item: ItemId,
    pub attempt: u32,
}

/// An explanation to rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    pub key: Key,
    /// The mechanism.
    pub pattern: String,
    /// The explanation as whoever rates reads it.
    pub explanation: String,
}

/// Those of a run.
#[derive(Debug)]
pub struct Subjects {
    /// In the order of the run's items.
    pub all: Vec<Subject>,
    /// Attempts whose answer could not be read, and attempts without an answer.
    pub unreadable: usize,
    pub unanswered: usize,
}

impl Subjects {
    /// What can be rated of a run of this benchmark.
    ///
    /// # Errors
    /// When the run is of something else or can't be read, or has nothing that can be rated.
    pub fn of(bench: &Bench, dir: &RunDir) -> Result<Self, RatingError> {
        check(dir)?;
        let run = || dir.path().to_owned();
        if dir.record().set != bench.version() {
            return Err(RatingError::OtherBenchmark { run: run(), bench: bench.folder().to_owned() });
        }
        let mut subjects = Self { all: Vec::new(), unreadable: 0, unanswered: 0 };
        for tried in dir.last_tries::<Option<Explained>>()? {
            let record = tried.record;
            match record.detail {
                None => subjects.unanswered += 1,
                Some(said) if said.unreadable.is_some() => subjects.unreadable += 1,
                Some(said) => subjects.all.push(Subject {
                    pattern: bench.entry(record.item.as_str())?.pattern.clone(),
                    explanation: explanation_in_words(&said.said),
                    key: Key { item: record.item, attempt: record.attempt },
                }),
            }
        }
        if subjects.all.is_empty() { Err(RatingError::NothingToRate { run: run() }) } else { Ok(subjects) }
    }
}

/// Refuses runs of other benchmarks.
pub(super) fn check(dir: &RunDir) -> Result<(), RatingError> {
    let benchmark = &dir.record().benchmark;
    if benchmark == Explanations::NAME {
        return Ok(());
    }
    Err(RatingError::NotExplained { run: dir.path().to_owned(), benchmark: benchmark.clone() })
}

impl Subject {
    fn known(&self, bench: &Bench) -> Result<(Instance, explain::Explained), RatingError> {
        let instance = bench.instance(self.key.item.as_str())?;
        let truth = explain::Explained::of(&instance).map_err(|error| self.wrong(error.to_string()))?;
        Ok((instance, truth))
    }

    fn wrong(&self, reason: String) -> RatingError {
        RatingError::Truth { item: self.key.item.to_string(), reason }
    }

    /// What is right, in words.
    ///
    /// # Errors
    /// When the instance can't be read.
    pub fn truth(&self, bench: &Bench) -> Result<String, RatingError> {
        let (instance, truth) = self.known(bench)?;
        Ok(truth_in_words(&instance, &truth))
    }

    /// What a judge is asked.
    pub(super) fn question(&self, bench: &Bench) -> Result<[Message; 2], RatingError> {
        let (instance, truth) = self.known(bench)?;
        rubric_question(&instance, &truth, &self.explanation)
            .map_err(|error: TemplateError| self.wrong(error.to_string()))
    }
}
