//! A proportion of yes among so many, with its uncertainty.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The standard normal deviate that leaves 2.5 % on either side.
const Z95: f64 = 1.959_963_984_540_054;

/// How many of how many, in percent with a 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proportion {
    /// How many said yes.
    pub hits: u32,
    /// Of how many.
    pub n: u32,
    /// Percent, 0 to 100; absent when there is nothing to count.
    pub percent: Option<f64>,
    /// Wilson's score interval at 95 % in percent: lower and upper end; absent when there is nothing to count.
    pub interval: Option<(f64, f64)>,
}

impl Proportion {
    /// `hits` of `n`; hits beyond `n` count as `n`.
    pub fn of(hits: u32, n: u32) -> Self {
        let hits = hits.min(n);
        let share = f64::from(hits) / f64::from(n);
        Self {
            hits,
            n,
            percent: (n > 0).then_some(100.0 * share),
            interval: (n > 0).then(|| wilson(share, f64::from(n))),
        }
    }

    /// Counts the true ones among outcomes of several tries at each item. Tries at one item are no independent observations:
    /// ten equal answers are worth as much as one. So the interval is Wilson's for the effective number of
    /// observations, p (1 - p) / V, where V is the variance of the share that is robust to clusters (E. Miller, "Adding Error
    /// Bars to Evals", 2024, section 2.2; E. Korn and B. Graubard, Survey Methodology 24, 1998, for the effective
    /// number). With one try each it is Wilson's own.
    pub fn clustered<C: Ord>(outcomes: impl IntoIterator<Item = (C, bool)>) -> Self {
        let (mut hits, mut n) = (0, 0);
        let counted = outcomes.into_iter().map(|(cluster, hit)| {
            hits += u32::from(hit);
            n += 1;
            (cluster, f64::from(u8::from(hit)))
        });
        let interval = mean_interval(counted);
        Self { interval, ..Self::of(hits, n) }
    }
}

/// The 95 % interval in percent of the mean of values from 0 to 1, each with its item, as [`Proportion::clustered`] has it;
/// absent of nothing. Values between 0 and 1 vary less than yes and no with the same mean, so that it is never too narrow.
pub fn mean_interval<C: Ord>(values: impl IntoIterator<Item = (C, f64)>) -> Option<(f64, f64)> {
    let mut clusters: BTreeMap<C, (f64, f64)> = BTreeMap::new();
    for (cluster, value) in values {
        let (sum, n) = clusters.entry(cluster).or_default();
        *sum += value;
        *n += 1.0;
    }
    let (sum, n) = clusters.values().fold((0.0, 0.0), |(sum, n), (more, tries)| (sum + more, n + tries));
    if n <= 0.0 {
        return None;
    }
    // Sums of fractions may pass the ends by a rounding error.
    let share = (sum / n).clamp(0.0, 1.0);
    Some(wilson(share, effective(share, n, clusters.values())))
}

/// How many independent observations clusters of `(sum, tries)` are worth: at least one a cluster where all agree, and never
/// more than there are tries.
fn effective<'a>(share: f64, n: f64, clusters: impl ExactSizeIterator<Item = &'a (f64, f64)>) -> f64 {
    let count = u32::try_from(clusters.len()).map_or(n, f64::from);
    let squares: f64 = clusters.map(|(sum, tries)| (sum - tries * share).powi(2)).sum();
    if squares <= 0.0 {
        // All clusters have the same share. If it is 0 or 1, nothing is known about how tries differ.
        return if share <= 0.0 || share >= 1.0 { count } else { n };
    }
    (share * (1.0 - share) * n * n / squares).min(n)
}

/// Wilson (1927), J. Am. Stat. Assoc. 22: the ends of the interval around a share (0 to 1) of `n` observations, in
/// percent; `n` is positive.
pub fn wilson(share: f64, n: f64) -> (f64, f64) {
    let z2 = Z95 * Z95;
    let centre = share + z2 / (2.0 * n);
    let reach = Z95 * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    let percent = |end: f64| (100.0 * end / (1.0 + z2 / n)).clamp(0.0, 100.0);
    (percent(centre - reach), percent(centre + reach))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(found: f64, wanted: f64) -> bool {
        (found - wanted).abs() < 0.05
    }

    #[test]
    fn the_same_answer_ten_times_is_worth_as_much_as_once() {
        let answers = |tries: usize| (0..200).flat_map(move |item| std::iter::repeat_n((item, item < 86), tries));
        let (once, ten) = (Proportion::clustered(answers(1)), Proportion::clustered(answers(10)));
        assert_eq!((ten.hits, ten.n, ten.percent), (860, 2000, Some(43.0)));
        assert_eq!(once.interval, Proportion::of(86, 200).interval, "with one try it is Wilson's");
        let ((low, high), (low_of_ten, high_of_ten)) = (once.interval.unwrap(), ten.interval.unwrap());
        assert!(near(low, low_of_ten) && near(high, high_of_ten), "{low_of_ten} {high_of_ten}");
        assert!(near(low, 36.3) && near(high, 49.9), "{low} {high}");
        // Tries that differ within each item are worth more, and ten right answers to one item are one observation.
        let mixed = Proportion::clustered((0..200).flat_map(|item| (0..10).map(move |each| (item, each < 4))));
        assert_eq!(mixed.interval, Proportion::of(800, 2000).interval);
        assert_eq!(Proportion::clustered((0..10).map(|_| ((), true))).interval, Proportion::of(1, 1).interval);
        assert_eq!(Proportion::clustered(std::iter::empty::<((), bool)>()), Proportion::of(0, 0));
    }

    #[test]
    fn intervals_are_those_of_the_tables() {
        let (low, high) = Proportion::of(81, 263).interval.unwrap();
        assert!(near(low, 25.5) && near(high, 36.6), "{low} {high}");
        let (low, high) = Proportion::of(0, 10).interval.unwrap();
        assert!(near(low, 0.0) && near(high, 27.8), "{low} {high}");
    }

    #[test]
    fn the_mean_of_fractions_has_an_interval_over_items() {
        let halves =
            |items: u32, tries: usize| (0..items).flat_map(move |item| std::iter::repeat_n((item, 0.5), tries));
        assert_eq!(mean_interval(halves(10, 1)), Proportion::of(5, 10).interval);
        let spread = |tries: usize| {
            (0..20).flat_map(move |item| std::iter::repeat_n((item, f64::from(u8::from(item % 2 == 0))), tries))
        };
        assert_eq!(mean_interval(spread(1)), Proportion::of(10, 20).interval);
        let ((low, high), (low_of_five, high_of_five)) =
            (mean_interval(spread(1)).unwrap(), mean_interval(spread(5)).unwrap());
        assert!(near(low, low_of_five) && near(high, high_of_five), "the same five times is worth no more");
        assert_eq!(mean_interval(std::iter::empty::<((), f64)>()), None);
    }

    #[test]
    fn of_nothing_there_is_no_proportion() {
        let none = Proportion::of(0, 0);
        assert_eq!((none.percent, none.interval), (None, None));
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_proportion(n in 1_u32..400, hits in 0_u32..400) {
            let proportion = Proportion::of(hits, n);
            let (low, high) = proportion.interval.unwrap();
            let percent = proportion.percent.unwrap();
            prop_assert!(0.0 <= low && low <= percent + 1e-9 && percent <= high + 1e-9 && high <= 100.0);
        }
    }
}
