//! Why energy can't be found.

use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use crate::model::{Blame, Coded};

/// Errors of the room.
#[derive(Debug, thiserror::Error)]
pub enum MeterError {
    /// `external` was chosen without a command.
    #[error("there is no command that prints joules")]
    NoCommand,
    /// No shell, or no more processes.
    #[error("the command of the meter, `{command}`, can't be started")]
    CommandNotStarted { command: String, source: std::io::Error },
    /// The command says that it failed.
    #[error("the command of the meter, `{command}`, ended with {status}: {said}")]
    CommandFailed { command: String, status: ExitStatus, said: String },
    /// The command takes too long, or leaves something running that holds its output.
    #[error("the command of the meter, `{command}`, has not ended within {limit:?}")]
    CommandHangs { command: String, limit: Duration },
    /// The command prints something else than one number from 0.
    #[error("the command of the meter, `{command}`, prints `{printed}`, not joules")]
    NotJoules { command: String, printed: String },
    /// Joules so far can't become fewer: the meter was reset, or shows watts.
    #[error("the command of the meter, `{command}`, printed {before} J and now {now} J")]
    WentBackwards { command: String, before: f64, now: f64 },
    /// The kernel shows no counters: a virtual machine, or another kind of processor.
    #[error("{folder} has no counters of processors")]
    NoPackages { folder: PathBuf },
    /// Only others may read the counter.
    #[error("{file} may not be read")]
    Denied { file: PathBuf },
    /// The counter can't be read for another reason.
    #[error("{file} can't be read")]
    Unreadable { file: PathBuf, source: std::io::Error },
    /// The counter is no number.
    #[error("{file} has `{text}`, which is no number")]
    NoNumber { file: PathBuf, text: String },
    /// The counter doesn't move while all processors work: nothing is behind it.
    #[error("{file} has not moved within {limit:?} of full load")]
    StandsStill { file: PathBuf, limit: Duration },
    /// There is no such process, or `/proc` is not there.
    #[error("there is no process {root} whose energy could be estimated")]
    NoProcess { root: u32 },
    /// The machine's processors and memory are unknown.
    #[error("the processors and the memory of this machine can't be found")]
    MachineUnknown { source: procfs::ProcError },
    /// A reading failed before, so what was used since then belongs to no stage.
    #[error("the meter was not read at the end of stage `{stage}`")]
    BorderMissed { stage: String },
    /// The reading was broken off.
    #[error("the reading of the meter was broken off")]
    BrokenOff { source: tokio::task::JoinError },
}

impl Coded for MeterError {
    fn code(&self) -> &'static str {
        match self {
            Self::NoCommand => "no_meter_command",
            Self::CommandNotStarted { .. } => "meter_not_started",
            Self::CommandFailed { .. } => "meter_failed",
            Self::CommandHangs { .. } => "meter_hangs",
            Self::NotJoules { .. } => "meter_not_joules",
            Self::WentBackwards { .. } => "meter_went_backwards",
            Self::NoPackages { .. } => "no_energy_counters",
            Self::Denied { .. } => "energy_counter_denied",
            Self::Unreadable { .. } | Self::NoNumber { .. } => "energy_counter_unreadable",
            Self::StandsStill { .. } => "energy_counter_still",
            Self::NoProcess { .. } => "no_process",
            Self::MachineUnknown { .. } => "machine_unknown",
            Self::BorderMissed { .. } => "stage_border_missed",
            Self::BrokenOff { .. } => "meter_broken_off",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoCommand => "give one that prints the joules so far, or choose another meter",
            Self::NotJoules { .. } => "it has to print one number, the joules so far, and nothing else",
            Self::WentBackwards { .. } => "it has to print the joules so far, not watts",
            Self::NoPackages { .. } | Self::StandsStill { .. } => "choose `vcpu`, which estimates, or `external`",
            // CVE-2020-8694: fine readings tell what other programs reckon with.
            Self::Denied { .. } => "only root may read it by default, since it can give secrets away (CVE-2020-8694)",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        match self {
            Self::NoCommand | Self::NotJoules { .. } | Self::WentBackwards { .. } => Blame::Input,
            Self::NoPackages { .. } | Self::Denied { .. } | Self::StandsStill { .. } | Self::MachineUnknown { .. } => {
                Blame::Machine
            }
            _ => Blame::Testbed,
        }
    }
}
