//! The secret seeds under which the tasks of an experiment are judged: one for all its arms, so that they are compared at the same
//! inputs. It is drawn when the experiment is begun, stands in the records of the arms' runs, and reaches workers with the pins of
//! the experiment. A folder that was handed over brings none into judgements to come.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::arm::ArmArgs;
use super::checked::Checked;
use crate::flags::failure::Failure;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::tasks::Tasks;
use scratchbed::experiment::Benchmark as _;
use scratchbed::experiment::engine::entry;
use scratchbed::ledger::Ledger;
use scratchbed::model::JudgeSeed;
use scratchbed::store::{RunDir, StoreError, VerdictStore};

/// The seed of each arm. An arm that was begun keeps its own, or goes on without one as it was begun; the folder of one that was begun
/// elsewhere is taken over with the seed that the ledger has for it, or else with that of the others.
pub async fn judge_seeds(checked: &Checked, ledger: &Ledger, settings: &Settings) -> Result<Vec<JudgeSeed>, Failure> {
    let name = &checked.file.name;
    let (pins, begun) = if ledger.experiments().await?.contains(name) {
        (ledger.pins(name).await?, ledger.specs(name).await?)
    } else {
        (Value::Null, BTreeMap::new())
    };
    let verdicts = VerdictStore::new(settings.root.verdicts());
    let mut known = Vec::new();
    for arm in &checked.arms {
        let folder = checked.folder(settings).join(&arm.label);
        let pinned = begun.contains_key(&arm.label).then(|| entry::judge_seed(&pins, &arm.label));
        known.push(if RunDir::has_attempts(&folder) { of_run(&folder, pinned, &verdicts)? } else { pinned });
    }
    let seeds = shared(&known);
    for (arm, seed) in checked.arms.iter().zip(&seeds) {
        if matches!(arm.args, ArmArgs::Tasks(_)) {
            claim(&checked.folder(settings).join(&arm.label), *seed, &verdicts)?;
        }
    }
    Ok(seeds)
}

/// The seed of a run with attempts: its own if it was begun here or for this ledger, and else what the ledger has for it.
fn of_run(folder: &Path, pinned: Option<JudgeSeed>, verdicts: &VerdictStore) -> Result<Option<JudgeSeed>, StoreError> {
    let run = RunDir::open(folder)?;
    let own = Some(of_record(&run));
    // Who knows the seed in our ledger has it from there: attempts of workers were fetched.
    Ok(if own == pinned || verdicts.has_begun(&run)? { own } else { pinned })
}

fn of_record(run: &RunDir) -> JudgeSeed {
    run.record().judge_seed.map_or(JudgeSeed::Absent, JudgeSeed::Given)
}

/// Takes the run with attempts in this folder over if it has another seed than its arm.
fn claim(folder: &Path, seed: JudgeSeed, verdicts: &VerdictStore) -> Result<(), StoreError> {
    if RunDir::has_attempts(folder) && of_record(&RunDir::open(folder)?) != seed {
        verdicts.take_over(RunDir::resume(folder)?, seed.chosen())?;
    }
    Ok(())
}

/// Gives new arms the seed of those that were begun, or one that is drawn.
fn shared(known: &[Option<JudgeSeed>]) -> Vec<JudgeSeed> {
    let begun = known.iter().flatten().find(|seed| matches!(seed, JudgeSeed::Given(_))).copied();
    let seed = begun.unwrap_or_else(|| JudgeSeed::Given(JudgeSeed::draw()));
    known.iter().map(|known| known.unwrap_or(seed)).collect()
}

/// The runs of an experiment's arms, of which the ledger knows nothing, with seeds of this checkout: those of tasks that were begun
/// elsewhere get the seed of those that were begun here, or one that is drawn for all of them.
///
/// # Errors
/// When the disk refuses.
pub fn with_own_seeds(runs: Vec<RunDir>, verdicts: &VerdictStore) -> Result<Vec<RunDir>, StoreError> {
    let mut known = Vec::new();
    for run in &runs {
        known.push(verdicts.has_begun(run)?.then(|| of_record(run)));
    }
    let seeds = shared(&known);
    let own = |(run, (known, seed)): (RunDir, (Option<JudgeSeed>, JudgeSeed))| {
        // Other benchmarks than tasks judge under no seed.
        let is_judged = run.record().benchmark == Tasks::NAME;
        let seed = if is_judged { seed.chosen() } else { run.record().judge_seed };
        if known.is_some() { Ok(run) } else { verdicts.take_over(run, seed) }
    };
    runs.into_iter().zip(known.into_iter().zip(seeds)).map(own).collect()
}

#[cfg(test)]
#[path = "judge_seeds_tests.rs"]
mod tests;
