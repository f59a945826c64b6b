//! Which meter is meant, and what it needs to know.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Coefficients;

/// Which meter finds the energy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumIter, strum::EnumMessage, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum MeterChoice {
    /// The first of the others that works, in their order.
    #[default]
    Auto,
    /// A command that prints the joules so far, such as those of a plug.
    External,
    /// The processor's own counters, which mostly only root may read and virtual machines lack.
    Rapl,
    /// An estimate from processor time, time and memory, with average watts of a virtual processor.
    Vcpu,
    /// An estimate from processor time and memory, with the processor's thermal design power.
    Tdp,
    /// None: energy is not recorded.
    Off,
}

/// What meters need to know. [`Self::new`] has what is right outside tests, save the command.
#[derive(Debug, Clone)]
pub struct MeterSettings {
    pub choice: MeterChoice,
    /// The command of `external`, as a shell reads it. It runs with our environment and prints one number, the joules so far.
    pub command: Option<String>,
    /// How long the command may take.
    pub command_limit: Duration,
    /// How many jobs this process works on at once. With more than one, nobody knows whose energy it was.
    pub jobs: NonZeroU32,
    /// The process that estimates are of, with its descendants.
    pub root: u32,
    /// Where the kernel shows the processor's counters.
    pub powercap: PathBuf,
    /// How long a counter may stand still under full load.
    pub still_limit: Duration,
    pub coefficients: Coefficients,
}

impl MeterSettings {
    /// The first meter that works, for this process with one job.
    pub fn new(coefficients: Coefficients) -> Self {
        Self {
            choice: MeterChoice::default(),
            command: None,
            // A management controller takes about a second.
            command_limit: Duration::from_secs(10),
            jobs: NonZeroU32::MIN,
            root: std::process::id(),
            powercap: PathBuf::from("/sys/class/powercap"),
            // EcoScratch, section 9.
            still_limit: Duration::from_secs(2),
            coefficients,
        }
    }
}

#[cfg(test)]
mod tests {
    use strum::{EnumMessage as _, IntoEnumIterator as _};

    use super::*;

    #[test]
    fn choices_are_parsed_as_they_are_written_and_all_are_described() {
        for choice in MeterChoice::iter() {
            assert_eq!(choice.to_string().parse(), Ok(choice));
            assert!(choice.get_documentation().is_some(), "{choice}");
        }
        let words: Vec<String> = MeterChoice::iter().map(|choice| choice.to_string()).collect();
        assert_eq!(words, ["auto", "external", "rapl", "vcpu", "tdp", "off"]);
        assert!("plug".parse::<MeterChoice>().is_err());
    }
}
