//! Equations 3 and 4 over a set of attempts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Category, Outcome, Verdict};

/// What a rate needs to know of one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Graded {
    /// Category of the attempted task.
    pub category: Category,
    /// How the attempt ended.
    pub outcome: Outcome,
    /// Unit tests that held: m in equation 4.
    pub passed_tests: u32,
    /// Unit tests in all: M in equation 4; 0 when nothing was judged.
    pub total_tests: u32,
}

impl Graded {
    /// The grade of a verdict as it stands, for a project judged without an agent.
    pub const fn of_verdict(category: Category, verdict: &Verdict) -> Self {
        Self {
            category,
            outcome: verdict.outcome,
            passed_tests: verdict.passed_tests,
            total_tests: verdict.total_tests,
        }
    }

    /// Whether the attempt belongs in a denominator: the testbed and the judge both did their part.
    pub const fn counts(&self) -> bool {
        self.outcome.counts()
    }

    /// u in equation 3. An attempt that reached its limit succeeds if its project passes all the same.
    pub const fn succeeded(&self) -> bool {
        let ended_well = matches!(self.outcome, Outcome::Passed | Outcome::Limit);
        ended_well && self.total_tests > 0 && self.passed_tests >= self.total_tests
    }

    /// m/M in equation 4, between 0 and 1; 0 when nothing was judged.
    pub fn partial(&self) -> f64 {
        if self.total_tests == 0 {
            return 0.0;
        }
        f64::from(self.passed_tests.min(self.total_tests)) / f64::from(self.total_tests)
    }
}

/// Both rates over one set of attempts, with their denominator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rates {
    /// Attempts counted: N in equations 3 and 4.
    pub n: usize,
    /// Attempts left out because the testbed or a judge broke.
    pub not_counted: usize,
    /// Success rate in percent; absent when no attempt counts.
    pub sr: Option<f64>,
    /// Partial success rate in percent; absent when no attempt counts.
    pub psr: Option<f64>,
}

impl Rates {
    /// Equations 3 and 4 over the attempts that count.
    pub fn over<'a>(attempts: impl IntoIterator<Item = &'a Graded>) -> Self {
        let (mut n, mut not_counted, mut successes, mut partial) = (0_u32, 0, 0.0, 0.0);
        for attempt in attempts {
            if !attempt.counts() {
                not_counted += 1;
                continue;
            }
            n += 1;
            successes += f64::from(u8::from(attempt.succeeded()));
            partial += attempt.partial();
        }
        let percent = |sum: f64| (n > 0).then(|| sum / f64::from(n) * 100.0);
        Self { n: n as usize, not_counted, sr: percent(successes), psr: percent(partial) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn graded(outcome: Outcome, passed_tests: u32, total_tests: u32) -> Graded {
        Graded { category: Category::Create, outcome, passed_tests, total_tests }
    }

    #[test]
    fn rates_follow_equations_3_and_4() {
        let attempts = [
            graded(Outcome::Passed, 4, 4),
            graded(Outcome::Failed, 1, 4),
            graded(Outcome::Failed, 0, 5),
            graded(Outcome::Limit, 3, 4),
        ];
        let rates = Rates::over(&attempts);
        assert_eq!(rates, Rates { n: 4, not_counted: 0, sr: Some(25.0), psr: Some(50.0) });
    }

    #[test]
    fn a_limit_with_all_tests_passed_is_a_success() {
        assert!(graded(Outcome::Limit, 4, 4).succeeded());
        assert!(!graded(Outcome::AgentError, 4, 4).succeeded());
    }

    #[test]
    fn spoiled_attempts_leave_the_denominator() {
        let attempts =
            [graded(Outcome::Passed, 3, 3), graded(Outcome::InfraError, 0, 0), graded(Outcome::JudgeError, 0, 0)];
        assert_eq!(Rates::over(&attempts), Rates { n: 1, not_counted: 2, sr: Some(100.0), psr: Some(100.0) });
    }

    #[test]
    fn an_agent_that_gave_up_unjudged_counts_as_zero() {
        assert_eq!(Rates::over(&[graded(Outcome::AgentError, 0, 0)]).sr, Some(0.0));
    }

    #[test]
    fn without_attempts_there_is_no_rate() {
        let rates = Rates::over(&[graded(Outcome::InfraError, 0, 0)]);
        assert_eq!((rates.n, rates.sr, rates.psr), (0, None, None));
    }

    proptest! {
        #[test]
        fn sr_never_exceeds_psr(tests in prop::collection::vec((0_u32..6, 1_u32..6, any::<bool>()), 1..20)) {
            let attempts: Vec<_> = tests
                .iter()
                .map(|&(m, total, limit)| {
                    let passed = m.min(total);
                    let judged = if passed == total { Outcome::Passed } else { Outcome::Failed };
                    graded(if limit { Outcome::Limit } else { judged }, passed, total)
                })
                .collect();
            let rates = Rates::over(&attempts);
            prop_assert!(rates.sr <= rates.psr.map(|psr| psr + 1e-9));
        }
    }
}
