//! The machinery for runs of every benchmark: a run has cells (an item and which attempt at it), each cell has
//! tries until one counts, and each try has a folder with a record.
//!
//! Parts: [`Benchmark`] is what a benchmark must provide; [`Plan`] begins a run or goes on with one, and compares all that a
//! score depends on; [`engine`] works on the cells of experiments, and [`run()`] on those of one run. What is asked, and how an answer is measured, is
//! in `benchmarks`. No command line types and no HTML here.

mod benchmark;
pub mod engine;
mod error;
#[cfg(test)]
pub(crate) mod fakes;
mod plan;
mod run;
mod run_entry;
mod said;

pub use benchmark::{Benchmark, Cell, Ended};
pub use error::RunError;
pub use plan::Plan;
pub use run::{RunOptions, run};
pub use said::{Given, Reply, Said, Stray, free, given, said, said_elsewhere};
