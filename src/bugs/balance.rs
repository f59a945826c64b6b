//! Whether the patterns of a benchmark are balanced: the paper has each of them in about 10 to 17 of 100 instances (ScratchEval,
//! section 3.1). Whether its difficulties agree with what a text search repairs.

use serde::{Deserialize, Serialize};

use super::{Difficulty, InstanceEntry};
use crate::model::pluralise;

/// Of a hundred instances, those of one pattern at least and at most.
const OF_HUNDRED: (usize, usize) = (10, 17);

/// Instances of one pattern at most, of so many instances of so many patterns: the share that the paper has, or what it takes to have them
/// all where there are few patterns. The forge passes the patterns that its pool can have, a check all of them: a benchmark of few patterns
/// is told to be unbalanced.
pub fn most_of_pattern(instances: usize, patterns: usize) -> usize {
    (instances * OF_HUNDRED.1).div_ceil(100).max(instances.div_ceil(patterns.max(1)))
}

/// A pattern that has too few instances or too many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unbalanced {
    pub pattern: String,
    pub instances: usize,
    /// How many there would be in a balanced benchmark of this size.
    pub least: usize,
    pub most: usize,
}

/// The patterns of these that instances are not balanced in. Of few instances there may be none of a pattern.
pub fn unbalanced(entries: &[InstanceEntry], patterns: &[String]) -> Vec<Unbalanced> {
    let all = entries.len();
    let (least, most) = (all * OF_HUNDRED.0 / 100, most_of_pattern(all, patterns.len()));
    let one = |pattern: &String| {
        let instances = entries.iter().filter(|entry| entry.pattern == *pattern).count();
        Unbalanced { pattern: pattern.clone(), instances, least, most }
    };
    let all = patterns.iter().map(one);
    all.filter(|one| one.instances < one.least || one.instances > one.most).collect()
}

impl InstanceEntry {
    /// What is said of an instance that is trivial and not repaired by a text search, or repaired by it and not trivial.
    pub fn misjudged(&self, is_repaired: bool) -> Option<String> {
        let Self { id, difficulty, .. } = self;
        match (is_repaired, *difficulty == Difficulty::Trivial) {
            (true, false) => Some(format!("{id}: a text search repairs it, and its difficulty is {difficulty}")),
            (false, true) => Some(format!("{id}: its difficulty is {difficulty}, and no text search repairs it")),
            _ => None,
        }
    }
}

impl std::fmt::Display for Unbalanced {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { pattern, instances, least, most } = self;
        let instances = pluralise(*instances, "instance");
        write!(formatter, "unbalanced: {instances} of {pattern}, where {least} to {most} are wanted")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many instances of each pattern.
    fn entries(counts: &[(&str, usize)]) -> Vec<InstanceEntry> {
        let entry = |pattern: &str| InstanceEntry {
            id: String::new(),
            project: String::new(),
            group: String::new(),
            pattern: pattern.to_owned(),
            operator: String::new(),
            difficulty: Difficulty::Easy,
            search: None,
            adequacy: None,
            buggy: String::new(),
            suite: String::new(),
        };
        counts.iter().flat_map(|(pattern, count)| vec![entry(pattern); *count]).collect()
    }

    #[test]
    fn what_a_text_search_repairs_is_trivial_and_nothing_else_is() {
        let of = |difficulty| InstanceEntry { id: "moth".to_owned(), difficulty, ..entries(&[("a", 1)]).remove(0) };
        assert_eq!(of(Difficulty::Trivial).misjudged(true), None);
        assert_eq!(of(Difficulty::Hard).misjudged(false), None);
        let easy = of(Difficulty::Easy).misjudged(true);
        assert_eq!(easy.as_deref(), Some("moth: a text search repairs it, and its difficulty is easy"));
        let trivial = of(Difficulty::Trivial).misjudged(false);
        assert_eq!(trivial.as_deref(), Some("moth: its difficulty is trivial, and no text search repairs it"));
        assert_eq!((InstanceEntry::too_easy(1, 10), InstanceEntry::too_easy(1, 9).is_some()), (None, true));
    }

    #[test]
    fn a_benchmark_of_any_size_that_keeps_to_the_most_of_a_pattern_is_balanced_in_it() {
        let caps = [1, 9, 50, 100, 150, 200].map(|instances| most_of_pattern(instances, 8));
        assert_eq!(caps, [1, 2, 9, 17, 26, 34]);
        let patterns: Vec<String> = ["a", "b", "c", "d", "e", "f", "g", "h"].map(str::to_owned).into();
        let even = [("a", 9), ("b", 9), ("c", 7), ("d", 5), ("e", 5), ("f", 5), ("g", 5), ("h", 5)];
        assert_eq!(unbalanced(&entries(&even), &patterns), []);
        assert_eq!((most_of_pattern(50, 4), most_of_pattern(50, 0)), (13, 50), "few patterns fill it all the same");
    }

    #[test]
    fn ten_to_seventeen_of_a_hundred_are_wanted_and_as_many_of_other_numbers() {
        let patterns: Vec<String> = ["a", "b", "c", "d", "e", "f", "g", "h"].map(str::to_owned).into();
        let found = |counts: &[(&str, usize)]| -> Vec<(String, usize)> {
            let found = unbalanced(&entries(counts), &patterns);
            found.into_iter().map(|one| (one.pattern, one.instances)).collect()
        };
        let even = [("a", 10), ("b", 17), ("c", 13), ("d", 12), ("e", 12), ("f", 12), ("g", 12), ("h", 12)];
        assert_eq!(found(&even), []);
        let uneven = [("a", 9), ("b", 18), ("c", 13), ("d", 12), ("e", 12), ("f", 12), ("g", 12), ("h", 12)];
        assert_eq!(found(&uneven), [("a".to_owned(), 9), ("b".to_owned(), 18)]);
        // Nine games have eight patterns: one of them twice.
        let few = [("a", 2), ("b", 1), ("c", 1), ("d", 1), ("e", 1), ("f", 1), ("g", 2)];
        assert_eq!(found(&few), []);
        assert_eq!(found(&[("a", 3), ("b", 6)]), [("a".to_owned(), 3), ("b".to_owned(), 6)]);
        let told = unbalanced(&entries(&uneven), &patterns)[0].to_string();
        assert_eq!(told, "unbalanced: 9 instances of a, where 10 to 17 are wanted");
    }
}
