//! Judges mutants of a golden project: which are killed, by which test, and which are equivalent.

use std::collections::BTreeMap;

use futures::StreamExt as _;
use futures::stream;

use super::certificate::{MutantOutcome, MutantRecord, Mutation};
use super::evidence::Progress;
use super::judging::{Trial, judged};
use super::parts::Parts;
use crate::model::{Outcome, Verdict};
use crate::mutants::{Mutant, Sample};

/// Seed of the sample. Another one would make another certificate of the same task.
pub(super) const SAMPLE_SEED: u64 = 1;

/// The result for one mutant.
struct Judged {
    outcome: MutantOutcome,
    /// The first test that failed.
    killer: Option<String>,
    /// The numbers of all tests that failed, if they were all tried.
    failed: Vec<usize>,
    trouble: Option<String>,
}

impl Judged {
    const fn of(outcome: MutantOutcome, trouble: Option<String>) -> Self {
        Self { outcome, killer: None, failed: Vec::new(), trouble }
    }
}

impl Parts<'_> {
    /// Judges a sample of at most `limit` mutants; each up to its first failing test, or to its last test with `to_end`.
    pub(super) async fn judge_all(
        &self,
        sample: Sample,
        (limit, seed): (usize, u64),
        to_end: bool,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Mutation {
        let Sample { population, operators, mutants } = sample;
        progress(Progress::Planned(mutants.len()));
        let records: Vec<MutantRecord> = stream::iter(mutants)
            .map(|mutant| async move {
                let result = self.result(&mutant, to_end).await;
                progress(Progress::Judged);
                self.record(mutant, result)
            })
            .buffered(self.options.lanes.max(1))
            .collect()
            .await;
        let mut mutation = Mutation {
            score: None,
            population,
            operators: operators.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
            sample: 0,
            limit,
            seed,
            outcomes: BTreeMap::new(),
            tests: Vec::new(),
            mutants: records,
        };
        mutation.count(self.tests);
        mutation
    }

    fn record(&self, mutant: Mutant, result: Judged) -> MutantRecord {
        let given = self.explained.get(&mutant.id).cloned();
        let Judged { outcome, killer, failed, trouble } = result;
        let (outcome, reason) = with_reason(&mutant, outcome, trouble, given);
        let Mutant { id, operator, target, block, .. } = mutant;
        let operator = operator.to_owned();
        MutantRecord { id, operator, target, block, outcome, killer, failed, became: None, line: None, reason }
    }

    async fn result(&self, mutant: &Mutant, to_end: bool) -> Judged {
        let unjudged = |reason| Judged::of(MutantOutcome::Unjudged, Some(reason));
        let sb3 = match mutant.project(self.golden).write() {
            Ok(sb3) => sb3,
            Err(error) => return unjudged(error.to_string()),
        };
        let Some(first) = self.runs.first() else { return unjudged("the golden project has no verdict".to_owned()) };
        let trial = Trial { stop_at_first_failure: !to_end, ..Trial::seeded(first.seed) };
        let verdict = match judged(self.judge, self.entry, &sb3, trial).await {
            Ok(verdict) => verdict,
            Err(reason) => return unjudged(reason),
        };
        match verdict.outcome {
            Outcome::Passed if mutant.hides_from_traces() => Judged::of(MutantOutcome::Survived, None),
            Outcome::Passed => match self.is_equivalent(&sb3, &verdict).await {
                Ok(true) => Judged::of(MutantOutcome::Equivalent, None),
                Ok(false) => Judged::of(MutantOutcome::Survived, None),
                Err(reason) => unjudged(reason),
            },
            Outcome::JudgeError => Judged::of(MutantOutcome::JudgeError, verdict.error),
            // Of the error outcomes only a program that hangs has no failing test, and then says so.
            _ => {
                let failed = self.failing(&verdict);
                let killer = verdict.details.iter().find(|test| !test.passed).map(|test| test.name.clone());
                let failed = if to_end { failed } else { Vec::new() };
                Judged { outcome: MutantOutcome::Killed, killer, failed, trouble: verdict.error }
            }
        }
    }

    /// The numbers of the tests that failed, from 1.
    pub(super) fn failing(&self, verdict: &Verdict) -> Vec<usize> {
        let failed = |name: &str| verdict.details.iter().any(|test| test.name == name && !test.passed);
        (1..).zip(self.tests).filter(|(_, name)| failed(name)).map(|(number, _)| number).collect()
    }

    /// Whether it does what the golden project does under every seed: when the script plays it, and when inputs
    /// drive every hat. Without traces there is no evidence, and it does not count as equivalent.
    async fn is_equivalent(&self, sb3: &[u8], first: &Verdict) -> Result<bool, String> {
        let same = |one: Option<&String>, other: Option<&String>| one.is_some() && one == other;
        for wanted in self.runs {
            let played = if wanted.seed == first.seed {
                first.clone()
            } else {
                judged(self.judge, self.entry, sb3, Trial::seeded(wanted.seed)).await?
            };
            if !same(played.trace_hash.as_ref(), wanted.trace_hash.as_ref()) {
                return Ok(false);
            }
            let drive = Trial { drive: true, ..Trial::seeded(wanted.seed) };
            let mutant = judged(self.judge, self.entry, sb3, drive).await?;
            let golden = judged(self.judge, self.entry, self.golden_file, drive).await?;
            if !same(mutant.trace_hash.as_ref(), golden.trace_hash.as_ref()) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What the author's reason makes of an outcome. A mutant with a fault is allowed by no instruction; one that acts otherwise, or
/// damages the rest, may be.
fn with_reason(
    mutant: &Mutant,
    outcome: MutantOutcome,
    trouble: Option<String>,
    given: Option<String>,
) -> (MutantOutcome, Option<String>) {
    match (outcome, given) {
        (MutantOutcome::Equivalent, given) => (outcome, trouble.or(given)),
        (MutantOutcome::Survived, Some(given)) if mutant.may_be_allowed() => (MutantOutcome::Allowed, Some(given)),
        _ => (outcome, trouble),
    }
}
