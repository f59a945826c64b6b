//! A meter that was begun, and what it shows.

use super::MeterError;
use super::coefficients::{Tdp, Vcpu};
use super::external::External;
use super::machine::Machine;
use super::rapl::Rapl;
use super::watch::{Used, Watch};

/// Joules of a watt-hour.
const JOULES_PER_WH: f64 = 3600.0;

/// What a meter shows since it was begun. Nothing in it ever falls.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Reading {
    /// Watt-hours.
    pub wh: f64,
    /// Watt-hours without those that an idle machine uses too, where the meter tells them apart.
    pub marginal_wh: Option<f64>,
    /// Seconds of processor time of the process and its descendants.
    pub cpu_s: f64,
    /// Seconds that passed.
    pub wall_s: f64,
}

/// Where a meter has its figures from.
#[derive(Debug)]
pub(super) enum Source {
    External(External),
    Rapl(Rapl),
    Vcpu { coefficients: Vcpu, machine: Machine, jobs: f64 },
    Tdp { coefficients: Tdp, machine: Machine },
}

/// A meter that was begun.
#[derive(Debug)]
pub struct Meter {
    source: Source,
    watch: Watch,
}

impl Meter {
    pub(super) const fn new(source: Source, watch: Watch) -> Self {
        Self { source, watch }
    }

    /// What it shows now. Reading takes from milliseconds to as long as the user's command may take, and blocks.
    ///
    /// # Errors
    /// When the user's command or a counter can't be read or makes no sense. Estimates have no errors.
    pub fn read(&mut self) -> Result<Reading, MeterError> {
        let used = self.watch.used();
        let (wh, marginal_wh) = self.source.wh(&used)?;
        Ok(Reading { wh, marginal_wh, cpu_s: used.cpu_s, wall_s: used.wall_s })
    }
}

impl Source {
    fn wh(&mut self, used: &Used) -> Result<(f64, Option<f64>), MeterError> {
        Ok(match self {
            Self::External(external) => (external.used()? / JOULES_PER_WH, None),
            Self::Rapl(rapl) => (rapl.used()? / JOULES_PER_WH, None),
            Self::Vcpu { coefficients, machine, jobs } => {
                let (wh, marginal) = coefficients.wh(used, machine, *jobs);
                (wh, Some(marginal))
            }
            Self::Tdp { coefficients, machine } => (coefficients.wh(used, machine), None),
        })
    }
}
