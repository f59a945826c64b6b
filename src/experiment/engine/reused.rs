//! Files of attempts that were made for other experiments: reports and exports look for them in the folders of the arms that
//! count them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::CellRef;
use crate::ledger::Reused;
use crate::store::{RunDir, StoreError, TakenFrom};

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
    let mut seeds: BTreeMap<PathBuf, Option<u64>> = BTreeMap::new();
    for one in reused {
        let within = CellRef::of(&one.item, one.epoch, one.number).folder();
        let own = || experiments.join(&one.from).join(&one.from_arm);
        let run = one.run.as_ref().map_or_else(own, PathBuf::from);
        let made = run.join(within);
        let judge_seed = *seeds.entry(run).or_insert_with_key(|run| RunDir::open(run).ok()?.record().judge_seed);
        let (from, arm, attempt) = (one.from.clone(), one.from_arm.clone(), one.attempt.clone());
        let from = TakenFrom { experiment: from, arm, attempt, judge_seed };
        match from.bring(&made, &experiments.join(experiment).join(&one.arm))? {
            Some(is_new) => brought.new += u64::from(is_new),
            None => brought.missing.push(format!("{} {} {} {}", one.from, one.from_arm, one.item, one.epoch)),
        }
    }
    Ok(brought)
}
