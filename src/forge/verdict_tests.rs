//! Tests of `verdict`.

use std::collections::BTreeMap;

use super::super::fakes::{guarded_suite, seen_run as played};
use super::*;

/// Runs whose console is that of the third scenario, of which nothing is asserted.
fn runs(score: i64, moth: bool, console: &[&str]) -> SuiteRuns {
    let first = [("s1", played(score, true, &[])), ("s2", played(0, moth, &[])), ("s3", played(0, true, console))];
    SuiteRuns::under_first_seed(&BTreeMap::from(first.map(|(id, run)| (id.to_owned(), run))))
}

#[test]
fn an_error_that_gold_lacks_rejects_what_keeps_all_else() {
    let (suite, golden) = (guarded_suite(&[1]), runs(0, true, &["log: hello"]));
    let noisy = runs(0, true, &["error: TypeError: x is null"]);
    assert_eq!(noisy.outcome(&golden, &suite), SuiteOutcome::ConsoleError("TypeError: x is null"));
    assert_eq!(FixOutcome::from(noisy.outcome(&golden, &suite)), FixOutcome::Rejected);
    assert_eq!(noisy.outcome(&noisy, &suite), SuiteOutcome::Passed, "gold writes it, too");
    assert!(noisy.has_error() && !golden.has_error());
}

#[test]
fn the_console_is_asked_before_assertions_and_these_before_guards() {
    let (suite, golden) = (guarded_suite(&[1]), runs(0, true, &[]));
    let outcome = |score, moth, console: &[&str]| {
        let runs = runs(score, moth, console);
        FixOutcome::from(runs.outcome(&golden, &suite))
    };
    assert_eq!(outcome(0, true, &["warn: odd"]), FixOutcome::Accepted);
    assert_eq!(outcome(0, false, &[]), FixOutcome::BreaksGuard);
    assert_eq!(outcome(1, false, &[]), FixOutcome::Rejected);
    assert_eq!(outcome(0, false, &["error: broken"]), FixOutcome::Rejected, "worse than a guard");
    assert_eq!(runs(1, false, &[]).outcome(&golden, &suite), SuiteOutcome::AssertionFailed);
}
