//! Running things: one attempt, a batch of them, and one thin file a benchmark.
//!
//! No command line types and no HTML here.

pub mod process_tree;
pub mod soak;
