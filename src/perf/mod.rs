//! Speed and endurance of the testbed.
//!
//! Parts: `bench` measures the budgets, `soak` and `endurance` drive many sessions and watch what they leave behind,
//! `chaos` breaks things meanwhile, `fleet` has workers that only sleep on a database. What processes use, `meter` reads.
//! Nothing here is needed to run a benchmark.

pub mod bench;
pub mod chaos;
pub mod endurance;
pub mod fleet;
pub mod soak;

use std::cmp::Ordering;

/// The median; of an even number the later of the two, of none zero.
fn median<T: Copy + Default + PartialOrd>(mut values: Vec<T>) -> T {
    values.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    values.get(values.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_ignores_order_and_outliers() {
        assert_eq!((median(vec![9, 1, 3, 2, 500]), median(vec![2.5, 0.5])), (3, 2.5));
    }
}
