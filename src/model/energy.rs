//! The energy that the host used for something, as its record holds it (EcoScratch, sections 8 and 9). What models' providers
//! use is not in it. How it is measured and how figures may be compared, `meter` knows.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Energy of the host, with all that a reader needs to judge the figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnergyRecord {
    /// How it was found.
    pub method: EnergyMethod,
    /// Whether it was measured.
    pub quality: EnergyQuality,
    /// Whose energy it is.
    pub scope: EnergyScope,
    /// Watt-hours, at least 0.
    #[schemars(range(min = 0.0))]
    pub wh: f64,
    /// Watt-hours without those that an idle machine uses too; only `vcpu` tells them apart.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(range(min = 0.0))]
    pub marginal_wh: Option<f64>,
    /// Watt-hours by stage of the work. They add up to `wh`.
    pub by_stage: BTreeMap<String, f64>,
    /// Seconds of processor time that the process and its descendants used, those that have ended included.
    #[schemars(range(min = 0.0))]
    pub cpu_s: f64,
    /// Seconds that passed.
    #[schemars(range(min = 0.0))]
    pub wall_s: f64,
    /// SHA-256 of the coefficients of estimates, also where the figure was measured.
    pub coefficients: String,
}

/// How energy is found (EcoScratch, section 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum EnergyMethod {
    /// A command of the user's says what a meter shows.
    External,
    /// The processor's own counters.
    Rapl,
    /// From processor time, time and memory, with average watts of a virtual processor.
    Vcpu,
    /// From processor time and memory, with the processor's thermal design power.
    Tdp,
}

impl EnergyMethod {
    /// What figures of this method are.
    pub const fn quality(self) -> EnergyQuality {
        match self {
            Self::External | Self::Rapl => EnergyQuality::Measured,
            Self::Vcpu | Self::Tdp => EnergyQuality::Estimated,
        }
    }

    /// Whose energy it finds when nothing else is worked on meanwhile.
    pub const fn scope(self) -> EnergyScope {
        match self {
            Self::External | Self::Rapl => EnergyScope::Host,
            Self::Vcpu | Self::Tdp => EnergyScope::ProcessTree,
        }
    }
}

/// Whether a figure was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum EnergyQuality {
    /// A counter or a meter showed it.
    Measured,
    /// It was reckoned from what processes used.
    Estimated,
}

/// Whose energy a figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum EnergyScope {
    /// All that the machine did meanwhile.
    Host,
    /// The process and its descendants.
    ProcessTree,
    /// Several jobs ran at once, and nobody knows whose it is.
    Shared,
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn a_record_is_written_as_the_specification_shows_it() {
        let text = json!({"method": "vcpu", "quality": "estimated", "scope": "process_tree", "wh": 0.0112,
            "marginal_wh": 0.0063, "by_stage": {"call": 0.0072, "full": 0.004}, "cpu_s": 6.2, "wall_s": 11.9,
            "coefficients": "5d"});
        let record: EnergyRecord = serde_json::from_value(text.clone()).unwrap();
        assert_eq!((record.method.quality(), record.method.scope()), (record.quality, record.scope));
        assert_eq!(serde_json::to_value(&record).unwrap(), text);
        let measured = EnergyRecord { method: EnergyMethod::Rapl, marginal_wh: None, ..record };
        assert!(!serde_json::to_string(&measured).unwrap().contains("marginal_wh"), "absent, not 0");
    }

    #[test]
    fn words_are_the_same_in_files_and_on_the_command_line() {
        for method in EnergyMethod::iter() {
            assert_eq!(serde_json::to_value(method).unwrap(), json!(method.to_string()));
        }
        assert_eq!("process_tree".parse(), Ok(EnergyScope::ProcessTree));
    }
}
