//! What a run would have been worth had validators turned patches away before they were run (ScratchEval, section 10.1). Every patch is run
//! all the same: verdicts are the suite's, and only so can it be said what filtering saves and what it costs.

use serde::Serialize;

use super::Item;
use super::tally::Tally;
use crate::grade::{Detection, Proportion};
use crate::mend::{Repair, Stage};
use crate::model::AttemptRecord;
use crate::patches::lint::Group;

/// The effect of some groups of validators.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Filtered {
    /// What the validators are about.
    pub groups: Vec<Group>,
    /// How the flags of applied patches agree with the suites: `precision` of those flagged, the share that fails; `recall` of those that
    /// fail, the share that is flagged.
    #[serde(flatten)]
    pub detection: Detection,
    /// Of the applied patches, those that would not have been run.
    pub not_run: Proportion,
    /// Repaired without the filter, and with it: a patch that is turned away repairs nothing.
    pub repaired: Proportion,
    pub repaired_with: Proportion,
}

/// Reckons the effect of these groups over the attempts that count.
pub fn filtered(items: &[Item], records: &[AttemptRecord<Option<Repair>>], groups: &[Group]) -> Filtered {
    let tally = Tally::of(items, records);
    let is_flagged = |repair: &Repair| repair.flags.iter().any(|code| groups.contains(&code.group()));
    let passes = |repair: &Repair| repair.stage == Stage::Passed;
    let applied = || tally.judged.iter().filter(|one| one.detail.is_some_and(|repair| repair.stage.is_applied()));
    let share = |is: &dyn Fn(&Repair) -> bool| {
        Proportion::clustered(tally.judged.iter().map(|one| (&one.item.id, one.detail.is_some_and(is))))
    };
    Filtered {
        groups: groups.to_vec(),
        detection: Detection::of(
            applied().filter_map(|one| one.detail).map(|repair| (is_flagged(repair), !passes(repair))),
        ),
        not_run: Proportion::clustered(applied().map(|one| (&one.item.id, one.detail.is_some_and(is_flagged)))),
        repaired: share(&passes),
        repaired_with: share(&|repair| passes(repair) && !is_flagged(repair)),
    }
}
