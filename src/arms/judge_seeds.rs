//! The secret seeds under which the tasks of an experiment are judged: one for all its arms, so that they are compared at the same
//! inputs. It is drawn when the experiment is begun, stands in the records of the arms' runs, and reaches workers with the pins of
//! the experiment.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::checked::Checked;
use crate::flags::failure::Failure;
use crate::flags::settings::Settings;
use scratchbed::experiment::engine::entry;
use scratchbed::ledger::Ledger;
use scratchbed::model::JudgeSeed;
use scratchbed::store::RunDir;

/// The seed of each arm. An arm that was begun keeps its own, or goes on without one as it was begun.
pub async fn judge_seeds(checked: &Checked, ledger: &Ledger, settings: &Settings) -> Result<Vec<JudgeSeed>, Failure> {
    let name = &checked.file.name;
    let (pins, begun) = if ledger.experiments().await?.contains(name) {
        (ledger.pins(name).await?, ledger.specs(name).await?)
    } else {
        (Value::Null, BTreeMap::new())
    };
    let mut known = Vec::new();
    for arm in &checked.arms {
        let folder = checked.folder(settings).join(&arm.label);
        known.push(if RunDir::has_attempts(&folder) {
            Some(of_run(&folder)?)
        } else {
            begun.contains_key(&arm.label).then(|| entry::judge_seed(&pins, &arm.label))
        });
    }
    Ok(shared(&known))
}

fn of_run(folder: &Path) -> Result<JudgeSeed, Failure> {
    Ok(RunDir::open(folder)?.record().judge_seed.map_or(JudgeSeed::Absent, JudgeSeed::Given))
}

/// Gives new arms the seed of those that were begun, or one that is drawn.
fn shared(known: &[Option<JudgeSeed>]) -> Vec<JudgeSeed> {
    let begun = known.iter().flatten().find(|seed| matches!(seed, JudgeSeed::Given(_))).copied();
    let seed = begun.unwrap_or_else(|| JudgeSeed::Given(JudgeSeed::draw()));
    known.iter().map(|known| known.unwrap_or(seed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_arms_of_an_experiment_have_one_seed_and_keep_it() {
        let new = shared(&[None, None]);
        assert!(new[0] == new[1] && matches!(new[0], JudgeSeed::Given(_)), "{new:?}");
        let (given, absent) = (JudgeSeed::Given(3_000_000_000), JudgeSeed::Absent);
        assert_eq!(shared(&[Some(given), None]), [given, given], "a new arm is compared with the old one");
        let old = shared(&[Some(absent), None]);
        assert!(old[0] == absent && old[1] != absent, "what was begun without goes on without: {old:?}");
    }
}
