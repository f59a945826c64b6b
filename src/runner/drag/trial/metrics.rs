//! The figures of the paper's tables 2 and 9, reckoned as the reference does (contract 7.6), and beyond them where
//! drags broke.

use std::collections::BTreeMap;

use serde::Serialize;

use super::breakage::Stage;
use super::measure::{DragDetail, FailureType};
use crate::grade::{FOUND_RUNS, LeftOut, found_runs, left_out};
use crate::model::{TrialOutcome, TrialRecord};
use crate::runner::trials::{Counted, Interval, outcomes, pass_at, share_of, unbiased_pass_at};

/// The numbers of attempts that Pass@k is told for.
const KS: [usize; 3] = [1, 2, 3];

/// A trial of this benchmark.
type Record = TrialRecord<DragDetail>;

/// Types of interaction (paper, appendix I).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Split {
    /// Direct connection.
    T1,
    /// Slot insertion.
    T2,
    /// Both.
    #[serde(rename = "ALL")]
    All,
}

impl Split {
    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::T1 => "T1",
            Self::T2 => "T2",
            Self::All => "ALL",
        }
    }
}

/// Mean distance in pixels, and of how many trials.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Gap {
    /// The mean.
    pub pixels: f64,
    /// Trials.
    pub n: usize,
}

/// How many drags broke at a stage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BreakCount {
    /// The stage.
    pub stage: Stage,
    /// How many.
    pub count: usize,
    /// How far they missed; none if there are none.
    pub gap: Option<Gap>,
}

/// How many trials failed in one way, as the reference tells ways apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FailureCount {
    /// The way.
    pub failure: FailureType,
    /// How many.
    pub count: usize,
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Which items.
    pub split: Split,
    /// Items with a trial that counts.
    pub tasks: usize,
    /// Trials that count.
    pub runs: usize,
    /// Pass@1 to Pass@3 as the reference reckons them.
    pub pass_at: [Option<Interval>; 3],
    /// The same without the bias of the order; none where there are fewer attempts.
    pub unbiased: [Option<Interval>; 3],
    /// Trials that passed or began in the start region, of all.
    pub start_pass: Option<Interval>,
    /// Trials that passed, of those.
    pub end_pass: Option<Interval>,
    /// How far failed trials began from the start region, of those that began outside.
    pub start_gap: Option<Gap>,
    /// How far failed trials ended from the end region, of those that began in the start region.
    pub end_gap: Option<Gap>,
    /// Which end failed, as the reference tells.
    pub failures: Vec<FailureCount>,
    /// Where drags broke.
    pub breaks: Vec<BreakCount>,
    /// How trials ended, those that do not count included.
    pub outcomes: Vec<Counted>,
    /// Trials that are not counted, and why.
    pub left_out: Vec<LeftOut>,
}

/// All figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// T1, T2 and ALL.
    pub rows: Vec<Row>,
}

/// The figures of these trials; `is_insertion` says of an item whether it is one of T2.
pub fn summary(records: &[Record], is_insertion: impl Fn(&str) -> bool) -> Summary {
    by_split(records, is_insertion, |split, chosen| {
        let lost = chosen.iter().filter(|record| !record.outcome.counts());
        let left_out = left_out(lost.map(|record| record.outcome.name()));
        let row = row(split, &chosen);
        // Of fewer attempts there is no Pass@k; the reference gives that of as many as it finds.
        let most = most_attempts(&chosen);
        let mut pass_at = row.pass_at;
        for (pass_at, _) in pass_at.iter_mut().zip(KS).filter(|(_, k)| *k > most) {
            *pass_at = None;
        }
        Row { pass_at, left_out, ..row }
    })
}

/// The figures that the reference has for these trials: of each item the first three that have a result file there
/// (contract 7.6). Failed calls and unreadable answers have none, so that a later trial counts in their place.
pub fn reference_summary(records: &[Record], is_insertion: impl Fn(&str) -> bool) -> Summary {
    by_split(records, is_insertion, |split, chosen| {
        let (found, left_out) = found_runs(&chosen, FOUND_RUNS);
        Row { left_out, ..row(split, &found) }
    })
}

fn by_split(
    records: &[Record],
    is_insertion: impl Fn(&str) -> bool,
    row: impl Fn(Split, Vec<&Record>) -> Row,
) -> Summary {
    let of = |split: Split| {
        let chosen = records.iter().filter(|record| match split {
            Split::T1 => !is_insertion(&record.item),
            Split::T2 => is_insertion(&record.item),
            Split::All => true,
        });
        row(split, chosen.collect())
    };
    Summary { rows: [Split::T1, Split::T2, Split::All].map(of).into() }
}

/// How many trials that count the item with the most of them has.
fn most_attempts(records: &[&Record]) -> usize {
    let mut tries: BTreeMap<&str, usize> = BTreeMap::new();
    for record in records.iter().filter(|record| record.outcome.counts()) {
        *tries.entry(&record.item).or_default() += 1;
    }
    tries.into_values().max().unwrap_or_default()
}

fn row(split: Split, all: &[&Record]) -> Row {
    let counted: Vec<&Record> = all.iter().copied().filter(|record| record.outcome.counts()).collect();
    let mut items: Vec<&str> = counted.iter().map(|record| record.item.as_str()).collect();
    items.sort_unstable();
    items.dedup();
    let has_started = |record: &Record| has_passed(record) || began_inside(record);
    let started = counted.iter().filter(|record| has_started(record));
    let failed = || counted.iter().filter(|record| !has_passed(record)).filter_map(|record| record.detail.as_ref());
    let records = || counted.iter().copied();
    Row {
        split,
        tasks: items.len(),
        runs: counted.len(),
        pass_at: KS.map(|k| pass_at(k, records())),
        unbiased: KS.map(|k| unbiased_pass_at(k, records())),
        start_pass: share_of(counted.iter().map(|record| (record.item.as_str(), has_started(record)))),
        end_pass: share_of(started.map(|record| (record.item.as_str(), has_passed(record)))),
        start_gap: mean(failed().filter(|detail| !detail.start_in).filter_map(|detail| detail.start_gap)),
        end_gap: mean(failed().filter(|detail| detail.start_in).filter_map(|detail| detail.end_gap)),
        failures: FailureType::ALL.map(|failure| failed_at(failure, &counted)).into(),
        breaks: Stage::ALL.map(|stage| broken_at(stage, failed())).into(),
        outcomes: outcomes(all.iter().copied()),
        left_out: Vec::new(),
    }
}

fn failed_at(failure: FailureType, counted: &[&Record]) -> FailureCount {
    FailureCount { failure, count: counted.iter().filter(|record| failure_of(record) == failure).count() }
}

/// In which way a trial failed.
#[must_use]
pub fn failure_of(record: &Record) -> FailureType {
    match &record.detail {
        _ if has_passed(record) => FailureType::None,
        Some(detail) => detail.failure,
        None => FailureType::Unknown,
    }
}

fn has_passed(record: &Record) -> bool {
    record.outcome == TrialOutcome::Passed
}

fn began_inside(record: &Record) -> bool {
    record.detail.as_ref().is_some_and(|detail| detail.start_in)
}

fn broken_at<'a>(stage: Stage, details: impl Iterator<Item = &'a DragDetail>) -> BreakCount {
    let pixels: Vec<f64> = details
        .filter_map(|detail| detail.broke)
        .filter(|broke| broke.stage == stage)
        .map(|broke| broke.pixels)
        .collect();
    BreakCount { stage, count: pixels.len(), gap: mean(pixels.into_iter()) }
}

#[expect(clippy::cast_precision_loss, reason = "counts of trials are small")]
fn mean(values: impl Iterator<Item = f64>) -> Option<Gap> {
    let (sum, n) = values.fold((0.0, 0_usize), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| Gap { pixels: sum / n as f64, n })
}

#[cfg(test)]
mod tests {
    use super::super::breakage::Breakage;
    use super::*;
    use crate::agent::{DragAnswer, Spot};
    use crate::model::{Point, RUN_FORMAT, TrialCost};

    fn detail(start_gap: f64, end_gap: f64, stage: Option<Stage>) -> DragDetail {
        let point = Point::new(1.0, 1.0);
        DragDetail {
            said: DragAnswer { start: Spot::Point(point), end: Spot::Point(point) },
            start: Some(point),
            end: Some(point),
            start_in: start_gap == 0.0,
            start_gap: Some(start_gap),
            end_gap: Some(end_gap),
            end_in: Some(end_gap == 0.0),
            failure: FailureType::of(stage.is_none(), Some(start_gap == 0.0), Some(end_gap == 0.0)),
            broke: stage.map(|stage| Breakage { stage, pixels: start_gap + end_gap }),
            steps: Vec::new(),
        }
    }

    fn record(item: &str, attempt: u32, outcome: TrialOutcome, detail: Option<DragDetail>) -> Record {
        Record {
            format: RUN_FORMAT,
            item: item.to_owned(),
            attempt,
            outcome,
            error: None,
            cost: TrialCost::default(),
            detail,
        }
    }

    fn rounded(interval: Option<Interval>) -> Option<f64> {
        interval.map(|interval| (interval.percent * 100.0).round() / 100.0)
    }

    #[test]
    fn components_and_gaps_are_the_papers() {
        use TrialOutcome::{CallFailed, Failed, InfraError, Passed};
        let records = [
            // A pass counts as a good start even if it began outside of what is known as the region.
            record("a", 1, Passed, Some(detail(2.0, 0.0, None))),
            record("a", 2, Failed, Some(detail(0.0, 12.0, Some(Stage::Snap)))),
            record("b", 1, Failed, Some(detail(30.0, 99.0, Some(Stage::Grasp)))),
            // In the region and failed all the same: counts with 0 pixels.
            record("b", 2, Failed, Some(detail(0.0, 0.0, Some(Stage::Release)))),
            record("c", 1, CallFailed, None),
            record("c", 2, InfraError, None),
        ];
        let summary = summary(&records, |item| item == "a");
        let [t1, t2, all] = &summary.rows[..] else { panic!("three rows") };
        assert_eq!((t1.tasks, t1.runs, t2.tasks, t2.runs, all.tasks, all.runs), (2, 3, 1, 2, 3, 5));
        assert_eq!(all.pass_at.map(rounded), [Some(33.33), Some(33.33), None], "nothing was tried three times");
        assert_eq!((rounded(all.start_pass), rounded(all.end_pass)), (Some(60.0), Some(33.33)));
        assert_eq!(all.start_gap, Some(Gap { pixels: 30.0, n: 1 }));
        assert_eq!(all.end_gap, Some(Gap { pixels: 6.0, n: 2 }));
        let breaks: Vec<usize> = all.breaks.iter().map(|one| one.count).collect();
        assert_eq!(breaks, [1, 0, 1, 1]);
        // A failed call says nothing of either end; nor does a failure with both ends inside.
        let failures: Vec<usize> = all.failures.iter().map(|one| one.count).collect();
        assert_eq!(failures, [1, 1, 1, 2]);
        assert_eq!(all.left_out, [LeftOut { why: "infra_error", count: 1 }]);
        assert_eq!(all.outcomes.iter().map(|counted| counted.count).sum::<usize>(), records.len());
        assert_eq!((rounded(t2.pass_at[0]), rounded(t1.end_pass), t1.unbiased[2]), (Some(100.0), Some(0.0), None));
    }

    #[test]
    fn the_reference_counts_the_runs_that_it_finds() {
        use TrialOutcome::{CallFailed, Failed, Passed, Unreadable};
        let records = [
            record("a", 1, CallFailed, None),
            record("a", 2, Passed, Some(detail(0.0, 0.0, None))),
            record("b", 1, Failed, Some(detail(7.0, 0.0, Some(Stage::Grasp)))),
            record("c", 1, Unreadable, None),
        ];
        let ours = summary(&records, |_| false).rows.pop().unwrap();
        assert_eq!((ours.tasks, ours.runs, ours.pass_at.map(rounded)[0]), (3, 4, Some(0.0)));
        let reference = reference_summary(&records, |_| false).rows.pop().unwrap();
        // The second run of `a` is its first one there, and `c` is no task at all.
        assert_eq!((reference.tasks, reference.runs), (2, 2));
        assert_eq!(reference.pass_at.map(rounded)[0], Some(50.0));
        assert_eq!(rounded(reference.start_pass), Some(50.0));
        let lost = |why| LeftOut { why, count: 1 };
        assert_eq!(reference.left_out, [lost("call_failed"), lost("unreadable")]);
    }
}
