//! What is to be said of the attempts of a run at tasks: which were made elsewhere, and which the testbed voided.

use std::collections::BTreeMap;

use crate::benchmarks::tasks::regrade::Graded;
use crate::benchmarks::tasks::{VoidedAttempts, voided, voided_text};
use crate::model::shown_name;
use crate::report::ReportError;
use crate::store::{RunDir, TakenFrom};

pub(super) struct Remarks {
    /// How many attempts were made for which other experiments.
    taken: BTreeMap<String, usize>,
    voided: Vec<VoidedAttempts>,
}

impl Remarks {
    pub(super) fn of(run: &RunDir, graded: &[Graded]) -> Result<Self, ReportError> {
        let mut taken = BTreeMap::new();
        for from in graded.iter().filter_map(|graded| TakenFrom::read(&graded.path)) {
            *taken.entry(from.experiment).or_default() += 1;
        }
        Ok(Self { taken, voided: voided(run)? })
    }

    /// The notes about the run of this name.
    pub(super) fn told(&self, name: &str) -> Vec<String> {
        let taken = self.taken.iter().map(|(from, count)| {
            let from = shown_name(from);
            match count {
                1 => format!("{name}: 1 attempt was made for the experiment `{from}`, and counts here, too"),
                _ => format!("{name}: {count} attempts were made for the experiment `{from}`, and count here, too"),
            }
        });
        let voided = (!self.voided.is_empty())
            .then(|| format!("{name}: the testbed voided {}, repeated ones among them", voided_text(&self.voided)));
        taken.chain(voided).collect()
    }
}
