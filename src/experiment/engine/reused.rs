//! Files of attempts that were made for other experiments: reports and exports look for them in the folders of the arms that
//! count them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::CellRef;
use crate::ledger::Reused;
use crate::store::{RunDir, StoreError, TakenFrom, VerdictStore};

/// What was brought.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Brought {
    /// Attempts that were not here before.
    pub new: u64,
    /// Attempts whose files are not on this machine: their experiments, arms and items.
    pub missing: Vec<String>,
}

/// Brings reused attempts into the folders of an experiment's arms; `experiments` is the folder of all experiments. Under which secret
/// seed each was judged is kept in `verdicts`.
///
/// # Errors
/// When the disk refuses.
pub fn bring(
    experiments: &Path,
    experiment: &str,
    reused: &[Reused],
    verdicts: &VerdictStore,
) -> Result<Brought, StoreError> {
    let mut brought = Brought::default();
    let mut sources: BTreeMap<PathBuf, Option<RunDir>> = BTreeMap::new();
    for one in reused {
        let within = CellRef::of(&one.item, one.epoch, one.number).folder();
        let own = || experiments.join(&one.from).join(&one.from_arm);
        let run = one.run.as_ref().map_or_else(own, PathBuf::from);
        let made = run.join(within);
        let source = sources.entry(run).or_insert_with_key(|run| RunDir::open(run).ok()).as_ref();
        let judge_seed = source.and_then(|source| source.record().judge_seed);
        let (from, arm, attempt) = (one.from.clone(), one.from_arm.clone(), one.attempt.clone());
        let from = TakenFrom { experiment: from, arm, attempt, judge_seed };
        let to = experiments.join(experiment).join(&one.arm);
        match from.bring(&made, &to)? {
            Some(is_new) => {
                keep_seed(verdicts, source, (&made, is_new), &to)?;
                brought.new += u64::from(is_new);
            }
            None => brought.missing.push(format!("{} {} {} {}", one.from, one.from_arm, one.item, one.epoch)),
        }
    }
    Ok(brought)
}

/// Keeps under which seed a brought attempt was judged: that of one that was there already stays as it is.
fn keep_seed(
    verdicts: &VerdictStore,
    source: Option<&RunDir>,
    (made, is_new): (&Path, bool),
    to: &Path,
) -> Result<(), StoreError> {
    let (Some(source), Some(name)) = (source, made.file_name()) else { return Ok(()) };
    let name = name.to_string_lossy();
    if is_new || verdicts.taken(to, &name)?.is_none() {
        verdicts.keep_taken(source, to, &name)?;
    }
    Ok(())
}
