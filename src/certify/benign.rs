//! Judges equivalent rewrites of golden projects: each must pass.

use futures::StreamExt as _;
use futures::stream;

use super::certificate::{Benign, BenignRecord};
use super::evidence::{Progress, shortfall};
use super::judging::{Trial, judged};
use super::parts::{BENIGN_SEED, Parts};
use crate::model::Outcome;
use crate::mutants::{Mutant, Sample};

impl Parts<'_> {
    /// Judges a sample of benign mutants under the first seed.
    pub(super) async fn judge_benign(&self, sample: Sample, progress: &(dyn Fn(Progress) + Sync)) -> Benign {
        let Sample { population, operators, mutants } = sample;
        progress(Progress::Planned(mutants.len()));
        let records: Vec<BenignRecord> = stream::iter(mutants)
            .map(|mutant| async move {
                let trouble = self.trouble(&mutant).await;
                progress(Progress::Judged);
                let Mutant { id, block, became, .. } = mutant;
                BenignRecord { id, block, became, passed: trouble.is_none(), trouble }
            })
            .buffered(self.options.lanes.max(1))
            .collect()
            .await;
        Benign {
            population,
            operators: operators.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
            judged: records.len(),
            passed: records.iter().filter(|record| record.passed).count(),
            limit: self.options.benign,
            seed: BENIGN_SEED,
            mutants: records,
        }
    }

    /// Why a mutant did not pass; `None` if it did.
    async fn trouble(&self, mutant: &Mutant) -> Option<String> {
        let sb3 = match mutant.project(self.golden).write() {
            Ok(sb3) => sb3,
            Err(error) => return Some(error.to_string()),
        };
        let seed = self.runs.first().map(|run| run.seed).unwrap_or_default();
        let trial = Trial { stop_at_first_failure: true, ..Trial::seeded(seed) };
        let verdict = judged(self.judge, self.entry, &sb3, trial).await;
        let passed = verdict.as_ref().is_ok_and(|verdict| verdict.outcome == Outcome::Passed);
        (!passed).then(|| shortfall(Some(&verdict)))
    }
}
