//! How many repairs pass, how far they are from gold, and where they stop. An instance without an answer stays in the denominator.

use serde::{Deserialize, Serialize};
use strum::IntoEnumIterator as _;

use super::Item;
use super::tally::{Judged, Tally};
use crate::grade::{LeftOut, Proportion, mean_interval};
use crate::mend::{Mode, Repair, Stage};
use crate::model::{AttemptRecord, ItemId};

type Record = AttemptRecord<Option<Repair>>;
type Answered<'a> = Judged<'a, Repair>;

/// The mean of so many values; none of none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    pub n: usize,
    pub mean: Option<f64>,
}

impl Mean {
    #[expect(clippy::cast_precision_loss, reason = "repairs are few")]
    fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.into_iter().collect();
        let n = values.len();
        Self { n, mean: (n > 0).then(|| values.iter().sum::<f64>() / n as f64) }
    }
}

/// Means over repairs that were applied, and over those that passed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Band {
    pub applied: Mean,
    pub passed: Mean,
}

/// The figures of some instances.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// The pattern or difficulty; `all`.
    pub name: String,
    /// Functionally successful, of all that count (section 5.3).
    pub repaired: Proportion,
    /// Passed with gold's own edits.
    pub exact: Proportion,
    /// Applied, of all that count.
    pub applied: Proportion,
    /// Of the applied ones, those with all edits in gold's scripts, and those with any.
    pub within_region: Proportion,
    pub located: Proportion,
    /// Edit distance to gold (section 5.4), and normalised edits.
    pub distance: Band,
    pub edits: Band,
    /// Semantic drift (section 5.5): over the state's signals; over all; and the buggy projects'.
    pub drift: Band,
    pub drift_all: Band,
    pub buggy_drift: Mean,
    /// The mean share of assertions that hold, of the applied ones, in percent.
    pub assertions: Mean,
    /// Its 95 % interval.
    pub assertions_interval: Option<(f64, f64)>,
    /// Of all that count, those after which all assertions on the fault hold (fail to pass), and of these those that also keep all guards
    /// (pass to pass).
    pub asserted: Proportion,
    pub guarded: Proportion,
}

/// How many repairs ended at a stage, or went wrong in a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted<K> {
    pub kind: K,
    pub count: usize,
}

/// The figures of one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    pub all: Group,
    /// Patterns and difficulties that occur.
    pub patterns: Vec<Group>,
    pub difficulties: Vec<Group>,
    /// Every stage, zeros included.
    pub stages: Vec<Counted<Stage>>,
    /// Every way to go wrong, of repairs that did not pass; several may hold of one.
    pub modes: Vec<Counted<Mode>>,
    /// Instances that have no answer and count as not repaired.
    pub unanswered: usize,
    /// Attempts that do not count, and why.
    pub left_out: Vec<LeftOut>,
    /// Instances none of whose attempts counts.
    pub missing: usize,
    /// The floor below all of this: instances that the baseline `search` repairs. Absent where the benchmark does not say it of all.
    pub floor: Option<Proportion>,
}

/// The name of the floor in tables.
pub const FLOOR: &str = "search (floor)";

/// Scores the attempts of a run, each for itself.
pub fn score(items: &[Item], records: &[Record]) -> Score {
    let tally = Tally::of(items, records);
    let (all, patterns, difficulties) = tally.groups(group);
    Score {
        all,
        patterns,
        difficulties,
        stages: count(Stage::iter(), |stage| tally.details().filter(|repair| repair.stage == stage).count()),
        modes: count(Mode::iter(), |mode| tally.details().filter(|repair| repair.modes.contains(&mode)).count()),
        unanswered: tally.unanswered(),
        left_out: tally.left_out,
        missing: tally.missing,
        floor: floor(items),
    }
}

/// Instances that the baseline `search` repairs; `None` where the benchmark does not say it of all.
fn floor(items: &[Item]) -> Option<Proportion> {
    let known: Option<Vec<(&ItemId, bool)>> = items.iter().map(|item| Some((&item.id, item.search?))).collect();
    known.filter(|known| !known.is_empty()).map(Proportion::clustered)
}

fn count<K: Copy>(kinds: impl Iterator<Item = K>, of: impl Fn(K) -> usize) -> Vec<Counted<K>> {
    kinds.map(|kind| Counted { kind, count: of(kind) }).collect()
}

fn group(name: &str, all: &[&Answered<'_>]) -> Group {
    let share = |of: &[&Answered<'_>], is: &dyn Fn(&Repair) -> bool| {
        Proportion::clustered(of.iter().map(|one| (&one.item.id, one.detail.is_some_and(is))))
    };
    let applied: Vec<&Answered<'_>> =
        all.iter().filter(|one| one.detail.is_some_and(|repair| repair.stage.is_applied())).copied().collect();
    let asserted: Vec<&Answered<'_>> =
        all.iter().filter(|one| one.detail.is_some_and(holds_assertions)).copied().collect();
    let assertions: Vec<(&ItemId, f64)> = applied.iter().filter_map(|one| held(one)).collect();
    Group {
        name: name.to_owned(),
        repaired: share(all, &|repair| repair.stage == Stage::Passed),
        exact: share(all, &|repair| repair.exact),
        applied: share(all, &|repair| repair.stage.is_applied()),
        within_region: share(&applied, &|repair| repair.within_region),
        located: share(&applied, &|repair| repair.located),
        distance: band(&applied, |repair| repair.distance.map(whole)),
        edits: band(&applied, |repair| repair.edits.map(whole)),
        drift: band(&applied, |repair| repair.drift),
        drift_all: band(&applied, |repair| repair.drift_all),
        buggy_drift: band(&applied, |repair| repair.buggy_drift).applied,
        assertions: Mean::of(assertions.iter().map(|(_, share)| 100.0 * share)),
        assertions_interval: mean_interval(assertions),
        asserted: share(all, &holds_assertions),
        guarded: share(&asserted, &|repair| repair.stage == Stage::Passed),
    }
}

/// Whether the fault is gone, whatever else is.
fn holds_assertions(repair: &Repair) -> bool {
    let is_clean = matches!(repair.stage, Stage::GuardFailed | Stage::Passed);
    is_clean || (repair.stage == Stage::ConsoleError && repair.assertions.held == repair.assertions.of)
}

/// The share of assertions that hold.
fn held<'a>(one: &Answered<'a>) -> Option<(&'a ItemId, f64)> {
    let held = one.detail?.assertions;
    (held.of > 0).then(|| (&one.item.id, whole(held.held) / whole(held.of)))
}

#[expect(clippy::cast_precision_loss, reason = "edits are few")]
const fn whole(count: usize) -> f64 {
    count as f64
}

fn band(applied: &[&Answered<'_>], value: impl Fn(&Repair) -> Option<f64>) -> Band {
    let repairs = || applied.iter().filter_map(|one| one.detail);
    Band {
        applied: Mean::of(repairs().filter_map(&value)),
        passed: Mean::of(repairs().filter(|repair| repair.stage == Stage::Passed).filter_map(&value)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::bugs::Difficulty;
    use crate::mend::Held;
    use crate::model::{Cost, Outcome, RUN_FORMAT};

    fn items() -> Vec<Item> {
        let item = |(id, pattern): (&str, &str)| Item {
            id: id.parse().unwrap(),
            pattern: pattern.to_owned(),
            difficulty: Difficulty::Easy,
            search: (id != "c").then_some(id == "a"),
        };
        [("a", "desynchronization"), ("b", "desynchronization"), ("c", "untriggered_event")].map(item).to_vec()
    }

    fn repair(stage: Stage, distance: Option<usize>, drift: Option<f64>) -> Repair {
        Repair {
            stage,
            message: None,
            explanation: String::new(),
            patch: Vec::new(),
            edits: distance,
            distance,
            drift,
            drift_all: drift,
            buggy_drift: Some(0.3),
            exact: stage == Stage::Passed && distance == Some(0),
            within_region: stage == Stage::Passed,
            located: true,
            assertions: Held { held: 1, of: 2 },
            guards: Held { held: 3, of: 4 },
            failed: Vec::new(),
            broken: Vec::new(),
            modes: if stage == Stage::Passed { BTreeSet::new() } else { BTreeSet::from([Mode::Other]) },
            flags: BTreeSet::new(),
            runs: None,
        }
    }

    fn record(id: &str, outcome: Outcome, detail: Option<Repair>) -> Record {
        let (format, item, cost) = (RUN_FORMAT, id.parse().unwrap(), Cost::default());
        AttemptRecord { format, item, attempt: 1, retry: 0, outcome, error: None, cost, detail }
    }

    /// The distances of section 5.4, whose mean is 2.2, and one that can't be applied.
    #[test]
    fn means_are_over_what_was_applied_and_rates_over_all_that_counts() {
        let distances = [
            (Stage::AssertionFailed, 1),
            (Stage::AssertionFailed, 2),
            (Stage::Passed, 0),
            (Stage::Passed, 2),
            (Stage::AssertionFailed, 6),
        ];
        let mut records: Vec<Record> = distances
            .into_iter()
            .map(|(stage, distance)| {
                let outcome = if stage == Stage::Passed { Outcome::Passed } else { Outcome::Failed };
                record("a", outcome, Some(repair(stage, Some(distance), Some(0.5))))
            })
            .collect();
        records.push(record("b", Outcome::Failed, Some(repair(Stage::Conflict, None, None))));
        let score = score(&items(), &records);
        let all = &score.all;
        assert!((all.distance.applied.mean.unwrap() - 2.2).abs() < 1e-12);
        assert_eq!((all.distance.passed.mean, all.distance.applied.n, all.distance.passed.n), (Some(1.0), 5, 2));
        assert_eq!((all.repaired.hits, all.repaired.n, all.exact.hits, all.applied.hits), (2, 6, 1, 5));
        assert_eq!((all.drift.applied.mean, all.drift.applied.n, all.located.n), (Some(0.5), 5, 5));
        assert_eq!((all.assertions.mean, all.assertions.n), (Some(50.0), 5), "each attempt for itself");
        assert_eq!(score.stages.iter().map(|one| one.count).sum::<usize>(), 6);
        assert_eq!((score.missing, score.patterns.len(), score.patterns[0].repaired.n), (1, 1, 6));
    }

    #[test]
    fn what_breaks_a_guard_is_not_repaired_and_told_apart() {
        let records = [
            record("a", Outcome::Failed, Some(repair(Stage::GuardFailed, Some(2), Some(0.2)))),
            record("b", Outcome::Passed, Some(repair(Stage::Passed, Some(0), Some(0.0)))),
            record("c", Outcome::Failed, Some(repair(Stage::AssertionFailed, Some(1), Some(0.1)))),
        ];
        let all = score(&items(), &records).all;
        let of = |share: &Proportion| (share.hits, share.n);
        assert_eq!((of(&all.repaired), of(&all.asserted), of(&all.guarded)), ((1, 3), (2, 3), (1, 2)));
    }

    #[test]
    fn silence_stays_in_the_denominator_and_the_testbeds_faults_do_not() {
        let records = [
            record("a", Outcome::Passed, Some(repair(Stage::Passed, Some(0), Some(0.0)))),
            record("b", Outcome::CallFailed, None),
            record("c", Outcome::InfraError, None),
        ];
        let score = score(&items(), &records);
        assert_eq!((score.all.repaired.hits, score.all.repaired.n, score.unanswered, score.missing), (1, 2, 1, 1));
        assert_eq!(score.left_out, [LeftOut { why: "infra_error", count: 1 }]);
        assert_eq!(score.difficulties.len(), 1);
    }

    #[test]
    fn the_floor_is_what_a_search_repairs_and_unknown_where_one_instance_does_not_say() {
        assert_eq!(score(&items(), &[]).floor, None);
        let floor = score(&items()[..2], &[]).floor.unwrap();
        assert_eq!((floor.hits, floor.n), (1, 2));
        assert_eq!(score(&[], &[]).floor, None);
    }

    /// Flags turn nothing away: both rates are told.
    #[test]
    fn a_filter_saves_runs_and_may_cost_repairs() {
        use crate::patches::lint::{Code, Group};
        let flagged = |stage, code| Repair { flags: BTreeSet::from([code]), ..repair(stage, Some(1), None) };
        let records = [
            record("a", Outcome::Failed, Some(flagged(Stage::AssertionFailed, Code::BarrierSubstituted))),
            record("b", Outcome::Passed, Some(flagged(Stage::Passed, Code::DelayGuess))),
            record("c", Outcome::Failed, Some(flagged(Stage::AssertionFailed, Code::LabelOnly))),
            record("a", Outcome::Failed, Some(repair(Stage::Conflict, None, None))),
            record("b", Outcome::Passed, Some(repair(Stage::Passed, Some(0), None))),
        ];
        let found = super::super::filtered(&items(), &records, &[Group::Barrier]);
        let of = |share: &crate::grade::Proportion| (share.hits, share.n);
        assert_eq!((of(&found.detection.precision), of(&found.detection.recall)), ((1, 2), (1, 2)));
        assert_eq!((of(&found.not_run), of(&found.repaired), of(&found.repaired_with)), ((2, 4), (2, 5), (1, 5)));
        let both = super::super::filtered(&items(), &records, &[Group::Barrier, Group::Binding]);
        assert_eq!((of(&both.detection.recall), of(&both.not_run)), ((2, 2), (3, 4)));
    }
}
