//! Finding the first meter that works, once, and beginning it for each piece of work.

use std::path::Path;

use tracing::debug;

use super::external::External;
use super::machine::Machine;
use super::process_tree::tree;
use super::rapl::Rapl;
use super::reading::{Meter, Source};
use super::stages::EnergyTracker;
use super::watch::Watch;
use super::{MeterChoice, MeterError, MeterSettings};
use crate::model::{EnergyMethod, EnergyScope};

/// The methods in the order in which `auto` tries them (EcoScratch, section 9).
const ORDER: [EnergyMethod; 4] = [EnergyMethod::External, EnergyMethod::Rapl, EnergyMethod::Vcpu, EnergyMethod::Tdp];

/// A kind of meter that was found to work, or none if energy is not to be recorded.
#[derive(Debug)]
pub struct Meters {
    settings: MeterSettings,
    method: Option<EnergyMethod>,
    passed_over: Vec<(EnergyMethod, MeterError)>,
}

impl Meters {
    /// Tries the meter that was chosen; for `auto` one after another. This blocks, with counters for up to two seconds of
    /// full load: do it once for a run, before anything is measured.
    ///
    /// # Errors
    /// Why the chosen meter doesn't work; for `auto`, why the last one doesn't.
    pub fn choose(settings: MeterSettings) -> Result<Self, MeterError> {
        let method = match settings.choice {
            MeterChoice::Auto => return Self::first(settings),
            MeterChoice::External => Some(EnergyMethod::External),
            MeterChoice::Rapl => Some(EnergyMethod::Rapl),
            MeterChoice::Vcpu => Some(EnergyMethod::Vcpu),
            MeterChoice::Tdp => Some(EnergyMethod::Tdp),
            MeterChoice::Off => None,
        };
        if let Some(method) = method {
            attempt(method, &settings)?;
        }
        Ok(Self { settings, method, passed_over: Vec::new() })
    }

    fn first(settings: MeterSettings) -> Result<Self, MeterError> {
        let mut passed_over = Vec::new();
        for method in ORDER {
            match attempt(method, &settings) {
                Ok(()) => return Ok(Self { settings, method: Some(method), passed_over }),
                Err(error) => {
                    debug!(%method, %error, "meter passed over");
                    passed_over.push((method, error));
                }
            }
        }
        let root = settings.root;
        Err(passed_over.pop().map_or(MeterError::NoProcess { root }, |(_, error)| error))
    }

    /// How energy is found; `None` if it is not to be recorded.
    pub const fn method(&self) -> Option<EnergyMethod> {
        self.method
    }

    /// The meters before it, and why they don't work.
    pub fn passed_over(&self) -> &[(EnergyMethod, MeterError)] {
        &self.passed_over
    }

    /// Whose energy it is.
    pub fn scope(&self) -> Option<EnergyScope> {
        let scope = self.method?.scope();
        Some(if self.settings.jobs.get() > 1 { EnergyScope::Shared } else { scope })
    }

    /// SHA-256 of the coefficients of estimates.
    pub fn coefficients(&self) -> &str {
        self.settings.coefficients.digest()
    }

    /// Begins a meter; `None` if energy is not to be recorded. It blocks as [`Meter::read`] does.
    ///
    /// # Errors
    /// When the meter can't be read.
    pub fn begin(&self) -> Result<Option<Meter>, MeterError> {
        let Some(method) = self.method else { return Ok(None) };
        let source = source(method, &self.settings)?;
        let with_memory = matches!(source, Source::Vcpu { .. } | Source::Tdp { .. });
        Ok(Some(Meter::new(source, Watch::begin(self.settings.root, with_memory))))
    }

    /// Begins a meter for a piece of work that opens with this stage. It blocks as [`Meter::read`] does.
    ///
    /// # Errors
    /// When the meter can't be read.
    pub fn track(&self, first_stage: &str) -> Result<EnergyTracker, MeterError> {
        Ok(EnergyTracker::new(self, self.begin()?, first_stage))
    }
}

/// Whether a meter works.
fn attempt(method: EnergyMethod, settings: &MeterSettings) -> Result<(), MeterError> {
    match source(method, settings)? {
        Source::Rapl(mut rapl) => rapl.moves(settings.still_limit),
        Source::External(_) | Source::Vcpu { .. } | Source::Tdp { .. } => Ok(()),
    }
}

/// Begins what a meter has its figures from.
fn source(method: EnergyMethod, settings: &MeterSettings) -> Result<Source, MeterError> {
    Ok(match method {
        EnergyMethod::External => {
            let command = settings.command.as_deref().ok_or(MeterError::NoCommand)?;
            Source::External(External::begin(command, settings.command_limit)?)
        }
        EnergyMethod::Rapl => {
            Source::Rapl(Rapl::find(&settings.powercap, |file: &Path| std::fs::read_to_string(file))?)
        }
        EnergyMethod::Vcpu => {
            let (coefficients, machine) = (settings.coefficients.vcpu.clone(), estimable(settings.root)?);
            Source::Vcpu { coefficients, machine, jobs: f64::from(settings.jobs.get()) }
        }
        EnergyMethod::Tdp => {
            Source::Tdp { coefficients: settings.coefficients.tdp.clone(), machine: estimable(settings.root)? }
        }
    })
}

/// The machine, if the process whose energy is to be estimated is there.
fn estimable(root: u32) -> Result<Machine, MeterError> {
    if tree(root).is_empty() {
        return Err(MeterError::NoProcess { root });
    }
    Machine::read()
}

#[cfg(test)]
#[path = "choosing_tests.rs"]
mod tests;
