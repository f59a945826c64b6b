//! The parts of a certificate that take mutants: faults, behavioural and collateral mutants, benign ones, the table of a script that draws, sprites that
//! are never seen, and what each test is good for. A part that an earlier certificate has, made as thoroughly as is wanted, is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::certificate::{Certificate, GoldenRun, MutantOutcome, Mutation};
use super::error::CheckError;
use super::evidence::{CheckOptions, Progress};
use super::judging::JudgeProject;
use super::mutation::SAMPLE_SEED;
use super::table::needs_table;
use crate::model::Category;
use crate::mutants::{Mutant, Sample, behaviours, benign, collateral, line_in, mutants, unseen};
use crate::project::Project;
use crate::taskset::{REASONS_FILE, TaskEntry, is_sb3};

/// Seeds of the samples that are not of faults.
const COLLATERAL_SEED: u64 = 2;
pub(super) const BENIGN_SEED: u64 = 3;

/// What is needed to judge the mutants of one task.
pub(super) struct Parts<'a> {
    pub(super) entry: &'a TaskEntry,
    pub(super) golden: &'a Project,
    pub(super) initial: &'a Project,
    /// The golden project's file.
    pub(super) golden_file: &'a [u8],
    pub(super) judge: &'a dyn JudgeProject,
    pub(super) options: CheckOptions,
    /// What the golden project was found to do under each seed, all passed.
    pub(super) runs: &'a [GoldenRun],
    /// The names of the script's tests.
    pub(super) tests: &'a [String],
    /// Reasons that the task's author gives, by the names of mutants.
    pub(super) explained: BTreeMap<String, String>,
}

impl Parts<'_> {
    /// Gives a certificate all the parts that it lacks.
    pub(super) async fn complete(&self, certificate: &mut Certificate, progress: &(dyn Fn(Progress) + Sync)) {
        let CheckOptions { mutants: faults, behaviours: acts, collateral: rest, .. } = self.options;
        let (faulty, acting, damaging) = (self.faults(faults), self.acts(acts), self.damage(rest));
        let known = by_name([&faulty, &acting, &damaging]);
        if lacks(certificate.mutation.as_ref(), faults) {
            certificate.mutation = Some(self.judge_all(faulty, (faults, SAMPLE_SEED), false, progress).await);
        }
        if acts > 0 && lacks(certificate.behaviour.as_ref(), acts) {
            certificate.behaviour = Some(self.judge_all(acting, (acts, SAMPLE_SEED), false, progress).await);
        }
        if rest > 0 && lacks(certificate.collateral.as_ref(), rest) {
            certificate.collateral = Some(self.judge_all(damaging, (rest, COLLATERAL_SEED), true, progress).await);
            certificate.tests = None;
        }
        let most = self.options.benign;
        if most > 0 && certificate.benign.as_ref().is_none_or(|found| found.limit < most) {
            let sample = benign(self.golden, self.initial, &self.entry.task.instruction, most, BENIGN_SEED);
            certificate.benign = Some(self.judge_benign(sample, progress).await);
        }
        if !needs_table(self.entry) {
            certificate.table = None;
        } else if certificate.table.is_none() {
            certificate.table = Some(self.try_table(progress).await);
        }
        if certificate.unseen.is_none() {
            certificate.unseen = Some(self.try_unseen(progress).await);
        }
        let most = self.options.late;
        if most > 0 && certificate.tests.as_ref().is_none_or(|found| found.limit < most) {
            self.judge_on(certificate, &known, progress).await;
            certificate.tests = Some(self.uses(certificate));
        }
        self.describe_survivors(certificate, &known);
    }

    /// Reasons of the author's for names that no mutant has, such as those of an earlier golden project.
    pub(super) fn unknown_reasons(&self) -> Option<String> {
        if self.explained.is_empty() {
            return None;
        }
        let all = [self.faults(usize::MAX), self.acts(usize::MAX), self.damage(usize::MAX)];
        let hidden = unseen(self.golden);
        let known: BTreeSet<&str> = all
            .iter()
            .flat_map(|sample| &sample.mutants)
            .map(|mutant| mutant.id.as_str())
            .chain(hidden.iter().map(|mutant| mutant.id.as_str()))
            .collect();
        let unknown: Vec<&str> = self.explained.keys().map(String::as_str).filter(|id| !known.contains(id)).collect();
        (!unknown.is_empty()).then(|| format!("{REASONS_FILE} names no mutant: {}", unknown.join(", ")))
    }

    fn faults(&self, limit: usize) -> Sample {
        mutants(self.golden, Some(self.initial), limit, SAMPLE_SEED)
    }

    fn acts(&self, limit: usize) -> Sample {
        behaviours(self.golden, Some(self.initial), limit, SAMPLE_SEED)
    }

    /// Only debug and extend tasks have code that must be left as it is; others begin with a question or nothing.
    fn damage(&self, limit: usize) -> Sample {
        if !matches!(self.entry.task.category, Category::Debug | Category::Extend) {
            return Sample { population: 0, operators: BTreeMap::new(), mutants: Vec::new() };
        }
        collateral(self.golden, self.initial, limit, COLLATERAL_SEED)
    }

    /// Says of the survivors what the block became and on which line of the golden project's text it stands.
    fn describe_survivors(&self, certificate: &mut Certificate, known: &BTreeMap<String, Mutant>) {
        let path = self.entry.golden();
        let text = if is_sb3(&path) { None } else { std::fs::read_to_string(path).ok() };
        let Certificate { mutation, behaviour, collateral, .. } = certificate;
        let parts = mutation.iter_mut().chain(behaviour).chain(collateral);
        for record in parts.flat_map(|part| &mut part.mutants) {
            let survived = record.outcome == MutantOutcome::Survived;
            if let Some(mutant) = known.get(&record.id).filter(|_| survived) {
                record.became = Some(mutant.became.clone());
                record.line = text.as_ref().and_then(|text| line_in(text, self.golden, mutant));
            }
        }
    }
}

/// Whether a certificate has no such part, or one of fewer mutants than are wanted.
fn lacks(part: Option<&Mutation>, wanted: usize) -> bool {
    part.is_none_or(|part| part.limit < wanted)
}

fn by_name(samples: [&Sample; 3]) -> BTreeMap<String, Mutant> {
    samples.into_iter().flat_map(|sample| &sample.mutants).map(|mutant| (mutant.id.clone(), mutant.clone())).collect()
}

/// The reasons that the task's author gives; none without the file.
pub(super) fn explained(folder: &Path) -> Result<BTreeMap<String, String>, CheckError> {
    let path = folder.join(REASONS_FILE);
    let failed = |reason: String| CheckError::Reasons { path: path.clone(), reason };
    match std::fs::read(&path) {
        Ok(text) => serde_json::from_slice(&text).map_err(|error| failed(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(failed(error.to_string())),
    }
}
