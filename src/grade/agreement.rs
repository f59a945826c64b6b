//! How far two raters agree beyond chance (ScratchEval, section 6.6): Cohen's kappa, plain and with quadratic weights, and intervals by
//! drawing items anew.

use std::collections::BTreeMap;

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use super::bootstrap::{Bootstrapped, quantile};

/// Samples that are drawn.
const SAMPLES: usize = 10_000;
/// Seed of the draws: the same ratings give the same interval.
const SEED: u64 = 1;

/// Cohen's kappa, (p_o - p_e) / (1 - p_e), of two raters' labels for the same items (J. Cohen, Educational and Psychological
/// Measurement 20, 1960). `None` of no items, and where both gave all items one and the same label.
pub fn kappa<L: Ord>(pairs: &[(L, L)]) -> Option<f64> {
    let n = float(pairs.len());
    let mut counts: BTreeMap<&L, (f64, f64)> = BTreeMap::new();
    for (one, other) in pairs {
        counts.entry(one).or_default().0 += 1.0;
        counts.entry(other).or_default().1 += 1.0;
    }
    let observed = float(pairs.iter().filter(|(one, other)| one == other).count()) / n;
    let expected: f64 = counts.values().map(|(one, other)| one * other / (n * n)).sum();
    let kappa = (observed - expected) / (1.0 - expected);
    kappa.is_finite().then_some(kappa)
}

/// Kappa of scores with quadratic weights, 1 - Σw·o / Σw·e with w = (i - j)² (J. Cohen, Psychological Bulletin 70, 1968). `None` of no
/// items, and where both gave all items one and the same score.
pub fn weighted_kappa(pairs: &[(u8, u8)]) -> Option<f64> {
    let apart = |one: u8, other: u8| (f64::from(one) - f64::from(other)).powi(2);
    let n = float(pairs.len());
    let observed: f64 = pairs.iter().map(|(one, other)| apart(*one, *other)).sum::<f64>() / n;
    let all = pairs.iter().flat_map(|(one, _)| pairs.iter().map(move |(_, other)| apart(*one, *other)));
    let kappa = 1.0 - observed / (all.sum::<f64>() / (n * n));
    kappa.is_finite().then_some(kappa)
}

/// How two raters agree on a scale of 1 to 5.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    pub n: usize,
    /// Shares of equal scores, and of scores that are at most one apart, 0 to 1.
    pub exact: f64,
    pub within_one: f64,
    /// Kappa of "4 or better", and of the scores with quadratic weights, with their 95 % intervals; absent where they are not defined.
    pub good: Option<Bootstrapped>,
    pub weighted: Option<Bootstrapped>,
}

impl Agreement {
    /// Of scores for the same items; `None` of none.
    pub fn of(pairs: &[(u8, u8)]) -> Option<Self> {
        let share =
            |is: fn(&(u8, u8)) -> bool| float(pairs.iter().filter(|pair| is(pair)).count()) / float(pairs.len());
        let good = |pairs: &[(u8, u8)]| {
            let good: Vec<(bool, bool)> = pairs.iter().map(|(one, other)| (*one >= 4, *other >= 4)).collect();
            kappa(&good)
        };
        (!pairs.is_empty()).then(|| Self {
            n: pairs.len(),
            exact: share(|(one, other)| one == other),
            within_one: share(|(one, other)| one.abs_diff(*other) <= 1),
            good: drawn(pairs, good),
            weighted: drawn(pairs, weighted_kappa),
        })
    }
}

/// A figure with its percentile interval; samples for which it is not defined are left out.
fn drawn<T: Copy>(items: &[T], figure: impl Fn(&[T]) -> Option<f64>) -> Option<Bootstrapped> {
    let value = figure(items)?;
    let mut chance = Pcg64Mcg::seed_from_u64(SEED);
    let sample = |_| -> Vec<T> { items.iter().map(|_| items[chance.random_range(0..items.len())]).collect() };
    let mut samples: Vec<f64> = (0..SAMPLES).map(sample).filter_map(|sample| figure(&sample)).collect();
    samples.sort_by(f64::total_cmp);
    Some(Bootstrapped { value, low: quantile(&samples, 0.025), high: quantile(&samples, 0.975) })
}

#[expect(clippy::cast_precision_loss, reason = "items are few")]
const fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::grade::mcnemar;

    #[derive(Deserialize)]
    struct Fixtures {
        ratings: Vec<Ratings>,
        mcnemar: Vec<Pair>,
    }

    #[derive(Deserialize)]
    struct Ratings {
        one: Vec<u8>,
        other: Vec<u8>,
        plain: f64,
        quadratic: f64,
    }

    #[derive(Deserialize)]
    struct Pair {
        one: u32,
        other: u32,
        p: f64,
    }

    #[track_caller]
    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
    }

    #[test]
    fn kappa_and_mcnemar_agree_with_scikit_learn_and_statsmodels() {
        let fixtures = include_str!("../../tests/fixtures/statistics/agreement.json");
        let fixtures: Fixtures = serde_json::from_str(fixtures).unwrap();
        assert!(!fixtures.ratings.is_empty() && !fixtures.mcnemar.is_empty());
        for Ratings { one, other, plain, quadratic } in fixtures.ratings {
            let pairs: Vec<(u8, u8)> = one.into_iter().zip(other).collect();
            near(kappa(&pairs).unwrap(), plain);
            near(weighted_kappa(&pairs).unwrap(), quadratic);
        }
        for Pair { one, other, p } in fixtures.mcnemar {
            near(mcnemar(one, other), p);
        }
    }

    /// The worked examples of section 6.6.
    #[test]
    fn the_examples_of_the_specification() {
        let many = |times: usize, pair: (bool, bool)| std::iter::repeat_n(pair, times);
        let pairs: Vec<(bool, bool)> = many(9, (true, true))
            .chain(many(8, (false, false)))
            .chain(many(2, (true, false)))
            .chain(many(1, (false, true)))
            .collect();
        near(kappa(&pairs).unwrap(), 0.7);
        let scores = [(5, 5), (4, 4), (3, 2), (1, 1), (2, 3)];
        near(weighted_kappa(&scores).unwrap(), 0.9);
        near(mcnemar(6, 0), 0.031_25);
        near(mcnemar(3, 0), 0.25);
        assert_eq!(format!("{:.3}", mcnemar(8, 3)), "0.227");
        let agreement = Agreement::of(&scores).unwrap();
        assert_eq!((agreement.n, agreement.exact, agreement.within_one), (5, 0.6, 1.0));
        let weighted = agreement.weighted.unwrap();
        assert!(weighted.low <= weighted.value && weighted.value <= weighted.high, "{weighted:?}");
        assert_eq!(Agreement::of(&[]), None);
        assert_eq!(kappa(&[(true, true)]), None, "there is nothing to agree on");
    }
}
