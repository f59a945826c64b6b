//! Files of attempts that were made for other experiments: reports and exports look for them in the folders of the arms that
//! count them.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::CellRef;
use crate::ledger::Reused;
use crate::store::{StoreError, TakenFrom};

/// What was brought.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Brought {
    /// Attempts that were not here before.
    pub new: u64,
    /// Attempts whose files are not on this machine: their experiments, arms and items.
    pub missing: Vec<String>,
}

/// Brings reused attempts into the folders of an experiment's arms; `experiments` is the folder of all experiments.
///
/// # Errors
/// When the disk refuses.
pub fn bring(experiments: &Path, experiment: &str, reused: &[Reused]) -> Result<Brought, StoreError> {
    let mut brought = Brought::default();
    for one in reused {
        let within = CellRef::of(&one.item, one.epoch, one.number).folder();
        let own = || experiments.join(&one.from).join(&one.from_arm);
        let made = one.run.as_ref().map_or_else(own, PathBuf::from).join(within);
        let from = TakenFrom { experiment: one.from.clone(), arm: one.from_arm.clone(), attempt: one.attempt.clone() };
        match from.bring(&made, &experiments.join(experiment).join(&one.arm))? {
            Some(is_new) => brought.new += u64::from(is_new),
            None => brought.missing.push(format!("{} {} {} {}", one.from, one.from_arm, one.item, one.epoch)),
        }
    }
    Ok(brought)
}
