//! Tables with their denominators: ours, and those that the reference implementation arrives at for the same
//! attempts, because it counts only what it has a result file of.
//!
//! Its files of a task whose script broke say "failed"; a task or trial whose model could not be asked has none, nor
//! has an answer to a drag that can't be read. Such trials vanish, and later ones take their places.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use strum::IntoEnumIterator as _;

use super::{Graded, Rates, rate_interval};
use crate::model::{AttemptRecord, Category, Outcome, TaskRecord};

/// Runs of a drag that the reference looks at: the first ones that it finds.
pub const FOUND_RUNS: usize = 3;

/// Whose denominators a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Count {
    /// All attempts count that say something of the agent.
    Ours,
    /// Those count that the reference would have a result file of.
    Reference,
}

/// Attempts or trials that a table leaves out, for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOut {
    /// How they ended, or `later_run` for runs beyond those that are looked at.
    pub why: &'static str,
    /// How many.
    pub count: usize,
}

/// Counts reasons; the most frequent first, then by name.
pub fn left_out(reasons: impl IntoIterator<Item = &'static str>) -> Vec<LeftOut> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for why in reasons {
        *counts.entry(why).or_default() += 1;
    }
    let mut all: Vec<LeftOut> = counts.into_iter().map(|(why, count)| LeftOut { why, count }).collect();
    all.sort_by_key(|counted| std::cmp::Reverse(counted.count));
    all
}

impl From<&TaskRecord> for Graded {
    fn from(record: &TaskRecord) -> Self {
        Self {
            category: record.detail.category,
            outcome: record.outcome,
            passed_tests: record.detail.passed_tests,
            total_tests: record.detail.total_tests,
        }
    }
}

/// The tables of a run of tasks.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TaskTables {
    /// Ours.
    pub ours: Vec<TaskRow>,
    /// The reference's, where it was asked for.
    pub reference: Option<Vec<TaskRow>>,
}

impl TaskTables {
    pub fn of(records: &[TaskRecord], reference: bool) -> Self {
        let graded: Vec<(&str, Graded)> =
            records.iter().map(|record| (record.item.as_str(), Graded::from(record))).collect();
        let table = |count| task_table(&graded, count);
        Self { ours: table(Count::Ours), reference: reference.then(|| table(Count::Reference)) }
    }
}

/// A row of the table of a run of tasks.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TaskRow {
    /// Of which tasks; absent for all.
    pub category: Option<Category>,
    /// Attempts counted: N in the paper's equations 3 and 4.
    pub n: usize,
    /// Success rate in percent; absent when no attempt counts.
    pub sr: Option<f64>,
    /// Its 95 % interval in percent: Wilson's with one attempt a task, else that of a bootstrap over tasks.
    pub sr_interval: Option<(f64, f64)>,
    /// Partial success rate in percent; absent when no attempt counts.
    pub psr: Option<f64>,
    /// Its 95 % interval in percent.
    pub psr_interval: Option<(f64, f64)>,
    /// Attempts that are not counted.
    pub left_out: Vec<LeftOut>,
    /// Tasks none of whose attempts counts: rates of two runs are of the same tasks only if neither misses one.
    pub missing: usize,
}

/// SR and PSR over all attempts, each with its task's name, then per category in the paper's order; categories without
/// attempts are left out.
pub fn task_table(attempts: &[(&str, Graded)], count: Count) -> Vec<TaskRow> {
    let categories = Category::iter().filter(|one| attempts.iter().any(|(_, made)| made.category == *one));
    std::iter::once(None)
        .chain(categories.map(Some))
        .map(|category| {
            let chosen = attempts.iter().filter(|(_, made)| category.is_none_or(|one| made.category == one));
            task_row(category, chosen.copied(), count)
        })
        .collect()
}

fn task_row<'a>(
    category: Option<Category>,
    attempts: impl Iterator<Item = (&'a str, Graded)>,
    count: Count,
) -> TaskRow {
    let (mut counted, others): (Vec<_>, Vec<_>) = attempts.partition(|(_, attempt)| match count {
        Count::Ours => attempt.counts(),
        Count::Reference => has_result_file(attempt.outcome),
    });
    if count == Count::Reference {
        counted = counted.into_iter().map(|(task, attempt)| (task, as_the_reference_has_it(attempt))).collect();
    }
    // What was left out above is what does not count; the rates leave nothing out of the rest.
    let rates = Rates::over(counted.iter().map(|(_, attempt)| attempt));
    let is_missing = |task: &str| counted.iter().all(|(other, _)| *other != task);
    let missing: BTreeSet<&str> = others.iter().map(|(task, _)| *task).filter(|task| is_missing(task)).collect();
    TaskRow {
        category,
        n: rates.n,
        sr: rates.sr,
        sr_interval: rate_interval(counted.iter().map(|(task, made)| (*task, f64::from(u8::from(made.succeeded()))))),
        psr: rates.psr,
        psr_interval: rate_interval(counted.iter().map(|(task, made)| (*task, made.partial()))),
        left_out: left_out(others.iter().map(|(_, attempt)| attempt.outcome.name())),
        missing: missing.len(),
    }
}

/// Whether the reference writes `result.json` for an attempt that ended so; `error.json` alone is in no denominator.
pub const fn has_result_file(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Passed | Outcome::Failed | Outcome::Limit | Outcome::JudgeError)
}

/// A script that broke is a failure with nothing passed, there.
const fn as_the_reference_has_it(attempt: Graded) -> Graded {
    match attempt.outcome {
        Outcome::JudgeError => Graded { outcome: Outcome::Failed, passed_tests: 0, ..attempt },
        _ => attempt,
    }
}

/// The trials that the reference finds, by item in the order of attempts, at most `most` an item; and the others.
pub fn found_runs<'a, D>(records: &[&'a AttemptRecord<D>], most: usize) -> (Vec<&'a AttemptRecord<D>>, Vec<LeftOut>) {
    let mut by_item: BTreeMap<&str, Vec<&'a AttemptRecord<D>>> = BTreeMap::new();
    let (found, lost): (Vec<&'a AttemptRecord<D>>, Vec<_>) =
        records.iter().copied().partition(|record| has_result_file(record.outcome));
    for record in found {
        by_item.entry(record.item.as_str()).or_default().push(record);
    }
    let mut reasons: Vec<&'static str> = lost.iter().map(|record| record.outcome.name()).collect();
    let mut first = Vec::new();
    for mut runs in by_item.into_values() {
        runs.sort_by_key(|record| record.attempt);
        reasons.extend(runs.iter().skip(most).map(|_| "later_run"));
        first.extend(runs.into_iter().take(most));
    }
    (first, left_out(reasons))
}

#[cfg(test)]
mod tests {
    use super::super::Proportion;
    use super::super::fakes::record;
    use super::*;

    const fn graded(category: Category, outcome: Outcome, passed_tests: u32) -> Graded {
        Graded { category, outcome, passed_tests, total_tests: 4 }
    }

    /// Each at a task of its own.
    fn attempts() -> Vec<(&'static str, Graded)> {
        let graded = [
            graded(Category::Create, Outcome::Passed, 4),
            graded(Category::Create, Outcome::Failed, 2),
            graded(Category::Debug, Outcome::Limit, 4),
            graded(Category::Debug, Outcome::AgentError, 2),
            graded(Category::Debug, Outcome::JudgeError, 3),
            graded(Category::Debug, Outcome::InfraError, 0),
        ];
        ["a", "b", "c", "d", "e", "f"].into_iter().zip(graded).collect()
    }

    const fn lost(why: &'static str, count: usize) -> LeftOut {
        LeftOut { why, count }
    }

    #[test]
    fn ours_counts_what_the_agent_brought_about() {
        let table = task_table(&attempts(), Count::Ours);
        let rows: Vec<_> = table.iter().map(|row| (row.category, row.n)).collect();
        assert_eq!(rows, [(None, 4), (Some(Category::Create), 2), (Some(Category::Debug), 2)]);
        assert_eq!((table[0].sr, table[0].psr), (Some(50.0), Some(75.0)));
        assert_eq!(table[0].left_out, [lost("infra_error", 1), lost("judge_error", 1)]);
        assert_eq!(table[1].left_out, []);
        assert_eq!(table.iter().map(|row| row.missing).collect::<Vec<_>>(), [2, 0, 2]);
        assert_eq!(table[0].sr_interval, Proportion::of(2, 4).interval);
        assert_eq!(table[0].psr_interval, Proportion::of(3, 4).interval);
    }

    #[test]
    fn a_task_that_was_spoiled_once_and_attempted_again_is_not_missing() {
        let passed = ("a", graded(Category::Create, Outcome::Passed, 4));
        let broken = ("a", graded(Category::Create, Outcome::InfraError, 0));
        let row = task_table(&[passed, passed, broken], Count::Ours).remove(0);
        assert_eq!((row.n, row.missing, row.left_out), (2, 0, vec![lost("infra_error", 1)]));
        assert_eq!(row.sr_interval, Proportion::of(1, 1).interval, "two attempts at one task are one observation");
    }

    #[test]
    fn the_reference_counts_result_files() {
        let table = task_table(&attempts(), Count::Reference);
        // Passed, failed, limit, and the script that broke as a failure with nothing passed.
        assert_eq!((table[0].n, table[0].sr, table[0].psr), (4, Some(50.0), Some(62.5)));
        assert_eq!(table[0].left_out, [lost("agent_error", 1), lost("infra_error", 1)]);
        assert_eq!((table[2].n, table[2].sr), (2, Some(50.0)));
    }

    #[test]
    fn of_error_files_alone_there_is_no_rate() {
        let table = task_table(&[("a", graded(Category::Create, Outcome::AgentError, 4))], Count::Reference);
        assert_eq!((table[0].n, table[0].sr, table[0].psr), (0, None, None));
    }

    #[test]
    fn runs_without_a_file_vanish_and_later_ones_take_their_places() {
        use Outcome::{CallFailed, Failed, InfraError, Passed, Unreadable};
        let all = [
            record("a", 5, Passed),
            record("a", 1, CallFailed),
            record("a", 2, Failed),
            record("a", 3, Failed),
            record("a", 4, Failed),
            record("b", 1, Unreadable),
            record("b", 2, Passed),
            record("c", 1, InfraError),
            record("c", 2, CallFailed),
        ];
        let (found, left_out) = found_runs(&all.iter().collect::<Vec<_>>(), FOUND_RUNS);
        let found: Vec<_> = found.iter().map(|record| (record.item.as_str(), record.attempt)).collect();
        assert_eq!(found, [("a", 2), ("a", 3), ("a", 4), ("b", 2)]);
        let wanted = [lost("call_failed", 2), lost("infra_error", 1), lost("later_run", 1), lost("unreadable", 1)];
        assert_eq!(left_out, wanted);
    }
}
