//! What a run of the forge has accepted so far: on it depend which pattern and operator come next, and whether an instance may be trivial.

use std::collections::BTreeMap;

use super::ranking::Turns;
use crate::bugs::{Difficulty, InstanceEntry};
use crate::inject::Pattern;

/// Accepted faults so far.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) patterns: BTreeMap<Pattern, usize>,
    pub(super) operators: Turns,
    /// Those that a text search repairs.
    pub(super) trivial: usize,
    /// Instances of one pattern at most.
    most: usize,
}

impl Counts {
    /// None so far, where there may be so many of one pattern.
    pub(super) fn of_pattern_at_most(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// Whether there may be one more instance of a pattern.
    pub(super) fn admits(&self, pattern: Pattern) -> bool {
        self.patterns.get(&pattern).is_none_or(|count| *count < self.most)
    }

    /// The patterns of which there are as many instances as there may be.
    pub(super) fn full(&self) -> Vec<String> {
        let all = self.patterns.keys().filter(|pattern| !self.admits(**pattern));
        all.map(ToString::to_string).collect()
    }

    /// Counts an instance.
    pub(super) fn add(&mut self, entry: &InstanceEntry) {
        if let Ok(pattern) = entry.pattern.parse() {
            *self.patterns.entry(pattern).or_default() += 1;
        }
        *self.operators.entry(entry.operator.clone()).or_default() += 1;
        self.trivial += usize::from(entry.difficulty == Difficulty::Trivial);
    }

    /// Whether one more trivial instance, beside those of its own project, would be within the share that they may have. How many
    /// instances there will be is not known before the end, so the share is kept all the time.
    pub(super) fn admit_trivial(&self, own: &[InstanceEntry]) -> bool {
        let trivial = own.iter().filter(|entry| entry.difficulty == Difficulty::Trivial).count();
        let all = self.patterns.values().sum::<usize>() + own.len();
        InstanceEntry::too_easy(self.trivial + trivial + 1, all + 1).is_none()
    }
}

#[cfg(test)]
#[path = "counts_tests.rs"]
mod tests;
