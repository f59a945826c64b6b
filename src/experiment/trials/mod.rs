//! Benchmarks that ask one thing at a time: which trials are left, several of them at once, those that the testbed
//! spoiled again, each recorded in exactly one way.
//!
//! What is asked and how it is measured is the benchmark's; figures that all of them share are in `figures`.

mod error;
mod figures;
mod run;

pub use error::{Spoiled, TrialsError};
pub use figures::{Counted, Interval, missing, outcomes, pass_at, share_of, unbiased_pass_at};
pub use run::{Benchmark, Ended, Manner, Progress, run};
