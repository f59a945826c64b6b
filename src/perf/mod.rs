//! Speed and endurance of the testbed.
//!
//! Parts: `bench` measures the budgets, `soak` and `endurance` drive many sessions and watch what they leave behind,
//! `chaos` breaks things meanwhile, `process_tree` reads what processes use. Nothing here is needed to run a benchmark.

pub mod bench;
pub mod chaos;
pub mod endurance;
pub mod process_tree;
pub mod soak;
