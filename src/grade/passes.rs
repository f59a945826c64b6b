//! Pass@k in both ways of counting, and shares, each with how far chance may have moved it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Proportion, wilson};
use crate::model::{AttemptRecord, Outcome};

/// A share in percent, with the bounds of its 95 % confidence interval (Wilson).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    pub percent: f64,
    pub low: f64,
    pub high: f64,
}

/// A share of trials, each with its item, of which an interval takes tries at one item for what they are; `None` of no
/// trials.
pub fn share_of<'a>(trials: impl IntoIterator<Item = (&'a str, bool)>) -> Option<Interval> {
    let Proportion { percent, interval, .. } = Proportion::clustered(trials);
    let (percent, (low, high)) = percent.zip(interval)?;
    Some(Interval { percent, low, high })
}

fn around(share: f64, n: f64) -> Interval {
    let (low, high) = wilson(share, n);
    Interval { percent: share * 100.0, low, high }
}

/// Whether each attempt of an item passed, in the order of attempts; those that do not count are left out.
fn by_item<'a, D: 'a>(records: impl IntoIterator<Item = &'a AttemptRecord<D>>) -> BTreeMap<&'a str, Vec<bool>> {
    let mut attempts: BTreeMap<&str, Vec<(u32, bool)>> = BTreeMap::new();
    for record in records.into_iter().filter(|record| record.outcome.counts()) {
        let passed = record.outcome == Outcome::Passed;
        attempts.entry(record.item.as_str()).or_default().push((record.attempt, passed));
    }
    let sorted = |mut all: Vec<(u32, bool)>| {
        all.sort_unstable();
        all.into_iter().map(|(_, passed)| passed).collect()
    };
    attempts.into_iter().map(|(item, all)| (item, sorted(all))).collect()
}

/// Items none of whose trials counts: figures of two runs are of the same items only if neither misses one.
pub fn missing<'a, D: 'a>(records: impl IntoIterator<Item = &'a AttemptRecord<D>>) -> usize {
    let mut items: BTreeMap<&str, bool> = BTreeMap::new();
    for record in records {
        *items.entry(record.item.as_str()).or_default() |= record.outcome.counts();
    }
    items.values().filter(|counts| !**counts).count()
}

/// Pass@k as the reference computes it: the share of items that passed in one of their first `k` attempts, of those
/// that have an attempt.
pub fn pass_at<'a, D: 'a>(k: usize, records: impl IntoIterator<Item = &'a AttemptRecord<D>>) -> Option<Interval> {
    let items = by_item(records);
    share_of(items.iter().map(|(item, attempts)| (*item, attempts.iter().take(k).any(|passed| *passed))))
}

/// Pass@k without the bias of the order: the mean over items of 1 - C(n-c, k) / C(n, k) for c of n attempts passed
/// (M. Chen et al., "Evaluating Large Language Models Trained on Code", 2021, equation 1). Items with fewer than `k`
/// attempts are left out. The interval is Wilson's with the items as observations: never narrower than the attempts
/// allow, for an item's own share lies between its extremes.
pub fn unbiased_pass_at<'a, D: 'a>(
    k: usize,
    records: impl IntoIterator<Item = &'a AttemptRecord<D>>,
) -> Option<Interval> {
    let items = by_item(records);
    let shares: Vec<f64> = items
        .values()
        .filter(|attempts| attempts.len() >= k)
        .map(|attempts| one_of(k, attempts.len(), attempts.iter().filter(|passed| **passed).count()))
        .collect();
    let mean = shares.iter().sum::<f64>() / float(shares.len());
    (!shares.is_empty()).then(|| around(mean, float(shares.len())))
}

/// Pass^k: the chance that `k` attempts at an item all pass, the mean over items of C(c, k) / C(n, k) for c of n attempts passed
/// (S. Yao et al., "tau-bench", 2024, section 5). Items with fewer than `k` attempts are left out; the interval is as that of
/// [`unbiased_pass_at`].
pub fn pass_hat<'a, D: 'a>(k: usize, records: impl IntoIterator<Item = &'a AttemptRecord<D>>) -> Option<Interval> {
    let items = by_item(records);
    let shares: Vec<f64> = items
        .values()
        .filter(|attempts| attempts.len() >= k)
        .map(|attempts| all_of(k, attempts.len(), attempts.iter().filter(|passed| **passed).count()))
        .collect();
    let mean = shares.iter().sum::<f64>() / float(shares.len());
    (!shares.is_empty()).then(|| around(mean, float(shares.len())))
}

/// Pass@k and pass^k of a run of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Passes {
    pub k: usize,
    /// Tasks with at least `k` attempts that count.
    pub tasks: usize,
    /// Tasks that are left out because they have fewer.
    pub fewer: usize,
    /// The chance that one of `k` attempts solves its task, without the bias of the order.
    pub any: Interval,
    /// The chance that all of `k` attempts do.
    pub all: Interval,
}

/// Both for one `k`, of attempts that count, each with its task and whether it solved it; `None` where no task has so many.
/// The intervals are as those of [`unbiased_pass_at`].
pub fn passes<'a>(k: usize, attempts: impl IntoIterator<Item = (&'a str, bool)>) -> Option<Passes> {
    let mut tasks: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (task, solved) in attempts {
        let (n, passed) = tasks.entry(task).or_default();
        *n += 1;
        *passed += usize::from(solved);
    }
    let known = tasks.len();
    let enough: Vec<(usize, usize)> = tasks.into_values().filter(|(n, _)| *n >= k).collect();
    let share = |of: fn(usize, usize, usize) -> f64| {
        let n = float(enough.len());
        around(enough.iter().map(|(n, passed)| of(k, *n, *passed)).sum::<f64>() / n, n)
    };
    (!enough.is_empty()).then(|| Passes {
        k,
        tasks: enough.len(),
        fewer: known - enough.len(),
        any: share(one_of),
        all: share(all_of),
    })
}

/// The chance that `k` of `n` attempts, drawn without putting back, are all among the `passed` ones.
pub(super) fn all_of(k: usize, n: usize, passed: usize) -> f64 {
    (0..k).map(|drawn| float(passed.saturating_sub(drawn)) / float(n - drawn)).product()
}

/// The chance that `k` of `n` attempts, drawn without putting back, hold one of the `passed` ones.
fn one_of(k: usize, n: usize, passed: usize) -> f64 {
    if n - passed < k {
        return 1.0;
    }
    let none: f64 = (n - passed + 1..=n).map(|i| 1.0 - float(k) / float(i)).product();
    1.0 - none
}

#[expect(clippy::cast_precision_loss, reason = "counts of trials are small")]
const fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::super::fakes::record;
    use super::*;

    fn percent(interval: Option<Interval>) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "a percentage")]
        interval.map_or(-1, |interval| interval.percent.round() as i64)
    }

    #[test]
    fn failed_calls_count_and_infrastructure_does_not() {
        use Outcome::{CallFailed, Failed, InfraError, Passed, Unreadable};
        let records = [
            record("a", 1, CallFailed),
            record("a", 2, Passed),
            record("a", 3, Failed),
            record("b", 1, InfraError),
            record("b", 2, Unreadable),
            record("b", 3, Unreadable),
        ];
        assert_eq!([1, 2, 3].map(|k| percent(pass_at(k, &records))), [0, 50, 50]);
        // One of three passed: 1/3 for k = 1, 2/3 for k = 2; b has only two that count.
        assert_eq!([1, 2, 3].map(|k| percent(unbiased_pass_at(k, &records))), [17, 33, 100]);
        assert_eq!((missing(&records), missing(&records[3..4])), (0, 1), "b was tried again");
    }

    #[test]
    fn both_chances_come_of_the_same_tasks() {
        // Of a one of two attempts solved it, of b both; c has one attempt only.
        let tries = [("a", true), ("a", false), ("b", true), ("b", true), ("c", true)];
        let [one, two] = [1, 2].map(|k| passes(k, tries).unwrap());
        assert_eq!((one.tasks, one.fewer, two.tasks, two.fewer), (3, 0, 2, 1));
        assert!((one.any.percent - 250.0 / 3.0).abs() < 1e-9 && (one.all.percent - one.any.percent).abs() < 1e-9);
        assert_eq!((two.any.percent, two.all.percent), (100.0, 50.0));
        assert_eq!(passes(3, tries), None);
    }

    #[test]
    fn no_trials_have_no_rate() {
        let none: [AttemptRecord<()>; 0] = [];
        assert_eq!((pass_at(1, &none), unbiased_pass_at(1, &none), share_of([])), (None, None, None));
    }
}
