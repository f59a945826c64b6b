//! One verdict of two judgements of a project: under the public seed of its task, and under a secret one. What was asked and
//! found under the secret seed is left out, so that no verdict tells a later attempt what it will be asked.

use crate::model::{CaseResult, Outcome, SeedKind, SeedResult, Verdict};

/// What a verdict says of a test that holds under the public seed only.
const FAILS_IN_SECRET: &str = "it holds under the public seed, and fails under a secret one, whose inputs are not told";
/// The name of the test that stands for all where the two judgements list different ones.
const ALL_IN_SECRET: &str = "all tests under a secret seed";
/// Why there are no results, where the script breaks under the secret seed or refuses the solution. Its own words may name
/// inputs.
const BROKEN_IN_SECRET: &str = "the evaluation script does not work under a secret seed";

/// The verdict of both. A test holds only if it holds under both seeds, and the project passes only if it does under both.
/// `told` is the secret seed where no judgement will use it again.
pub fn under_both_seeds(public: Verdict, secret: &Verdict, told: Option<u64>) -> Verdict {
    let of = |kind, seed, verdict: &Verdict| SeedResult {
        kind,
        seed,
        outcome: verdict.outcome,
        passed_tests: verdict.passed_tests,
        total_tests: verdict.total_tests,
    };
    let seed_results = vec![of(SeedKind::Public, Some(public.seed), &public), of(SeedKind::Secret, told, secret)];
    if !secret.outcome.counts() {
        let error = Some(without_result(secret));
        let outcome = secret.outcome;
        return Verdict {
            outcome,
            error,
            passed_tests: 0,
            total_tests: 0,
            details: Vec::new(),
            seed_results,
            ..public
        };
    }
    let details = merged(&public.details, secret);
    let passed = details.iter().filter(|test| test.passed).count();
    let is_passed = [&public, secret].into_iter().all(|verdict| verdict.outcome == Outcome::Passed);
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Verdict {
        outcome: if is_passed { Outcome::Passed } else { Outcome::Failed },
        passed_tests: count(passed),
        total_tests: count(details.len()),
        details,
        seed_results,
        ..public
    }
}

/// Why a judgement under the secret seed has no result.
fn without_result(secret: &Verdict) -> String {
    match (secret.outcome, &secret.error) {
        (Outcome::InfraError, Some(error)) => error.clone(),
        _ => BROKEN_IN_SECRET.to_owned(),
    }
}

/// The tests, each of which holds if it does under both seeds.
fn merged(public: &[CaseResult], secret: &Verdict) -> Vec<CaseResult> {
    let others = &secret.details;
    let is_alike = public.len() == others.len() && public.iter().zip(others).all(|(one, other)| one.name == other.name);
    if is_alike {
        return public.iter().zip(others).map(|(one, other)| both(one, other.passed, other.timeout)).collect();
    }
    if others.is_empty() {
        // No test could be run, so none holds.
        return public.iter().map(|one| both(one, false, None)).collect();
    }
    let all = CaseResult {
        name: ALL_IN_SECRET.to_owned(),
        passed: true,
        timeout: None,
        duration_ms: None,
        error: None,
        meta: None,
    };
    let all = both(&all, secret.outcome == Outcome::Passed, None);
    public.iter().cloned().chain([all]).collect()
}

/// A test by its result under the public seed, and whether it holds under the secret one.
fn both(public: &CaseResult, holds: bool, timeout: Option<bool>) -> CaseResult {
    if holds || !public.passed {
        return public.clone();
    }
    CaseResult { passed: false, timeout, error: Some(FAILS_IN_SECRET.to_owned()), ..public.clone() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::Hashes;

    const INPUT: &str = "1873";

    fn verdict(seed: u64, outcome: Outcome, tests: &[(&str, bool)]) -> Verdict {
        let passed = tests.iter().filter(|(_, passed)| *passed).count();
        let detail = |(name, passed): &(&str, bool)| {
            let error = (!passed).then(|| format!("what Quill says for {INPUT} should be 5, but is 4"));
            json!({"name": name, "passed": passed, "error": error, "meta": {"asked": INPUT}, "duration_ms": 7.0})
        };
        serde_json::from_value(json!({
            "task": "day_of_year", "outcome": outcome, "passed_tests": passed, "total_tests": tests.len(),
            "details": tests.iter().map(detail).collect::<Vec<_>>(), "seed": seed, "clock": "virtual",
            "console": [format!("log: {INPUT}")], "trace_hash": format!("trace {seed}"), "hashes": Hashes::default(),
        }))
        .unwrap()
    }

    fn of(public: &[(&str, bool)], secret: &[(&str, bool)]) -> Verdict {
        let outcome =
            |tests: &[(&str, bool)]| if tests.iter().all(|test| test.1) { Outcome::Passed } else { Outcome::Failed };
        under_both_seeds(verdict(1, outcome(public), public), &verdict(4_000_000_000, outcome(secret), secret), None)
    }

    fn kinds(verdict: &Verdict) -> Vec<(SeedKind, Outcome, u32)> {
        verdict.seed_results.iter().map(|one| (one.kind, one.outcome, one.passed_tests)).collect()
    }

    #[test]
    fn a_project_passes_only_if_it_does_under_both_seeds() {
        let (all, table) = ([("small", true), ("by chance", true)], [("small", true), ("by chance", false)]);
        let sound = of(&all, &all);
        assert_eq!((sound.outcome, sound.passed_tests, sound.total_tests), (Outcome::Passed, 2, 2));
        assert_eq!((sound.seed, sound.trace_hash.as_deref()), (1, Some("trace 1")), "what is kept is the public one's");

        let cheat = of(&all, &table);
        assert_eq!((cheat.outcome, cheat.passed_tests, cheat.total_tests), (Outcome::Failed, 1, 2));
        assert_eq!(
            kinds(&cheat),
            [(SeedKind::Public, Outcome::Passed, 2), (SeedKind::Secret, Outcome::Failed, 1)],
            "it says which of the seeds it failed under"
        );
        assert!(cheat.details[0].passed && cheat.details[1].error.as_deref() == Some(FAILS_IN_SECRET), "{cheat:#?}");

        let lucky = of(&table, &all);
        assert_eq!((lucky.outcome, lucky.passed_tests), (Outcome::Failed, 1));
        assert!(lucky.details[1].error.as_ref().unwrap().contains(INPUT), "what the public seed asks is no secret");
        assert_eq!(of(&[("a", true), ("b", false)], &[("a", false), ("b", true)]).passed_tests, 0);
    }

    #[test]
    fn nothing_that_was_asked_under_the_secret_seed_is_told() {
        let sees = |secret: &Verdict| {
            let mut public = verdict(1, Outcome::Passed, &[("small", true), ("by chance", true)]);
            public.console.clear();
            public.details.iter_mut().for_each(|test| test.meta = None);
            serde_json::to_string(&under_both_seeds(public, secret, None)).unwrap()
        };
        let named = format!("the year {INPUT}");
        let broken = Verdict {
            error: Some(format!("TypeError at {INPUT}")),
            ..verdict(4_000_000_000, Outcome::JudgeError, &[])
        };
        for secret in [
            verdict(4_000_000_000, Outcome::Failed, &[("small", false), ("by chance", false)]),
            verdict(4_000_000_000, Outcome::Failed, &[("small", true), (named.as_str(), false)]),
            verdict(4_000_000_000, Outcome::Failed, &[]),
            broken,
        ] {
            let seen = sees(&secret);
            for hidden in [INPUT, "4000000000", "trace 4"] {
                assert!(!seen.contains(hidden), "{hidden}: {seen}");
            }
        }
    }

    #[test]
    fn a_seed_that_serves_no_other_judgement_is_told() {
        let all = verdict(1, Outcome::Passed, &[("a", true)]);
        let told =
            |seed| under_both_seeds(all.clone(), &verdict(9, Outcome::Passed, &[("a", true)]), seed).seed_results;
        assert_eq!(told(Some(9)).iter().map(|one| one.seed).collect::<Vec<_>>(), [Some(1), Some(9)]);
        assert_eq!(told(None)[1].seed, None);
    }

    #[test]
    fn tests_that_are_other_ones_under_the_secret_seed_count_as_one() {
        let merged = of(&[("a", true)], &[("b", true), ("c", false)]);
        assert_eq!((merged.outcome, merged.passed_tests, merged.total_tests), (Outcome::Failed, 1, 2));
        assert_eq!((merged.details[1].name.as_str(), merged.details[1].passed), (ALL_IN_SECRET, false));
        assert_eq!(of(&[("a", true)], &[("b", true)]).passed_tests, 2);
        let none = under_both_seeds(
            verdict(1, Outcome::Passed, &[("a", true), ("b", true)]),
            &verdict(2, Outcome::Failed, &[]),
            None,
        );
        assert_eq!((none.passed_tests, none.total_tests), (0, 2), "no test could be run");
    }

    #[test]
    fn trouble_under_the_secret_seed_is_no_result() {
        let public = || verdict(1, Outcome::Passed, &[("a", true)]);
        let secret = |outcome| Verdict { error: Some("the page is gone".to_owned()), ..verdict(2, outcome, &[]) };
        let lost = under_both_seeds(public(), &secret(Outcome::InfraError), None);
        assert_eq!((lost.outcome, lost.error.as_deref()), (Outcome::InfraError, Some("the page is gone")));
        let broken = under_both_seeds(public(), &secret(Outcome::JudgeError), None);
        assert_eq!((broken.outcome, broken.error.as_deref()), (Outcome::JudgeError, Some(BROKEN_IN_SECRET)));
        assert!(broken.details.is_empty() && broken.total_tests == 0);
    }
}
