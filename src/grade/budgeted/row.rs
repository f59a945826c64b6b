//! A trajectory as it is counted.

use std::fmt;

use serde::Serialize;

use crate::model::{ControllerMode, Layer, Trajectory};

/// Which trajectory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct CaseKey {
    pub case: String,
    pub model: String,
    /// The family that the model is of, such as `openai`.
    pub provider: String,
    pub mode: ControllerMode,
    /// From 1.
    pub replicate: u32,
}

impl fmt::Display for CaseKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { case, model, mode, replicate, .. } = self;
        write!(out, "{case}, {model}, {mode}, replicate {replicate}")
    }
}

/// Energy of the host, without that of providers (EcoScratch, section 9).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Energy {
    /// Watt-hours.
    pub wh: f64,
    /// Whether it is reckoned from processor time, not read from a meter.
    pub is_estimated: bool,
}

/// A trajectory that counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CaseRow {
    pub key: CaseKey,
    /// The pattern of the fault, or the kind of case.
    pub mechanism: String,
    /// A candidate was built and loaded.
    pub generated: bool,
    /// The candidate passed the strict verifier.
    pub strict: bool,
    /// Where it ended.
    pub layer: Layer,
    pub attempts: u32,
    /// Pictures that were put into requests.
    pub images: u32,
    /// US dollars; absent where the price is unknown.
    pub usd: Option<f64>,
    /// Absent where it was not metered, or shared with other trajectories.
    pub energy: Option<Energy>,
    /// How many flags the probe set, 0 to 3; absent without a probe.
    pub level: Option<u8>,
}

impl CaseRow {
    /// The row of a trajectory. Whose energy it was, and whether it can be compared, is not known here.
    pub fn of(key: CaseKey, trajectory: &Trajectory, energy: Option<Energy>) -> Self {
        Self {
            key,
            mechanism: trajectory.mechanism.clone(),
            generated: trajectory.generation_success,
            strict: trajectory.strict_verify_success,
            layer: trajectory.layer,
            attempts: trajectory.totals.attempts,
            images: trajectory.totals.images_inserted,
            usd: trajectory.totals.usd,
            energy,
            level: Some(trajectory.probe.signals.level),
        }
    }
}
