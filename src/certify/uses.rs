//! The contribution of each test: some mutants that one test killed are judged to the end, to distinguish a test that
//! is never the first to fail from one that never fails.

use std::collections::BTreeMap;

use futures::StreamExt as _;
use futures::stream;

use super::certificate::{Certificate, MutantOutcome, MutantRecord, TestReport, TestUse};
use super::evidence::Progress;
use super::judging::{Trial, judged};
use super::parts::Parts;
use crate::model::sha256_hex;
use crate::mutants::Mutant;

impl Parts<'_> {
    /// Judges a sample of the killed mutants once more, to their last test.
    pub(super) async fn judge_on(
        &self,
        certificate: &mut Certificate,
        known: &BTreeMap<String, Mutant>,
        progress: &(dyn Fn(Progress) + Sync),
    ) {
        let Some(seed) = self.runs.first().map(|run| run.seed) else { return };
        let mut chosen: Vec<&mut MutantRecord> = self.open(certificate).collect();
        chosen.sort_by_cached_key(|record| sha256_hex(record.id.as_bytes()));
        chosen.truncate(self.options.late);
        progress(Progress::Planned(chosen.len()));
        let judged_on = stream::iter(chosen).map(|record| async move {
            if let Some(sb3) = known.get(&record.id).and_then(|mutant| mutant.project(self.golden).write().ok())
                && let Ok(verdict) = judged(self.judge, self.entry, &sb3, Trial::seeded(seed)).await
            {
                record.failed = self.failing(&verdict);
            }
            progress(Progress::Judged);
        });
        judged_on.buffer_unordered(self.options.lanes.max(1)).collect::<Vec<()>>().await;
    }

    /// Killed mutants whose results after the first failing test are unknown.
    fn open<'c>(&self, certificate: &'c mut Certificate) -> impl Iterator<Item = &'c mut MutantRecord> + use<'c> {
        let last = self.tests.last().cloned();
        let Certificate { mutation, behaviour, .. } = certificate;
        let records = mutation.iter_mut().chain(behaviour).flat_map(|part| &mut part.mutants);
        records.filter(move |record| {
            let killer = record.killer.as_ref();
            record.outcome == MutantOutcome::Killed
                && record.failed.is_empty()
                && killer.is_some()
                && killer != last.as_ref()
        })
    }

    /// Counts what each test noticed.
    pub(super) fn uses(&self, certificate: &Certificate) -> TestReport {
        let parts = certificate.mutation.iter().chain(&certificate.behaviour).chain(&certificate.collateral);
        let killed: Vec<&MutantRecord> =
            parts.flat_map(|part| &part.mutants).filter(|record| record.killer.is_some()).collect();
        let count = |holds: &dyn Fn(&MutantRecord) -> bool| killed.iter().filter(|record| holds(record)).count();
        let uses = self.tests.iter().zip(1..).map(|(name, number)| {
            let is_first = |record: &MutantRecord| record.killer.as_ref() == Some(name);
            TestUse {
                name: name.clone(),
                first: count(&is_first),
                kills: count(&|record| is_first(record) || record.failed.contains(&number)),
                tried: count(&|record| is_first(record) || !record.failed.is_empty()),
            }
        });
        TestReport { limit: self.options.late, tests: uses.collect() }
    }
}
