//! A proportion of yes among so many, with its uncertainty.

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
    #[must_use]
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

    /// Counts the true ones.
    #[must_use]
    pub fn over(outcomes: impl IntoIterator<Item = bool>) -> Self {
        let (mut hits, mut n) = (0, 0);
        for hit in outcomes {
            n += 1;
            hits += u32::from(hit);
        }
        Self::of(hits, n)
    }
}

/// Wilson (1927), J. Am. Stat. Assoc. 22: the ends of the interval around a share (0 to 1) of `n` observations, in
/// percent; `n` is positive.
#[must_use]
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
    fn intervals_are_those_of_the_tables() {
        let (low, high) = Proportion::of(81, 263).interval.unwrap();
        assert!(near(low, 25.5) && near(high, 36.6), "{low} {high}");
        let (low, high) = Proportion::of(0, 10).interval.unwrap();
        assert!(near(low, 0.0) && near(high, 27.8), "{low} {high}");
    }

    #[test]
    fn of_nothing_there_is_no_proportion() {
        let none = Proportion::over([]);
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
