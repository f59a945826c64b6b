//! The closing figures of a run of tasks: rates in all and per category, and how many attempts ended how.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::IntoEnumIterator as _;

use super::{Graded, Rates};
use crate::model::{Category, Outcome};

/// The outcomes of attempts at tasks, in the order of reports.
const TASKS: [Outcome; 7] = [
    Outcome::Passed,
    Outcome::Failed,
    Outcome::Limit,
    Outcome::AgentError,
    Outcome::ProviderError,
    Outcome::InfraError,
    Outcome::JudgeError,
];

/// The outcomes of answered questions and single drags, in the order of reports.
pub const ANSWERS: [Outcome; 5] =
    [Outcome::Passed, Outcome::Failed, Outcome::Unreadable, Outcome::CallFailed, Outcome::InfraError];

/// How many attempts ended with one outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeCount {
    /// The outcome.
    pub outcome: Outcome,
    /// Attempts that ended so.
    pub count: usize,
}

/// The rates of one category.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CategoryRates {
    /// The category.
    pub category: Category,
    /// Its rates.
    pub rates: Rates,
}

/// What a run ends with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Over all attempts.
    pub overall: Rates,
    /// Per category, in the paper's order; categories without attempts are left out.
    pub categories: Vec<CategoryRates>,
    /// Every outcome with its count, zeros included.
    pub outcomes: Vec<OutcomeCount>,
}

impl Summary {
    /// Sums up a run.
    pub fn of(attempts: &[Graded]) -> Self {
        let categories = Category::iter()
            .filter(|&category| attempts.iter().any(|a| a.category == category))
            .map(|category| CategoryRates {
                category,
                rates: Rates::over(attempts.iter().filter(|a| a.category == category)),
            })
            .collect();
        let outcomes = outcomes(&TASKS, attempts.iter().map(|attempt| attempt.outcome));
        Self { overall: Rates::over(attempts), categories, outcomes }
    }
}

/// How often each of the `listed` outcomes came, those that did not come included.
pub fn outcomes(listed: &[Outcome], attempts: impl IntoIterator<Item = Outcome>) -> Vec<OutcomeCount> {
    let all: Vec<Outcome> = attempts.into_iter().collect();
    let count = |outcome| all.iter().filter(|one| **one == outcome).count();
    listed.iter().map(|&outcome| OutcomeCount { outcome, count: count(outcome) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graded(category: Category, outcome: Outcome, passed_tests: u32) -> Graded {
        Graded { category, outcome, passed_tests, total_tests: 4 }
    }

    #[test]
    fn every_attempt_is_in_one_category_and_one_outcome() {
        let attempts = [
            graded(Category::Compute, Outcome::Passed, 4),
            graded(Category::Create, Outcome::Failed, 2),
            graded(Category::Create, Outcome::JudgeError, 0),
            graded(Category::Create, Outcome::ProviderError, 0),
        ];
        let summary = Summary::of(&attempts);
        let names: Vec<_> = summary.categories.iter().map(|c| (c.category, c.rates.n, c.rates.sr)).collect();
        assert_eq!(names, [(Category::Create, 1, Some(0.0)), (Category::Compute, 1, Some(100.0))]);
        assert_eq!(summary.outcomes.iter().map(|o| o.count).sum::<usize>(), attempts.len());
        assert_eq!(summary.overall.psr, Some(75.0));
        let answers = [Outcome::Unreadable, Outcome::Passed, Outcome::Unreadable];
        let counts: Vec<usize> = outcomes(&ANSWERS, answers).iter().map(|counted| counted.count).collect();
        assert_eq!(counts, [1, 0, 2, 0, 0]);
    }
}
