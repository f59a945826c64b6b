//! The instances of a run: the same as those of repairs.

pub use crate::benchmarks::repair::{ITEMS, Item};
