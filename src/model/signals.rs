//! The probe of a case in figures (EcoScratch, section 2). The formulas are `grade`'s.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The probe in figures (section 2). Triage, not diagnosis.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Signals {
    /// Buggy pass rate and gold's, 0 to 1, over assertions that the schedule decides, and seeds.
    pub p_b: f64,
    pub p_g: f64,
    /// Gold's above the buggy one's, -1 to 1.
    pub gap: f64,
    /// Share of stable cells of active signals that differ, 0 to 1, the mean over seeds.
    pub mis: f64,
    /// Share of active signals with any difference.
    pub breadth: f64,
    /// The first tick at which a stable, active signal differs; absent if none does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub div_tick: Option<u64>,
    /// Share of assertions whose result is not the same under all seeds.
    pub inst: f64,
    /// Share of differing signals that can be seen on the stage.
    pub visible_share: f64,
    /// Of `early`, `broad` and `unstable`, those that hold.
    pub flags: Vec<String>,
    /// How many flags hold, 0 to 3.
    pub level: u8,
    /// Pictures that there are: frames, and costumes where there are no frames.
    pub images_available: u32,
    /// The buggy project kept the machine busy for good, or could not be loaded.
    pub hung: bool,
    /// The short schedule missed the fault, and all of the suite was played instead.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
    /// The differing signals, the first ones first: what localisation starts from. Leak level 3.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differing: Vec<String>,
}

/// The probe of a case: it depends on case and engine alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProbeRecord {
    /// Digest of all that it depends on.
    pub key: String,
    /// Whether it was made before.
    pub cached: bool,
    #[serde(flatten)]
    pub signals: Signals,
}
