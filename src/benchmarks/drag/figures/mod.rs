//! The figures of the paper's tables 2 and 9, counted as the reference does, and beyond them where drags broke. `class`
//! says which rows a scene belongs to.

mod class;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use strum::IntoEnumIterator as _;

use self::class::{INTERACTIONS, KINDS, ORIGINS};
pub use self::class::{SceneClass, Split};
use super::measure::{BreakStage as Stage, DragDetail, FailureType, MeasuredBy};
use crate::grade::{
    ANSWERS, Count, FOUND_RUNS, Interval, LeftOut, OutcomeCount, found_runs, left_out, missing, outcomes, pass_at,
    share_of, unbiased_pass_at,
};
use crate::model::{AttemptRecord, ItemId, Outcome};

/// The file of a run that has the classes of its scenes.
pub const CLASSES: &str = "classes.json";

/// A trial of this benchmark.
type Record = AttemptRecord<Option<DragDetail>>;

/// Mean distance in pixels, and of how many trials.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Gap {
    pub pixels: f64,
    pub n: usize,
}

/// How many drags broke at a stage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BreakCount {
    pub stage: Stage,
    pub count: usize,
    /// How far they missed; absent if there are none.
    pub gap: Option<Gap>,
}

/// How many trials failed in one way, as the reference distinguishes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FailureCount {
    pub failure: FailureType,
    pub count: usize,
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Which items.
    pub split: Split,
    /// Items with a trial that counts.
    pub tasks: usize,
    /// Items none of whose trials counts.
    pub missing: usize,
    pub runs: usize,
    /// Pass@1, Pass@2 and so on up to the attempts that were made, as the reference computes them; absent where these items
    /// have fewer.
    pub pass_at: Vec<Option<Interval>>,
    /// The same without the bias of the order.
    pub unbiased: Vec<Option<Interval>>,
    /// Trials that passed or began in the start region, of all.
    pub start_pass: Option<Interval>,
    /// Trials that passed, of those.
    pub end_pass: Option<Interval>,
    /// Of trials that published points measure: those that passed or began in our start region, of all.
    pub region_start_pass: Option<Interval>,
    /// How far failed trials began from the start region, of those that began outside.
    pub start_gap: Option<Gap>,
    /// How far failed trials ended from the end region, of those that began in the start region.
    pub end_gap: Option<Gap>,
    /// Which end failed, by the reference's rule.
    pub failures: Vec<FailureCount>,
    pub breaks: Vec<BreakCount>,
    /// How trials ended, those that do not count included.
    pub outcomes: Vec<OutcomeCount>,
    /// Trials that are not counted, and why.
    pub left_out: Vec<LeftOut>,
}

/// All figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// T1, T2 and ALL.
    pub rows: Vec<Row>,
    /// By kind of connection; kinds without trials are left out.
    pub by_kind: Vec<Row>,
    /// From palette and from canvas; sources without trials are left out.
    pub by_origin: Vec<Row>,
    /// Whether starts and ends of any trial are measured by published points, and not by our regions.
    pub by_points: bool,
}

/// The figures of these attempts; `class_of` gives the class of an item.
pub fn summary(records: &[Record], count: Count, class_of: impl Fn(&ItemId) -> Option<SceneClass>) -> Summary {
    match count {
        Count::Ours => our_summary(records, class_of),
        Count::Reference => reference_summary(records, class_of),
    }
}

fn our_summary(records: &[Record], class_of: impl Fn(&ItemId) -> Option<SceneClass>) -> Summary {
    let most = most_attempts(&records.iter().collect::<Vec<_>>());
    by_split(records, class_of, |split, chosen| {
        let lost = chosen.iter().filter(|record| !record.outcome.counts());
        let left_out = left_out(lost.map(|record| record.outcome.name()));
        let row = row(split, &chosen, most);
        // Of fewer attempts there is no Pass@k; the reference gives that of as many as it finds.
        let of_these = most_attempts(&chosen);
        let pass_at = row.pass_at.into_iter().enumerate().map(|(at, share)| share.filter(|_| at < of_these));
        Row { pass_at: pass_at.collect(), left_out, ..row }
    })
}

/// The figures that the reference has for these trials: of each item the first three that have a result file there.
/// Failed calls and unreadable answers have none, so that a later trial counts in their place.
fn reference_summary(records: &[Record], class_of: impl Fn(&ItemId) -> Option<SceneClass>) -> Summary {
    let made = records.iter().map(|record| record.attempt as usize).max().unwrap_or_default();
    by_split(records, class_of, |split, chosen| {
        let (found, left_out) = found_runs(&chosen, FOUND_RUNS);
        let items: BTreeSet<&str> = chosen.iter().map(|record| record.item.as_str()).collect();
        let row = row(split, &found, made.min(FOUND_RUNS));
        Row { missing: items.len() - row.tasks, left_out, ..row }
    })
}

fn by_split(
    records: &[Record],
    class_of: impl Fn(&ItemId) -> Option<SceneClass>,
    row: impl Fn(Split, Vec<&Record>) -> Row,
) -> Summary {
    let is_of = |record: &Record, split: Split| {
        split == Split::All
            || class_of(&record.item)
                .is_some_and(|class| [class.interaction(), class.kind(), class.origin()].contains(&split))
    };
    let chosen = |split: Split| records.iter().filter(|record| is_of(record, split)).collect::<Vec<_>>();
    let filled = |splits: &[Split]| {
        let given = splits.iter().map(|split| (*split, chosen(*split))).filter(|(_, chosen)| !chosen.is_empty());
        given.map(|(split, chosen)| row(split, chosen)).collect()
    };
    Summary {
        rows: INTERACTIONS.iter().map(|split| row(*split, chosen(*split))).collect(),
        by_kind: filled(&KINDS),
        by_origin: filled(&ORIGINS),
        by_points: records.iter().any(by_points),
    }
}

/// Whether a trial's start and end are measured by published points.
fn by_points(record: &Record) -> bool {
    record.detail.as_ref().is_some_and(|detail| detail.measured_by == MeasuredBy::PublishedPoints)
}

/// How many trials that count the item with the most of them has.
fn most_attempts(records: &[&Record]) -> usize {
    let mut tries: BTreeMap<&str, usize> = BTreeMap::new();
    for record in records.iter().filter(|record| record.outcome.counts()) {
        *tries.entry(record.item.as_str()).or_default() += 1;
    }
    tries.into_values().max().unwrap_or_default()
}

/// `most` is up to which k there is a Pass@k.
fn row(split: Split, all: &[&Record], most: usize) -> Row {
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
        missing: missing(all.iter().copied()),
        runs: counted.len(),
        pass_at: (1..=most).map(|k| pass_at(k, records())).collect(),
        unbiased: (1..=most).map(|k| unbiased_pass_at(k, records())).collect(),
        start_pass: share_of(counted.iter().map(|record| (record.item.as_str(), has_started(record)))),
        end_pass: share_of(started.map(|record| (record.item.as_str(), has_passed(record)))),
        region_start_pass: share_of(counted.iter().filter_map(|record| {
            let inside = record.detail.as_ref()?.in_region?.start;
            Some((record.item.as_str(), has_passed(record) || inside))
        })),
        start_gap: mean(failed().filter(|detail| !detail.start_in).filter_map(|detail| detail.start_gap)),
        end_gap: mean(failed().filter(|detail| detail.start_in).filter_map(|detail| detail.end_gap)),
        failures: FailureType::iter().map(|failure| failed_at(failure, &counted)).collect(),
        breaks: Stage::iter().map(|stage| broken_at(stage, failed())).collect(),
        outcomes: outcomes(&ANSWERS, all.iter().map(|record| record.outcome)),
        left_out: Vec::new(),
    }
}

fn failed_at(failure: FailureType, counted: &[&Record]) -> FailureCount {
    FailureCount { failure, count: counted.iter().filter(|record| failure_of(record) == failure).count() }
}

/// In which way a trial failed.
pub fn failure_of(record: &Record) -> FailureType {
    match &record.detail {
        _ if has_passed(record) => FailureType::None,
        Some(detail) => detail.failure,
        None => FailureType::Unknown,
    }
}

fn has_passed(record: &Record) -> bool {
    record.outcome == Outcome::Passed
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
mod tests;
