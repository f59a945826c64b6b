//! Evaluation scripts, virtual time, certificates.

pub mod browser_check;
pub mod browser_counterexamples;
pub mod browser_helpers;
pub mod browser_judge;
pub mod browser_outcomes;
pub mod browser_pack;
pub mod browser_poison;
pub mod browser_secret_seed;
pub mod browser_timers;
pub mod browser_virtual;
pub mod certificates;
pub mod counterexamples;
pub mod verdict_file;
