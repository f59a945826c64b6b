//! Choices that a seed decides, the same on every machine.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A stream of choices.
#[derive(Debug, Clone)]
pub(super) struct Chooser(Pcg64);

impl Chooser {
    /// The stream of this number under this seed; streams are independent of each other.
    pub(super) fn of(seed: u64, stream: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&stream.to_le_bytes());
        // The second half picks PCG's sequence, and is the same for all.
        let mut choices = Pcg64::from_seed(bytes);
        // Neighbouring states give neighbouring first numbers.
        for _ in 0..4 {
            let _: u64 = choices.random();
        }
        Self(choices)
    }

    /// A whole number from 0 up to but not including `n`, which is positive.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n.max(1))
    }

    /// A whole number between the two, both included.
    pub(super) fn whole(&mut self, from: i32, to: i32) -> i32 {
        self.0.random_range(from..=to.max(from))
    }

    /// A number of whole pixels between the two.
    pub(super) fn pixels(&mut self, from: f64, to: f64) -> f64 {
        self.0.random_range(from..=to.max(from)).round()
    }

    /// True in one of `n` cases on average.
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Puts them in another order.
    pub(super) fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            all.swap(last, self.below(last + 1));
        }
    }

    /// One of them; `None` of an empty list.
    pub(super) fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        if all.is_empty() { None } else { all.get(self.below(all.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_and_the_stream_decide() {
        let draw = |seed, stream| {
            let mut chooser = Chooser::of(seed, stream);
            (0..8).map(|_| chooser.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn the_stream_is_the_same_for_ever() {
        let mut chooser = Chooser::of(1, 0);
        let drawn: Vec<usize> = (0..4).map(|_| chooser.below(1000)).collect();
        assert_eq!(drawn, [483, 785, 521, 968]);
    }
}
