//! Bootstrap over items: how far means, shares and their differences may be moved by which items there happen to be. The same seed
//! gives the same interval.

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

/// Samples that are drawn.
const SAMPLES: usize = 10_000;

/// An estimate with the 95 % percentile interval of its bootstrap (B. Efron and R. Tibshirani, "An Introduction to the
/// Bootstrap", 1993, section 13.3).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bootstrapped {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The mean over items of each item's mean, with items drawn anew: tries at one item stay together. `None` of no items.
pub fn bootstrap_mean(items: &[Vec<f64>], seed: u64) -> Option<Bootstrapped> {
    let means: Vec<f64> = items.iter().filter(|tries| !tries.is_empty()).map(|tries| mean(tries)).collect();
    bootstrap(&means, seed)
}

/// The mean difference of two arms over the same items, with items drawn anew. Each item has the values of both. `None` of no
/// items.
pub fn bootstrap_difference(items: &[(Vec<f64>, Vec<f64>)], seed: u64) -> Option<Bootstrapped> {
    let both = items.iter().filter(|(one, other)| !one.is_empty() && !other.is_empty());
    let differences: Vec<f64> = both.map(|(one, other)| mean(one) - mean(other)).collect();
    bootstrap(&differences, seed)
}

/// All that was spent divided by what was reached, with items drawn anew; `None` where nothing was reached.
pub fn bootstrap_ratio(items: &[(f64, f64)], seed: u64) -> Option<Bootstrapped> {
    let ratio = |draw: &mut dyn FnMut() -> usize| {
        let (over, under) =
            (0..items.len()).map(|_| items[draw()]).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        over / under
    };
    let mut place = 0..items.len();
    let value = ratio(&mut || place.next().unwrap_or_default());
    if items.is_empty() || !value.is_finite() {
        return None;
    }
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let mut samples: Vec<f64> = (0..SAMPLES).map(|_| ratio(&mut || chance.random_range(0..items.len()))).collect();
    // A sample in which nothing is reached costs without end.
    samples.iter_mut().filter(|sample| sample.is_nan()).for_each(|sample| *sample = f64::INFINITY);
    Some(percentiles(value, samples))
}

fn bootstrap(values: &[f64], seed: u64) -> Option<Bootstrapped> {
    if values.is_empty() {
        return None;
    }
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let sample = |chance: &mut Pcg64Mcg| {
        let sum: f64 = (0..values.len()).map(|_| values[chance.random_range(0..values.len())]).sum();
        sum / float(values.len())
    };
    let samples = (0..SAMPLES).map(|_| sample(&mut chance)).collect();
    Some(percentiles(mean(values), samples))
}

fn percentiles(value: f64, mut samples: Vec<f64>) -> Bootstrapped {
    samples.sort_by(f64::total_cmp);
    Bootstrapped { value, low: quantile(&samples, 0.025), high: quantile(&samples, 0.975) }
}

/// A quantile of sorted values, with linear interpolation (Hyndman and Fan's type 7, numpy's default).
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * float(sorted.len() - 1);
    let below = place.floor();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the list")]
    let at = below as usize;
    let (low, high) = (sorted[at], sorted[(at + 1).min(sorted.len() - 1)]);
    // Both may be without end, and their difference is no number then.
    if high <= low { low } else { low + (high - low) * (place - below) }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / float(values.len())
}

#[expect(clippy::cast_precision_loss, reason = "counts of items are small")]
const fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_interval_and_tries_at_an_item_stay_together() {
        let once: Vec<Vec<f64>> = (0..40).map(|item| vec![f64::from(u8::from(item % 2 == 0))]).collect();
        let (one, again) = (bootstrap_mean(&once, 7).unwrap(), bootstrap_mean(&once, 7).unwrap());
        assert_eq!((one, one.value), (again, 0.5));
        let spread: Vec<Vec<f64>> = (0..40).map(|item| vec![f64::from(item).sqrt()]).collect();
        assert_ne!(bootstrap_mean(&spread, 7), bootstrap_mean(&spread, 8));
        let ten: Vec<Vec<f64>> = once.iter().map(|tries| tries.repeat(10)).collect();
        assert_eq!(bootstrap_mean(&ten, 7), Some(one), "ten equal answers are worth one");
        assert_eq!((bootstrap_mean(&[], 1), bootstrap_mean(&[vec![]], 1)), (None, None));
        // The normal interval of a share of 40: half of 2 x 1.96 x sqrt(0.25 / 40).
        assert!((one.high - one.low - 2.0 * 1.96 * (0.25_f64 / 40.0).sqrt()).abs() < 0.03, "{one:?}");
    }

    #[test]
    fn differences_are_taken_item_by_item() {
        let items: Vec<(Vec<f64>, Vec<f64>)> =
            (0..30).map(|item| (vec![f64::from(item) + 1.0], vec![f64::from(item)])).collect();
        let found = bootstrap_difference(&items, 1).unwrap();
        assert_eq!((found.value, found.low, found.high), (1.0, 1.0, 1.0), "items differ, their differences do not");
        let ratio = bootstrap_ratio(&[(3.0, 1.0), (3.0, 0.0), (3.0, 2.0)], 1).unwrap();
        assert!((ratio.value - 3.0).abs() < 1e-9 && ratio.low < 3.0 && ratio.high > 3.0, "{ratio:?}");
        assert_eq!(bootstrap_ratio(&[(3.0, 0.0)], 1), None);
    }
}
