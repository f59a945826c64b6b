//! How much of a patch was put right on the way. What was put right stands at the rules themselves.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Tolerances that a patch needed. Each rule counts once for each operation, or once for the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Values that were no JSON and were taken as plain text.
    pub coerced: usize,
    /// Changes of form: another envelope, `op` in capitals, a pointer's beginning, operations dropped or renamed.
    pub normalised: usize,
    /// Pointers that held a block's id as it is, without `~0` and `~1`.
    pub unescaped: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.coerced += other.coerced;
        self.normalised += other.normalised;
        self.unescaped += other.unescaped;
    }
}
