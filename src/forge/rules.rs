//! The figures by which faults are forged.

use serde::{Deserialize, Serialize};

/// Defaults are the paper's: R = 5, `θ_pass` = 0.9, `θ_fail` = 0.1, K = 20, H = 2000 (section 3.1 and 4.2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// From it follows what is drawn: which operator is tried first, and which site.
    pub seed: u64,
    /// R: runs of each scenario, under seeds 1 to R.
    pub reruns: u64,
    /// H: ticks of a run at most.
    pub horizon: u64,
    /// Ticks between two checkpoints.
    pub every: u64,
    /// The least share of gold's runs that pass, and the largest of the buggy project's.
    pub theta: (f64, f64),
    /// K: faults of one pattern that are tried in a project.
    pub trials: usize,
    /// Accepted faults of a project, each of another pattern; 1 in a benchmark.
    pub per_project: usize,
    /// Ticks for which inputs are searched that run what the templates leave out; 0 for no search (section 10.5).
    #[serde(default)]
    pub search: u64,
    /// Whether suites get more assertions where they accept wrong repairs (section 10.3).
    #[serde(default)]
    pub harden: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            seed: 1,
            reruns: 5,
            horizon: 2000,
            every: 10,
            theta: (0.9, 0.1),
            trials: 20,
            per_project: 1,
            search: 0,
            harden: true,
        }
    }
}
