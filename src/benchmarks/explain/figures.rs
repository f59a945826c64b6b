//! Accuracies of explanations (ScratchEval, section 6.3): G-Acc, U-Acc, T-F1, M-Acc. An instance without an answer stays in the denominator.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Explained, Item};
use crate::benchmarks::repair::{Judged, Tally};
use crate::bugs::RecordStatus;
use crate::explain::{BugScore, f1};
use crate::grade::{LeftOut, Proportion};
use crate::model::AttemptRecord;

type Record = AttemptRecord<Option<Explained>>;

/// The figures of some instances.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// The pattern or difficulty; `all`.
    pub name: String,
    /// G-Acc: the summary is right, of instances whose project has a record that a person wrote or confirmed.
    pub goal: Proportion,
    /// U-Acc: trigger, mechanism and outcome are all right. Never above the three parts.
    pub understood: Proportion,
    pub trigger: Proportion,
    /// M-Acc.
    pub mechanism: Proportion,
    pub outcome: Proportion,
    /// T-F1 over all triggers together, and the mean of the instances' own; absent of nothing.
    pub trigger_f1: Option<f64>,
    pub trigger_f1_mean: Option<f64>,
}

/// Who stands for the records that summaries are scored with, as numbers of summaries. Together they are what G-Acc is of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ScoredRecords {
    /// A person wrote the record, and nobody has confirmed it by playing.
    pub written: usize,
    /// A named person has played the project and confirmed the record.
    pub confirmed: usize,
    /// Of runs of earlier versions, which do not say it.
    pub unknown: usize,
}

impl fmt::Display for ScoredRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { written, confirmed, unknown } = self;
        write!(f, "{written} written, {confirmed} confirmed by a player")?;
        if *unknown > 0 {
            write!(f, ", {unknown} of which the run does not say it")?;
        }
        Ok(())
    }
}

impl ScoredRecords {
    fn of<'a>(all: impl Iterator<Item = &'a Explained>) -> Self {
        let mut so_far = Self::default();
        for said in all.filter(|said| said.goal.is_some()) {
            match said.record {
                Some(RecordStatus::Written) => so_far.written += 1,
                Some(RecordStatus::Confirmed) => so_far.confirmed += 1,
                // With a draft no summary is scored.
                Some(RecordStatus::Draft) | None => so_far.unknown += 1,
            }
        }
        so_far
    }
}

/// The figures of one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    pub all: Group,
    pub records: ScoredRecords,
    /// Patterns and difficulties that occur.
    pub patterns: Vec<Group>,
    pub difficulties: Vec<Group>,
    /// Answers that could not be read, and instances without an answer.
    pub unreadable: usize,
    pub unanswered: usize,
    /// Attempts that do not count, and why.
    pub left_out: Vec<LeftOut>,
    /// Instances none of whose attempts counts.
    pub missing: usize,
    /// The floor below all of this: the figures of the baseline `report` at the same instances, where they are known.
    pub floor: Option<Group>,
}

/// The name of the floor in tables.
pub const FLOOR: &str = "report (floor)";

impl Score {
    /// With the floor that these attempts of the baseline come to.
    pub fn above(self, items: &[Item], baseline: &[Record]) -> Self {
        let floor = (!baseline.is_empty()).then(|| Group { name: FLOOR.to_owned(), ..score(items, baseline).all });
        Self { floor, ..self }
    }
}

/// Scores the attempts of a run, each for itself.
pub fn score(items: &[Item], records: &[Record]) -> Score {
    let tally = Tally::of(items, records);
    let (all, patterns, difficulties) = tally.groups(group);
    Score {
        all,
        records: ScoredRecords::of(tally.details()),
        patterns,
        difficulties,
        unreadable: tally.details().filter(|said| said.unreadable.is_some()).count(),
        unanswered: tally.unanswered(),
        left_out: tally.left_out,
        missing: tally.missing,
        floor: None,
    }
}

fn group(name: &str, all: &[&Judged<'_, Explained>]) -> Group {
    let share = |is: &dyn Fn(&BugScore) -> bool| {
        Proportion::clustered(all.iter().map(|one| (&one.item.id, one.detail.is_some_and(|said| is(&said.bug)))))
    };
    let goals = all.iter().filter_map(|one| Some((&one.item.id, one.detail?.goal?.is_right())));
    let bugs = || all.iter().filter_map(|one| one.detail).map(|said| &said.bug);
    let sum = |of: fn(&BugScore) -> usize| bugs().map(of).sum::<usize>();
    let understood = share(&BugScore::is_understood);
    // A sum of nothing is -0.
    let mean = || bugs().map(BugScore::f1).fold(0.0, |sum, own| sum + own) / f64::from(understood.n);
    Group {
        name: name.to_owned(),
        goal: Proportion::clustered(goals),
        understood,
        trigger: share(&|bug| bug.trigger),
        mechanism: share(&|bug| bug.mechanism),
        outcome: share(&|bug| bug.outcome),
        trigger_f1: (understood.n > 0).then(|| f1(sum(|bug| bug.hits), sum(|bug| bug.wrong), sum(|bug| bug.missed))),
        trigger_f1_mean: (understood.n > 0).then(mean),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bugs::Difficulty;
    use crate::explain::{Explanation, GoalScore};
    use crate::model::{Cost, Outcome, RUN_FORMAT};

    fn item(id: usize) -> Item {
        Item {
            id: format!("i{id}").parse().unwrap(),
            pattern: "desynchronization".to_owned(),
            difficulty: Difficulty::Hard,
            search: None,
        }
    }

    fn record(id: usize, outcome: Outcome, bug: Option<BugScore>) -> Record {
        let (goal, status) = (Some(GoalScore::default()), Some(RecordStatus::Written));
        let said = |bug| Explained { said: Explanation::default(), unreadable: None, bug, goal, record: status };
        let (format, item, cost) = (RUN_FORMAT, item(id).id, Cost::default());
        AttemptRecord { format, item, attempt: 1, retry: 0, outcome, error: None, cost, detail: bug.map(said) }
    }

    fn bug((trigger, mechanism, outcome): (bool, bool, bool)) -> BugScore {
        BugScore { trigger, mechanism, outcome, hits: usize::from(trigger), wrong: 0, missed: usize::from(!trigger) }
    }

    #[test]
    fn the_scored_summaries_say_who_stands_for_their_records() {
        let items: Vec<Item> = (0..5).map(item).collect();
        let mut records: Vec<Record> =
            (0..5).map(|id| record(id, Outcome::Failed, Some(bug((true, false, false))))).collect();
        let changed = [
            (Some(GoalScore::default()), Some(RecordStatus::Confirmed)),
            // Of an earlier version.
            (Some(GoalScore::default()), None),
            (None, Some(RecordStatus::Draft)),
        ];
        for (one, changed) in records.iter_mut().zip(changed) {
            let said = one.detail.as_mut().unwrap();
            (said.goal, said.record) = changed;
        }
        let found = score(&items, &records);
        assert_eq!(found.records, ScoredRecords { written: 2, confirmed: 1, unknown: 1 });
        assert_eq!((found.all.goal.n, found.all.understood.n), (4, 5));
        assert_eq!(found.records.to_string(), "2 written, 1 confirmed by a player, 1 of which the run does not say it");
        let known = ScoredRecords { unknown: 0, ..found.records };
        assert_eq!(known.to_string(), "2 written, 1 confirmed by a player");
        // As an attempt of an earlier version lies on disk.
        let mut kept = serde_json::to_value(&records[4]).unwrap();
        kept["detail"].as_object_mut().unwrap().shift_remove("record").unwrap();
        let read: Record = serde_json::from_value(kept).unwrap();
        assert_eq!(score(&items, &[read]).records.unknown, 1);
    }

    /// The four answers of section 6.3.
    #[test]
    fn the_example_of_the_specification() {
        let answers = [(true, true, true), (true, true, false), (false, true, true), (true, false, true)];
        let items: Vec<Item> = (0..5).map(item).collect();
        let mut records: Vec<Record> = answers
            .into_iter()
            .enumerate()
            .map(|(id, answer)| record(id, Outcome::Failed, Some(bug(answer))))
            .collect();
        let all = score(&items, &records).all;
        let percents = [all.understood, all.mechanism, all.trigger].map(|share| share.percent);
        assert_eq!(percents, [Some(25.0), Some(75.0), Some(75.0)]);
        assert_eq!((all.goal.hits, all.goal.n), (0, 4));
        records.push(record(4, Outcome::CallFailed, None));
        let baseline = [record(0, Outcome::Failed, Some(bug((true, false, true))))];
        let score = score(&items, &records).above(&items, &baseline);
        let floor = score.floor.unwrap();
        assert_eq!((floor.name.as_str(), floor.trigger.hits, floor.understood.hits), (FLOOR, 1, 0));
        assert_eq!((score.all.understood.percent, score.unanswered, score.missing), (Some(20.0), 1, 0));
    }

    proptest! {
        #[test]
        fn nothing_is_understood_more_often_than_its_parts(answers in prop::collection::vec(any::<(bool, bool, bool)>(), 1..40)) {
            let items: Vec<Item> = (0..answers.len()).map(item).collect();
            let records: Vec<Record> =
                answers.into_iter().enumerate().map(|(id, answer)| record(id, Outcome::Failed, Some(bug(answer)))).collect();
            let all = score(&items, &records).all;
            for part in [all.mechanism, all.trigger, all.outcome] {
                prop_assert!(all.understood.hits <= part.hits && part.n == all.understood.n);
            }
        }
    }
}
