//! How scores are spread over the scale.

use serde::Serialize;

/// Scores, counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Distribution {
    pub n: usize,
    /// Of 1 to 5, in this order.
    pub counts: [usize; 5],
    /// Absent of none.
    pub mean: Option<f64>,
}

impl Distribution {
    /// Counts scores of 1 to 5.
    #[expect(clippy::cast_precision_loss, reason = "scores are few")]
    pub fn of(scores: impl IntoIterator<Item = u8>) -> Self {
        let mut counts = [0; 5];
        for score in scores {
            counts[usize::from(score.clamp(1, 5)) - 1] += 1;
        }
        let n = counts.iter().sum();
        let sum: usize = counts.iter().enumerate().map(|(at, count)| (at + 1) * count).sum();
        Self { n, counts, mean: (n > 0).then(|| sum as f64 / n as f64) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_counted_and_nothing_has_no_mean() {
        let found = Distribution::of([5, 4, 3, 1, 2, 5]);
        assert_eq!((found.n, found.counts), (6, [1, 1, 1, 1, 2]));
        assert!((found.mean.unwrap() - 20.0 / 6.0).abs() < 1e-12);
        assert_eq!(Distribution::of([]), Distribution::default());
    }
}
