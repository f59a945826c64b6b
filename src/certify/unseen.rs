//! Programs in which a sprite is never seen, though it does all that it should: a judge that asks what a player sees refuses them. One
//! that passes needs a reason of the task's author.

use std::collections::BTreeMap;

use futures::StreamExt as _;
use futures::stream;
use serde::{Deserialize, Serialize};

use super::evidence::Progress;
use super::judging::{Trial, judged};
use super::parts::Parts;
use crate::model::Outcome;
use crate::mutants::{UnseenMutant, unseen};
use crate::taskset::REASONS_FILE;

/// How the golden project did with each of its sprites never seen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnseenTrial {
    /// Whether the script looks at sprites, or at what they say.
    pub reads: bool,
    /// The sprites without which it failed, as it should.
    pub refused: Vec<String>,
    /// Those without which it passed.
    pub passed: Vec<String>,
    /// Those without which it passed, and may, with the reason that the task's author gives.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub allowed: BTreeMap<String, String>,
    /// Those of which there is no verdict, with what went wrong.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub unjudged: BTreeMap<String, String>,
}

impl UnseenTrial {
    /// Reasons against the task: a program passes in which nobody sees what the task shows.
    pub(super) fn reasons(&self) -> Vec<String> {
        let passes = |sprite: &String| {
            format!("it passes though nobody sees {sprite}, and {REASONS_FILE} gives no reason for unseen:{sprite}")
        };
        let mut reasons: Vec<String> = self.passed.iter().map(passes).collect();
        let any_passed = !self.passed.is_empty() || !self.allowed.is_empty();
        if self.reads && self.refused.is_empty() && any_passed {
            reasons.push("its script looks at sprites, and passes whichever of them is never seen".to_owned());
        }
        let unjudged = |(sprite, why): (&String, &String)| format!("unseen:{sprite} could not be judged: {why}");
        reasons.extend(self.unjudged.iter().map(unjudged));
        reasons
    }

    /// Notes what became of one mutant: whether it passed, or why that is not known.
    fn note(&mut self, sprite: String, passed: Result<bool, String>, reason: Option<&String>) {
        match (passed, reason) {
            (Err(why), _) => drop(self.unjudged.insert(sprite, why)),
            (Ok(false), _) => self.refused.push(sprite),
            (Ok(true), Some(reason)) => drop(self.allowed.insert(sprite, reason.clone())),
            (Ok(true), None) => self.passed.push(sprite),
        }
    }
}

impl Parts<'_> {
    /// Judges the golden project with each of its sprites never seen, under the first seed and up to the first failing test.
    pub(super) async fn try_unseen(&self, progress: &(dyn Fn(Progress) + Sync)) -> UnseenTrial {
        let mutants = unseen(self.golden);
        progress(Progress::Planned(mutants.len()));
        let results: Vec<(UnseenMutant, Result<bool, String>)> = stream::iter(mutants)
            .map(|mutant| async move {
                let passed = self.passes_unseen(&mutant).await;
                progress(Progress::Judged);
                (mutant, passed)
            })
            .buffered(self.options.lanes.max(1))
            .collect()
            .await;
        let reads = self.entry.evaluation().is_ok_and(|sources| sources.reads_sprites());
        let mut trial = UnseenTrial { reads, ..UnseenTrial::default() };
        for (UnseenMutant { id, sprite, .. }, passed) in results {
            trial.note(sprite, passed, self.explained.get(&id));
        }
        trial
    }

    /// Whether a mutant passes; why that is not known.
    async fn passes_unseen(&self, mutant: &UnseenMutant) -> Result<bool, String> {
        let sb3 = mutant.project(self.golden).write().map_err(|error| error.to_string())?;
        let first = self.runs.first().ok_or("the golden project has no verdict")?;
        let trial = Trial { stop_at_first_failure: true, ..Trial::seeded(first.seed) };
        let verdict = judged(self.judge, self.entry, &sb3, trial).await?;
        match verdict.outcome {
            Outcome::Passed => Ok(true),
            Outcome::JudgeError => Err(verdict.error.unwrap_or_else(|| "the script broke".to_owned())),
            _ => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(refused: &[&str], passed: &[&str], allowed: &[&str]) -> UnseenTrial {
        let names = |sprites: &[&str]| sprites.iter().map(|sprite| (*sprite).to_owned()).collect::<Vec<_>>();
        let reasons = allowed.iter().map(|sprite| ((*sprite).to_owned(), "it is decoration".to_owned())).collect();
        let (refused, passed) = (names(refused), names(passed));
        UnseenTrial { reads: true, refused, passed, allowed: reasons, unjudged: BTreeMap::new() }
    }

    #[test]
    fn a_sprite_that_may_be_unseen_needs_a_reason_and_one_at_least_must_be_seen() {
        assert_eq!(trial(&["Owl"], &[], &["Tree"]).reasons(), [""; 0]);
        assert_eq!(trial(&[], &[], &[]).reasons(), [""; 0], "no sprite ever shows");
        let unexplained = "it passes though nobody sees Tree, and equivalent.json gives no reason for unseen:Tree";
        assert_eq!(trial(&["Owl"], &["Tree"], &[]).reasons(), [unexplained]);
        let blind = "its script looks at sprites, and passes whichever of them is never seen";
        assert_eq!(trial(&[], &[], &["Owl", "Tree"]).reasons(), [blind]);
        assert_eq!(trial(&[], &["Tree"], &["Owl"]).reasons(), [unexplained, blind]);
        let numbers = UnseenTrial { reads: false, ..trial(&[], &[], &["Owl"]) };
        assert_eq!(numbers.reasons(), [""; 0], "a script of numbers alone");
    }

    #[test]
    fn a_sprite_without_a_verdict_speaks_against_the_task() {
        let mut trial = trial(&["Owl"], &[], &[]);
        trial.note("Tree".to_owned(), Err("it broke".to_owned()), None);
        assert_eq!(trial.reasons(), ["unseen:Tree could not be judged: it broke"]);
    }
}
