//! Bootstrap over items: how far means, shares and their differences may be moved by which items there happen to be. The same seed
//! gives the same interval.

use std::collections::BTreeMap;

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use super::mean_interval;

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

/// A difference with what its bootstrap says of chance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Tested {
    pub estimate: Bootstrapped,
    /// Two-sided: twice the share of samples in which the difference is nothing or has the other sign, at most 1. The sample
    /// itself counts as one, so that p is never 0 (A. Davison and D. Hinkley, "Bootstrap Methods and their Application",
    /// 1997, section 4.2).
    pub p: f64,
}

/// The mean difference of two arms over the same items, with items drawn anew. Each item has the values of both. `None` of no
/// items.
pub fn bootstrap_test(items: &[(Vec<f64>, Vec<f64>)], seed: u64) -> Option<Tested> {
    let both = items.iter().filter(|(one, other)| !one.is_empty() && !other.is_empty());
    let differences: Vec<f64> = both.map(|(one, other)| mean(one) - mean(other)).collect();
    let samples = samples_of(&differences, seed)?;
    let beyond = |is: fn(f64) -> bool| 1 + samples.iter().filter(|sample| is(**sample)).count();
    let few = beyond(|sample| sample <= 0.0).min(beyond(|sample| sample >= 0.0));
    let p = (2.0 * float(few) / float(SAMPLES + 1)).min(1.0);
    Some(Tested { estimate: percentiles(mean(&differences), samples), p })
}

/// All that was spent divided by what was reached, with items drawn anew; `None` where nothing was reached. A bound is infinite
/// where that many samples reach nothing.
pub fn bootstrap_ratio(items: &[(f64, f64)], seed: u64) -> Option<Bootstrapped> {
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    ratio_over(items, SAMPLES, &mut || chance.random_range(0..items.len()))
}

/// The same with these draws: places of items, as many for each sample as there are items.
pub(super) fn ratio_over(
    items: &[(f64, f64)],
    samples: usize,
    draw: &mut dyn FnMut() -> usize,
) -> Option<Bootstrapped> {
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
    let mut samples: Vec<f64> = (0..samples).map(|_| ratio(draw)).collect();
    // A sample in which nothing is reached costs without end.
    samples.iter_mut().filter(|sample| sample.is_nan()).for_each(|sample| *sample = f64::INFINITY);
    Some(percentiles(value, samples))
}

fn bootstrap(values: &[f64], seed: u64) -> Option<Bootstrapped> {
    Some(percentiles(mean(values), samples_of(values, seed)?))
}

/// Seed of intervals in tables: the same attempts give the same figures.
pub(super) const TABLES: u64 = 1;

/// The 95 % interval in percent of the mean of values from 0 to 1, each with its task; absent of nothing. With one value a task
/// it is Wilson's. Else tasks are drawn anew with all their values; where all samples agree, as when nothing was solved, they
/// say nothing of chance, and the interval is that of [`mean_interval`].
pub fn rate_interval<'a>(values: impl IntoIterator<Item = (&'a str, f64)>) -> Option<(f64, f64)> {
    let values: Vec<(&str, f64)> = values.into_iter().collect();
    let mut tasks: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (task, value) in &values {
        let (sum, n) = tasks.entry(task).or_default();
        *sum += value;
        *n += 1.0;
    }
    let drawn = (tasks.len() < values.len()).then(|| bootstrap_ratio(&tasks.into_values().collect::<Vec<_>>(), TABLES));
    match drawn.flatten().filter(|drawn| drawn.low < drawn.high) {
        Some(drawn) => Some((100.0 * drawn.low, 100.0 * drawn.high)),
        None => mean_interval(values),
    }
}

/// The means of samples of the values; `None` of no values.
fn samples_of(values: &[f64], seed: u64) -> Option<Vec<f64>> {
    if values.is_empty() {
        return None;
    }
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let sample = |chance: &mut Pcg64Mcg| {
        let sum: f64 = (0..values.len()).map(|_| values[chance.random_range(0..values.len())]).sum();
        sum / float(values.len())
    };
    Some((0..SAMPLES).map(|_| sample(&mut chance)).collect())
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
    fn intervals_of_rates_draw_tasks_where_there_are_several_attempts() {
        let names: Vec<String> = (0..40).map(|task| format!("t{task}")).collect();
        let values = |times: usize| {
            let one = |(at, name): (usize, &'_ String)| (name.clone(), if at % 2 == 0 { 1.0 } else { 0.0 });
            (0..times).flat_map(|_| names.iter().enumerate().map(one)).collect::<Vec<(String, f64)>>()
        };
        let of = |values: &[(String, f64)]| rate_interval(values.iter().map(|(name, value)| (name.as_str(), *value)));
        let (once, thrice) = (of(&values(1)).unwrap(), of(&values(3)).unwrap());
        assert_eq!(Some(once), mean_interval(values(1)), "Wilson's");
        assert!((thrice.0 - once.0).abs() < 3.0 && thrice != once, "{once:?} {thrice:?}: three equal answers are one");
        let none: Vec<(String, f64)> = values(3).into_iter().map(|(name, _)| (name, 0.0)).collect();
        let (low, high) = of(&none).unwrap();
        assert!(low <= 0.0 && high > 5.0, "that nothing was solved does not make it certain: {high}");
    }

    #[test]
    fn differences_are_taken_item_by_item() {
        let items: Vec<(Vec<f64>, Vec<f64>)> =
            (0..30).map(|item| (vec![f64::from(item) + 1.0], vec![f64::from(item)])).collect();
        let Tested { estimate, p } = bootstrap_test(&items, 1).unwrap();
        assert_eq!(
            (estimate.value, estimate.low, estimate.high),
            (1.0, 1.0, 1.0),
            "items differ, their differences do not"
        );
        assert!(p < 0.001, "{p}");
        let ratio = bootstrap_ratio(&[(3.0, 1.0), (3.0, 0.0), (3.0, 2.0)], 1).unwrap();
        assert!((ratio.value - 3.0).abs() < 1e-9 && ratio.low < 3.0 && ratio.high > 3.0, "{ratio:?}");
        assert_eq!(bootstrap_ratio(&[(3.0, 0.0)], 1), None);
    }
}
