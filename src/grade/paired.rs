//! Comparing two arms at the same items: the exact McNemar test, Holm's correction for several comparisons, and which difference
//! so many items can tell at all.

use serde::Serialize;

/// How two arms differ at items that both attempted once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Paired {
    /// Items that both attempted.
    pub n: u32,
    /// Items that only the first passed, and only the second.
    pub only_first: u32,
    pub only_second: u32,
    /// Percentage points by which the first is ahead.
    pub difference: f64,
    /// Exact two-sided McNemar test: the chance of a difference as large where there is none.
    pub p: f64,
    /// The smallest difference in points that would have had a p below 0.05, with as many items on which the two differ; absent
    /// where no difference would.
    pub least: Option<f64>,
}

/// Compares pairs of (first passed, second passed), one of each item.
pub fn paired(pairs: impl IntoIterator<Item = (bool, bool)>) -> Paired {
    let (mut n, mut only_first, mut only_second) = (0_u32, 0_u32, 0_u32);
    for (first, second) in pairs {
        n += 1;
        only_first += u32::from(first && !second);
        only_second += u32::from(second && !first);
    }
    let points = |more: u32, less: u32| 100.0 * (f64::from(more) - f64::from(less)) / f64::from(n.max(1));
    let discordant = only_first + only_second;
    let least = (discordant.div_ceil(2)..=discordant).find(|most| mcnemar(*most, discordant - most) < 0.05);
    Paired {
        n,
        only_first,
        only_second,
        difference: points(only_first, only_second),
        p: mcnemar(only_first, only_second),
        least: least.map(|most| points(most, discordant - most)),
    }
}

/// The exact two-sided p of McNemar's test: twice the binomial tail of the smaller count at one half, at most 1 (Q. McNemar,
/// Psychometrika 12, 1947; exact as `statsmodels.stats.contingency_tables.mcnemar(exact=True)`).
pub fn mcnemar(one: u32, other: u32) -> f64 {
    let (n, few) = (one + other, one.min(other));
    // Terms C(n, k) / 2^n, in logarithms: 2^n alone is too large for a few thousand items.
    let mut log_term = -f64::from(n) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for k in 0..=few {
        if k > 0 {
            log_term += (f64::from(n - k + 1) / f64::from(k)).ln();
        }
        tail += log_term.exp();
    }
    (2.0 * tail).min(1.0)
}

/// Holm's step-down correction (S. Holm, Scand. J. Stat. 6, 1979): the adjusted p of each, in the order given.
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ps.len()).collect();
    order.sort_by(|one, other| ps[*one].total_cmp(&ps[*other]));
    let mut adjusted = vec![0.0; ps.len()];
    let mut highest: f64 = 0.0;
    for (rank, place) in order.into_iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "counts of comparisons are small")]
        let left = (ps.len() - rank) as f64;
        highest = highest.max((ps[place] * left).min(1.0));
        adjusted[place] = highest;
    }
    adjusted
}
