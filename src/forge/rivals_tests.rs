//! Tests of `rivals`.

use super::*;

#[test]
fn a_fault_whose_suite_rejects_too_little_gives_way_and_the_best_is_kept() {
    let mut rivals = Rivals::of(0.9, 2);
    for (pattern, share, what) in [
        (Pattern::Desynchronization, 0.5, "a"),
        (Pattern::Desynchronization, 0.7, "b"),
        (Pattern::Desynchronization, 0.7, "c"),
        (Pattern::MissingInitialization, 0.7, "d"),
    ] {
        assert_eq!(rivals.measured(pattern, share, what), None, "{what}");
    }
    assert_eq!(rivals.measured(Pattern::UntriggeredEvent, 0.9, "e"), Some("e"), "as much as is wanted");
    assert_eq!(rivals.measured(Pattern::NonTerminatingLoop, 0.8, "f"), None);
    let best: Vec<(Pattern, &str)> = rivals.best().into_iter().map(|weak| (weak.pattern, weak.what)).collect();
    let first = [(Pattern::NonTerminatingLoop, "f"), (Pattern::Desynchronization, "b")];
    assert_eq!(best, [first.as_slice(), &[(Pattern::MissingInitialization, "d")]].concat());
}

#[test]
fn only_so_many_give_way_and_those_that_are_good_enough_are_none_of_them() {
    let mut rivals = Rivals::of(0.9, 1);
    for _ in 0..MOST_WEAK {
        assert!(!rivals.is_over());
        assert!(rivals.measured(Pattern::Desynchronization, 1.0, ()).is_some());
        assert!(rivals.measured(Pattern::Desynchronization, 0.1, ()).is_none());
    }
    assert!(rivals.is_over());
    assert!(Rivals::<()>::of(0.9, 1).best().is_empty());
}
