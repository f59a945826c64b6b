//! The instances of a run: the same as those of repairs.

pub use crate::benchmarks::repair::{ITEMS, Item};

/// The file of a run that has the attempts of the baseline at its instances, which tables print as their floor.
pub const BASELINE: &str = "baseline.json";
