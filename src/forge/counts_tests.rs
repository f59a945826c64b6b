//! Tests of `counts`.

use super::*;

fn entry(difficulty: Difficulty) -> InstanceEntry {
    InstanceEntry {
        id: String::new(),
        project: String::new(),
        group: String::new(),
        pattern: Pattern::MissingInitialization.to_string(),
        operator: "MI.literal".to_owned(),
        difficulty,
        search: Some(difficulty == Difficulty::Trivial),
        adequacy: None,
        buggy: String::new(),
        suite: String::new(),
    }
}

#[test]
fn a_tenth_of_the_instances_may_be_trivial_at_any_time() {
    let mut counts = Counts::default();
    assert!(!counts.admit_trivial(&[]), "the first would be all of them");
    for _ in 0..8 {
        counts.add(&entry(Difficulty::Easy));
    }
    assert_eq!((counts.patterns[&Pattern::MissingInitialization], counts.operators["MI.literal"]), (8, 8));
    assert!(!counts.admit_trivial(&[]), "one of nine");
    assert!(counts.admit_trivial(&[entry(Difficulty::Hard)]), "one of ten, with those of the same project");
    assert!(!counts.admit_trivial(&[entry(Difficulty::Trivial)]), "two of ten");
    counts.add(&entry(Difficulty::Trivial));
    assert_eq!(counts.trivial, 1);
    for _ in 0..9 {
        assert!(!counts.admit_trivial(&[]));
        counts.add(&entry(Difficulty::Medium));
    }
    counts.add(&entry(Difficulty::Medium));
    assert!(counts.admit_trivial(&[]), "two of twenty");
}

#[test]
fn a_pattern_is_full_when_there_are_as_many_of_it_as_there_may_be() {
    let mut counts = Counts::of_pattern_at_most(2);
    counts.add(&entry(Difficulty::Easy));
    assert!(counts.admits(Pattern::MissingInitialization) && counts.full().is_empty());
    counts.add(&entry(Difficulty::Easy));
    assert!(!counts.admits(Pattern::MissingInitialization) && counts.admits(Pattern::NonTerminatingLoop));
    assert_eq!(counts.full(), [Pattern::MissingInitialization.to_string()]);
}
