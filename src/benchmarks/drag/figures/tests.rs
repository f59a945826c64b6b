//! Figures of drags that were made up: components, gaps, Pass@k, rows.

use super::super::measure::{Breakage, InRegion};
use super::*;
use crate::agent::{DragAnswer, Spot};
use crate::model::{Cost, Point, RUN_FORMAT};

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
        measured_by: MeasuredBy::Regions,
        in_region: None,
        steps: Vec::new(),
    }
}

fn record(item: &str, attempt: u32, outcome: Outcome, detail: Option<DragDetail>) -> Record {
    Record {
        format: RUN_FORMAT,
        item: item.parse().unwrap(),
        attempt,
        retry: 0,
        outcome,
        error: None,
        cost: Cost::default(),
        detail,
    }
}

/// An insertion into a slot from the palette, or a block of the canvas below another one.
const fn class(is_insertion: bool) -> SceneClass {
    let (kind, origin) = if is_insertion { (Split::Slot, Split::Palette) } else { (Split::Below, Split::Canvas) };
    SceneClass { kind, origin, is_insertion }
}

fn all_rounded(shares: &[Option<Interval>]) -> Vec<Option<f64>> {
    shares.iter().map(|share| rounded(*share)).collect()
}

fn rounded(interval: Option<Interval>) -> Option<f64> {
    interval.map(|interval| (interval.percent * 100.0).round() / 100.0)
}

#[test]
fn components_and_gaps_are_the_papers() {
    use Outcome::{CallFailed, Failed, InfraError, Passed};
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
    let summary = our_summary(&records, |item| Some(class(item.as_str() == "a")));
    let [t1, t2, all] = &summary.rows[..] else { panic!("three rows") };
    assert_eq!((t1.tasks, t1.runs, t2.tasks, t2.runs, all.tasks, all.runs), (2, 3, 1, 2, 3, 5));
    assert_eq!(all_rounded(&all.pass_at), [Some(33.33), Some(33.33)], "nothing was tried three times");
    assert_eq!(all.unbiased.len(), 2);
    let split = |rows: &[Row]| rows.iter().map(|row| (row.split, row.runs)).collect::<Vec<_>>();
    assert_eq!(split(&summary.by_kind), [(Split::Below, 3), (Split::Slot, 2)]);
    assert_eq!(split(&summary.by_origin), [(Split::Palette, 2), (Split::Canvas, 3)]);
    assert!(!summary.by_points && all.region_start_pass.is_none(), "our regions measure");
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
    assert_eq!((rounded(t2.pass_at[0]), rounded(t1.end_pass)), (Some(100.0), Some(0.0)));
}

#[test]
fn there_is_a_pass_at_k_for_each_attempt_that_was_made_and_for_no_more() {
    use Outcome::{Failed, InfraError, Passed};
    let five: Vec<Record> = (1..=5)
        .map(|attempt| record("a", attempt, if attempt == 5 { Passed } else { Failed }, None))
        .chain([record("b", 1, Failed, None), record("c", 1, InfraError, None)])
        .collect();
    let made = our_summary(&five, |item| Some(class(item.as_str() == "a")));
    let [t1, t2, all] = &made.rows[..] else { panic!("three rows") };
    assert_eq!(all_rounded(&t2.pass_at), [Some(0.0), Some(0.0), Some(0.0), Some(0.0), Some(100.0)]);
    assert_eq!(all_rounded(&t1.pass_at), [Some(0.0), None, None, None, None], "b was tried once");
    assert_eq!((t1.missing, t2.missing, all.missing, all.tasks), (1, 0, 1, 2), "c has no trial that counts");
    let once = [record("a", 1, Passed, None)];
    let reference = reference_summary(&once, |_| Some(class(true))).rows.pop().unwrap();
    assert_eq!(all_rounded(&reference.pass_at), [Some(100.0)]);
}

#[test]
fn trials_that_points_measure_have_a_second_column_by_our_regions() {
    use Outcome::{Failed, Passed};
    let on_points = |start: bool, region: bool| {
        let gap = if start { 0.0 } else { 9.0 };
        let in_region = Some(InRegion { start: region, end: false });
        Some(DragDetail { measured_by: MeasuredBy::PublishedPoints, in_region, ..detail(gap, 0.0, Some(Stage::Grasp)) })
    };
    // The published points hold the first press, and the block does not lie there any more.
    let records = [
        record("a", 1, Failed, on_points(true, false)),
        record("b", 1, Failed, on_points(true, true)),
        record("c", 1, Passed, on_points(false, false)),
        record("d", 1, Failed, on_points(false, false)),
    ];
    let summary = our_summary(&records, |_| Some(class(false)));
    let all = summary.rows.last().unwrap();
    assert!(summary.by_points);
    assert_eq!((rounded(all.start_pass), rounded(all.region_start_pass)), (Some(75.0), Some(50.0)));
}

#[test]
fn the_reference_counts_the_runs_that_it_finds() {
    use Outcome::{CallFailed, Failed, Passed, Unreadable};
    let records = [
        record("a", 1, CallFailed, None),
        record("a", 2, Passed, Some(detail(0.0, 0.0, None))),
        record("b", 1, Failed, Some(detail(7.0, 0.0, Some(Stage::Grasp)))),
        record("c", 1, Unreadable, None),
    ];
    let ours = our_summary(&records, |_| Some(class(false))).rows.pop().unwrap();
    assert_eq!((ours.tasks, ours.runs, rounded(ours.pass_at[0])), (3, 4, Some(0.0)));
    let reference = reference_summary(&records, |_| Some(class(false))).rows.pop().unwrap();
    // The second run of `a` is its first one there, and `c` is no task at all.
    assert_eq!((reference.tasks, reference.runs), (2, 2));
    assert_eq!((rounded(reference.pass_at[0]), reference.missing), (Some(50.0), 1));
    assert_eq!(rounded(reference.start_pass), Some(50.0));
    let lost = |why| LeftOut { why, count: 1 };
    assert_eq!(reference.left_out, [lost("call_failed"), lost("unreadable")]);
}
