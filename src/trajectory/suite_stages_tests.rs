//! Tests of `suite_stages`.

use super::super::oracle::fresh;
use super::*;
use crate::forge::fakes::{guarded_suite, seen_run as played};

/// Runs whose console is that of the third scenario, which is neither asserted nor guarded.
fn runs(moth: bool, console: &[&str]) -> SuiteRuns {
    let all = [("s1", played(0, true, &[])), ("s2", played(0, moth, &[])), ("s3", played(0, true, console))];
    SuiteRuns::of_runs(all.map(|(id, run)| (id.to_owned(), vec![run])).into())
}

fn concluded(moth: bool, console: &[&str], golden: &[&str]) -> StageRecord {
    let mut stage = fresh();
    conclude(&mut stage, &guarded_suite(&[1, 2]), &runs(moth, console), &runs(true, golden));
    stage
}

#[test]
fn what_keeps_all_assertions_ends_as_its_score_says() {
    let outcome = |moth, console: &[&str], golden: &[&str]| concluded(moth, console, golden).outcome;
    assert_eq!(outcome(true, &["warn: odd"], &[]), PASS);
    assert_eq!(outcome(false, &[], &[]), GUARD);
    assert_eq!(outcome(true, &["error: broken"], &[]), CONSOLE, "in a scenario of which nothing is asked");
    assert_eq!(outcome(true, &["error: broken"], &["error: broken"]), PASS, "gold writes it, too");
    let both = concluded(false, &["error: broken"], &[]);
    assert_eq!((both.outcome.as_str(), both.checked, both.failed), (CONSOLE, 1, 2), "the console is asked first");
    assert!(both.failures[0].ends_with("gold does not have: broken"), "{:?}", both.failures);
}

#[test]
fn a_run_without_chance_stands_for_all_seeds_of_its_length() {
    let (mut made, suite) = (Made::default(), guarded_suite(&[1, 2]));
    let length = suite.asserted()[0].length;
    made.keep("s1", length, 1, &played(0, true, &[]));
    assert!(made.run("s1", length, 2).is_some() && made.run("s1", length + 1, 2).is_none());
    assert_eq!(made.asserted(&suite).all().map(|(id, seed, _)| (id, seed)).collect::<Vec<_>>(), [("s1", 0), ("s1", 1)]);
    let drawn = Arc::new(Played { draws: 1, ..(*played(0, true, &[])).clone() });
    made.keep("s1", length, 1, &drawn);
    assert!(made.run("s1", length, 2).is_none(), "another seed may come out otherwise");
}
