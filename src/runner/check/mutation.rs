//! Judges mutants of a golden project: which are noticed, by which test, and which can't be told from it.

use std::collections::BTreeMap;
use std::path::Path;

use futures::StreamExt as _;
use futures::stream;

use super::certificate::{MutantOutcome, MutantRecord, Mutation};
use super::certify::{CheckOptions, Progress};
use super::error::CheckError;
use super::judging::{JudgeProject, Trial, judged};
use crate::model::{Outcome, Verdict};
use crate::project::Project;
use crate::project::mutate::{Mutant, Sample, behaviours, mutants};
use crate::taskset::{REASONS_FILE, TaskEntry};

/// Seed of the sample. Another one would make another certificate of the same task.
const SAMPLE_SEED: u64 = 1;

/// What is needed to judge the mutants of one task.
pub(super) struct Mutants<'a> {
    pub(super) entry: &'a TaskEntry,
    pub(super) golden: &'a Project,
    pub(super) initial: &'a Project,
    pub(super) judge: &'a dyn JudgeProject,
    pub(super) options: CheckOptions,
    /// What the golden project was found to do under each seed, all passed.
    pub(super) goldens: &'a [&'a Verdict],
}

/// What one mutant came to: the outcome, the first test that failed, and what went wrong.
type Fate = (MutantOutcome, Option<String>, Option<String>);

impl Mutants<'_> {
    /// Judges samples of both sorts: those with a fault in one block, and those that act otherwise in one respect.
    pub(super) async fn judge(
        &self,
        golden: &[u8],
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<(Mutation, Option<Mutation>), CheckError> {
        let explained = explained(&self.entry.folder.join(REASONS_FILE))?;
        let CheckOptions { mutants: faults, behaviours: acts, .. } = self.options;
        let sample = mutants(self.golden, Some(self.initial), faults, SAMPLE_SEED);
        let faulty = self.judge_all(sample, faults, golden, &explained, progress).await;
        if acts == 0 {
            return Ok((faulty, None));
        }
        let sample = behaviours(self.golden, Some(self.initial), acts, SAMPLE_SEED);
        let behaving = self.judge_all(sample, acts, golden, &explained, progress).await;
        Ok((faulty, Some(behaving)))
    }

    async fn judge_all(
        &self,
        sample: Sample,
        limit: usize,
        golden: &[u8],
        explained: &BTreeMap<String, String>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Mutation {
        let Sample { population, operators, mutants } = sample;
        progress(Progress::Planned(mutants.len()));
        let lanes = self.options.lanes.max(1);
        let records: Vec<MutantRecord> = stream::iter(mutants)
            .map(|mutant| async {
                let (outcome, killer, reason) = self.fate(&mutant, golden).await;
                progress(Progress::Judged);
                let told = explained.get(&mutant.id).cloned();
                let (outcome, reason) = with_reason(&mutant, outcome, reason, told);
                let Mutant { id, operator, target, block, .. } = mutant;
                MutantRecord { id, operator: operator.to_owned(), target, block, outcome, killer, reason }
            })
            .buffered(lanes)
            .collect()
            .await;
        let mut mutation = Mutation {
            score: None,
            population,
            operators: operators.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
            sample: 0,
            limit,
            seed: SAMPLE_SEED,
            outcomes: BTreeMap::new(),
            tests: Vec::new(),
            idle_tests: Vec::new(),
            mutants: records,
        };
        let tests = self.goldens.first().map(|verdict| verdict.details.as_slice()).unwrap_or_default();
        mutation.count(&tests.iter().map(|test| test.name.clone()).collect::<Vec<_>>());
        mutation
    }

    async fn fate(&self, mutant: &Mutant, golden: &[u8]) -> Fate {
        let unjudged = |reason| (MutantOutcome::Unjudged, None, Some(reason));
        let sb3 = match mutant.project(self.golden).write() {
            Ok(sb3) => sb3,
            Err(error) => return unjudged(error.to_string()),
        };
        let Some(first) = self.goldens.first() else { return unjudged("the golden project has no verdict".to_owned()) };
        let trial = Trial { stop_at_first_failure: true, ..Trial::seeded(first.seed) };
        let verdict = match judged(self.judge, self.entry, &sb3, trial).await {
            Ok(verdict) => verdict,
            Err(reason) => return unjudged(reason),
        };
        match verdict.outcome {
            Outcome::Passed if mutant.hides_from_traces() => (MutantOutcome::Survived, None, None),
            Outcome::Passed => match self.is_equivalent(&sb3, &verdict, golden).await {
                Ok(true) => (MutantOutcome::Equivalent, None, None),
                Ok(false) => (MutantOutcome::Survived, None, None),
                Err(reason) => unjudged(reason),
            },
            Outcome::JudgeError => (MutantOutcome::JudgeError, None, verdict.error),
            // Of the error outcomes only a program that hangs has no failing test, and then says so.
            _ => {
                let killer = verdict.details.iter().find(|test| !test.passed).map(|test| test.name.clone());
                (MutantOutcome::Killed, killer, verdict.error)
            }
        }
    }

    /// Whether it does what the golden project does under every seed: when the script plays it, and when inputs
    /// drive every hat. Without traces nobody can tell, and it is not taken for equivalent.
    async fn is_equivalent(&self, sb3: &[u8], first: &Verdict, golden: &[u8]) -> Result<bool, String> {
        let same = |one: &Verdict, other: &Verdict| one.trace_hash.is_some() && one.trace_hash == other.trace_hash;
        for wanted in self.goldens {
            let played = if wanted.seed == first.seed {
                first.clone()
            } else {
                judged(self.judge, self.entry, sb3, Trial::seeded(wanted.seed)).await?
            };
            if !same(&played, wanted) {
                return Ok(false);
            }
            let drive = Trial { drive: true, ..Trial::seeded(wanted.seed) };
            let mutant = judged(self.judge, self.entry, sb3, drive).await?;
            if !same(&mutant, &judged(self.judge, self.entry, golden, drive).await?) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What the author's reason makes of an outcome. A mutant with a fault is allowed by no instruction; one that acts otherwise may be.
fn with_reason(
    mutant: &Mutant,
    outcome: MutantOutcome,
    trouble: Option<String>,
    told: Option<String>,
) -> (MutantOutcome, Option<String>) {
    match (outcome, told) {
        (MutantOutcome::Equivalent, told) => (outcome, trouble.or(told)),
        (MutantOutcome::Survived, Some(told)) if mutant.is_behavioural() => (MutantOutcome::Allowed, Some(told)),
        _ => (outcome, trouble),
    }
}

/// The reasons that the task's author gives; none without the file.
fn explained(path: &Path) -> Result<BTreeMap<String, String>, CheckError> {
    let failed = |reason: String| CheckError::Reasons { path: path.to_owned(), reason };
    match std::fs::read(path) {
        Ok(text) => serde_json::from_slice(&text).map_err(|error| failed(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(failed(error.to_string())),
    }
}
