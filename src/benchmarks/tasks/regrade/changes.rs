//! What a later grade changes: the outcome, the tests, and which of them.

use serde::Serialize;

use crate::grade::Graded as Rated;
use crate::model::{CaseResult, Outcome, TaskRecord, Verdict};

/// A grade as it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Grade {
    pub outcome: Outcome,
    /// Whether the attempt solved its task.
    pub succeeded: bool,
    pub passed_tests: u32,
    pub total_tests: u32,
}

impl Grade {
    pub(super) fn of(record: &TaskRecord) -> Self {
        Self {
            outcome: record.outcome,
            succeeded: Rated::from(record).succeeded(),
            passed_tests: record.detail.passed_tests,
            total_tests: record.detail.total_tests,
        }
    }
}

/// A test that has another result, or is in one of the grades only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestChange {
    pub test: String,
    /// Absent where the judge of then did not have it.
    pub before: Option<bool>,
    /// Absent where the judge of now does not have it.
    pub after: Option<bool>,
}

/// Both grades of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    pub before: Grade,
    pub after: Grade,
    pub tests: Vec<TestChange>,
}

impl Change {
    pub(super) fn between(
        (before, then): (&TaskRecord, Option<&Verdict>),
        (after, now): (&TaskRecord, Option<&Verdict>),
    ) -> Self {
        Self { before: Grade::of(before), after: Grade::of(after), tests: tests(then, now) }
    }

    /// Whether any rate changes by it.
    pub fn is_one(&self) -> bool {
        self.before != self.after || !self.tests.is_empty()
    }
}

fn tests(then: Option<&Verdict>, now: Option<&Verdict>) -> Vec<TestChange> {
    let [then, now] = [then, now].map(|verdict| verdict.map(|verdict| verdict.details.as_slice()).unwrap_or_default());
    let result = |cases: &[CaseResult], name: &str| cases.iter().find(|case| case.name == name).map(|case| case.passed);
    let added = now.iter().filter(|case| result(then, &case.name).is_none());
    then.iter()
        .chain(added)
        .map(|case| TestChange {
            test: case.name.clone(),
            before: result(then, &case.name),
            after: result(now, &case.name),
        })
        .filter(|change| change.before != change.after)
        .collect()
}
