//! Halves of a benchmark for models that are tuned: tuned on one, evaluated on the other, so that each project is evaluated once and
//! unseen (ScratchEval, section 7); and splits that leave out one pattern.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::InstanceEntry;
use crate::model::sha256_hex;

/// Version of the format of folds.
const FORMAT: u32 = 1;

/// How a benchmark is parted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folds {
    pub format: u32,
    /// Version of the benchmark.
    pub benchmark: String,
    /// Ids of the instances of the two halves, sorted. Projects that are alike are in the same one.
    pub a: Vec<String>,
    pub b: Vec<String>,
    /// By pattern: its instances, which are evaluated; all others are there to tune on.
    pub leave_out: BTreeMap<String, Vec<String>>,
}

/// What a half has so far.
#[derive(Debug, Default)]
struct Half {
    ids: Vec<String>,
    patterns: BTreeMap<String, usize>,
    difficulties: BTreeMap<String, usize>,
}

impl Half {
    /// How much of what these instances are it has already: patterns count most, then difficulty, then number.
    fn has(&self, group: &[&InstanceEntry]) -> (usize, usize, usize) {
        let count = |counts: &BTreeMap<String, usize>, key: &str| counts.get(key).copied().unwrap_or_default();
        let patterns = group.iter().map(|entry| count(&self.patterns, &entry.pattern)).sum();
        let difficulties = group.iter().map(|entry| count(&self.difficulties, &entry.difficulty.to_string())).sum();
        (patterns, difficulties, self.ids.len())
    }

    fn take(&mut self, group: &[&InstanceEntry]) {
        for entry in group {
            self.ids.push(entry.id.clone());
            *self.patterns.entry(entry.pattern.clone()).or_default() += 1;
            *self.difficulties.entry(entry.difficulty.to_string()).or_default() += 1;
        }
    }
}

impl Folds {
    /// Parts the instances of a benchmark of this version. The same instances are parted in the same way.
    pub fn of(entries: &[InstanceEntry], benchmark: &str) -> Self {
        let mut groups: BTreeMap<&str, Vec<&InstanceEntry>> = BTreeMap::new();
        for entry in entries {
            groups.entry(&entry.group).or_default().push(entry);
        }
        let mut order: Vec<(String, Vec<&InstanceEntry>)> =
            groups.into_iter().map(|(group, all)| (sha256_hex(group.as_bytes()), all)).collect();
        // Large groups are hard to place, so they come first.
        order.sort_by(|one, other| other.1.len().cmp(&one.1.len()).then_with(|| one.0.cmp(&other.0)));
        let (mut a, mut b) = (Half::default(), Half::default());
        for (hash, group) in &order {
            let (in_a, in_b) = (a.has(group), b.has(group));
            let takes_a = in_a < in_b || (in_a == in_b && hash.as_bytes()[0] % 2 == 0);
            if takes_a { a.take(group) } else { b.take(group) }
        }
        a.ids.sort();
        b.ids.sort();
        let mut leave_out: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for entry in entries {
            leave_out.entry(entry.pattern.clone()).or_default().push(entry.id.clone());
        }
        Self { format: FORMAT, benchmark: benchmark.to_owned(), a: a.ids, b: b.ids, leave_out }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Difficulty;
    use super::*;

    fn entry(number: usize, pattern: &str, group: &str) -> InstanceEntry {
        let difficulty = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard][number % 3];
        let text = |prefix: &str| format!("{prefix}{number}");
        InstanceEntry {
            id: text("i"),
            project: text("p"),
            group: group.to_owned(),
            pattern: pattern.to_owned(),
            operator: "MI.delete".to_owned(),
            difficulty,
            search: None,
            adequacy: None,
            buggy: String::new(),
            suite: String::new(),
        }
    }

    #[test]
    fn each_pattern_is_in_both_halves_as_often_and_groups_stay_together() {
        let patterns = ["x", "y", "z"];
        let mut entries: Vec<InstanceEntry> =
            (0..51).map(|number| entry(number, patterns[number % 3], &format!("g{number}"))).collect();
        entries[3].group = "g0".to_owned();
        let folds = Folds::of(&entries, "v");
        assert_eq!(folds.a.len() + folds.b.len(), 51);
        let half = |id: &str| folds.a.iter().any(|known| known == id);
        assert_eq!(half("i0"), half("i3"), "projects that are alike");
        for pattern in patterns {
            let own = &folds.leave_out[pattern];
            let in_a = own.iter().filter(|id| half(id)).count();
            assert!(in_a.abs_diff(own.len() - in_a) <= 1, "{pattern}: {in_a} of {}", own.len());
        }
        assert_eq!(folds, Folds::of(&entries, "v"));
    }
}
