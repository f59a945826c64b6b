//! Which explanations people rate: few, of all mechanisms alike, the same ones for everyone (ScratchEval, section 6.6, Calibration).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Subject;
use crate::model::{ItemId, sha256_hex};

/// So many instances, their numbers by mechanism at most one apart as far as there are enough, in an order that says nothing.
/// Of several attempts at an instance the first one is taken. Seed and instances decide, and nothing else.
pub fn sample(subjects: &[Subject], count: usize, seed: u64) -> Vec<Subject> {
    let by_chance = |name: &str| sha256_hex(format!("{seed}\n{name}").as_bytes());
    let mut seen: BTreeSet<&ItemId> = BTreeSet::new();
    let mut first: Vec<&Subject> = subjects.iter().collect();
    first.sort_by_key(|subject| subject.key.attempt);
    first.retain(|subject| seen.insert(&subject.key.item));
    first.sort_by_cached_key(|subject| by_chance(subject.key.item.as_str()));
    let mut strata: BTreeMap<String, VecDeque<&Subject>> = BTreeMap::new();
    for &subject in &first {
        strata.entry(by_chance(&subject.pattern)).or_default().push_back(subject);
    }
    let mut taken: BTreeSet<&ItemId> = BTreeSet::new();
    while taken.len() < count && strata.values().any(|stratum| !stratum.is_empty()) {
        let free = count - taken.len();
        let round = strata.values_mut().filter_map(VecDeque::pop_front).take(free);
        taken.extend(round.map(|subject| &subject.key.item));
    }
    first.into_iter().filter(|subject| taken.contains(&subject.key.item)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::super::fakes::subject;
    use super::*;

    fn many() -> Vec<Subject> {
        let one = |number: usize| {
            let pattern = match number {
                0..10 => "desynchronization",
                10..40 => "missing_initialization",
                40..42 => "message_race",
                _ => "wrong_threshold",
            };
            subject(&format!("i{number}"), 1, pattern)
        };
        (0..60).map(one).collect()
    }

    fn counts(sample: &[Subject]) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for subject in sample {
            *counts.entry(subject.pattern.as_str()).or_default() += 1;
        }
        counts
    }

    #[test]
    fn mechanisms_have_equal_parts_as_far_as_there_are_enough() {
        let all = many();
        let twenty = sample(&all, 20, 1);
        assert_eq!(
            counts(&twenty),
            [("desynchronization", 6), ("message_race", 2), ("missing_initialization", 6), ("wrong_threshold", 6)]
                .into()
        );
        let six = sample(&all, 6, 1);
        assert!(counts(&six).len() == 4 && counts(&six).values().all(|count| (1..=2).contains(count)), "{six:?}");
        assert_eq!(sample(&all, 100, 1).len(), 60);
        assert_eq!(sample(&[], 5, 1), []);
    }

    #[test]
    fn the_seed_decides_and_the_order_of_records_does_not() {
        let all = many();
        let mut turned = all.clone();
        turned.reverse();
        assert_eq!(sample(&all, 20, 7), sample(&turned, 20, 7));
        assert_ne!(sample(&all, 20, 7), sample(&all, 20, 8));
        let patterns: Vec<String> = sample(&all, 20, 7).into_iter().map(|subject| subject.pattern).collect();
        let mut sorted = patterns.clone();
        sorted.sort();
        assert_ne!(patterns, sorted, "mechanisms do not come in blocks");
    }

    #[test]
    fn an_instance_is_rated_once() {
        let all = [subject("a", 2, "message_race"), subject("a", 1, "message_race"), subject("b", 3, "message_race")];
        let mut keys: Vec<(String, u32)> =
            sample(&all, 5, 1).into_iter().map(|subject| (subject.key.item.to_string(), subject.key.attempt)).collect();
        keys.sort();
        assert_eq!(keys, [("a".to_owned(), 1), ("b".to_owned(), 3)]);
    }
}
