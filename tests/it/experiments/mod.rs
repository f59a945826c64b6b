//! Matrices, ledgers and worker fleets.

pub mod browser_experiment;
pub mod browser_experiment_http;
pub mod browser_experiment_kept;
pub mod browser_fleet;
pub mod browser_fleet_kills;
pub mod faults;
pub mod fleet_joining;
pub mod probe;
pub mod spend;
