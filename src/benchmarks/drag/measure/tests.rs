//! Drags that were made up, measured.

use serde_json::{Map, json};

use super::super::mask::Mask;
use super::super::regions::DropAreas;
use super::breakage::Stage;
use super::*;
use crate::model::{ActionCall, ElementType, Rect, SettleReason, Timing};

fn regions() -> Regions {
    Regions {
        source: None,
        links: Vec::new(),
        start: Mask::new(vec![(10, 0, 20)]),
        ends: Mask::new(vec![(0, 100, 110)]),
        areas: DropAreas { inside: [0.0, 0.0, 780.0, 720.0], deletes: Vec::new() },
    }
}

fn points() -> PublishedPoints {
    PublishedPoints {
        start: (5, 10),
        end: (105, 10),
        starts: vec![(5, 10), (10, 10)],
        ends: vec![(105, 10), (110, 10)],
    }
}

/// The reply to a drag: with what was executed, or refused.
fn reply(args: &Value, executed: bool) -> ActionReply {
    let args = args.as_object().cloned().unwrap_or_default();
    ActionReply {
        success: executed,
        executed_action: ActionCall::new("drag_and_drop", if executed { args.clone() } else { Map::default() }),
        requested_action: ActionCall::new("drag_and_drop", args),
        data: Value::Null,
        error: None,
        timing: Timing { wait_ms: 0.0, action_ms: 0.0, settle_ms: 0.0, settle: SettleReason::Skipped },
        steps_left: None,
    }
}

fn of(truth: &GroundTruth<'_>, reply: &ActionReply, made: bool) -> DragDetail {
    measured(truth, requested_by(reply), (reply, &[]), Vec::new(), made)
}

#[test]
fn a_drag_that_leaves_the_viewport_is_measured_as_requested() {
    let regions = regions();
    let own = GroundTruth::of(&regions, None);
    let beside = reply(&json!({"start_x": 1520.0, "start_y": 10.0, "end_x": 300.0, "end_y": 10.0}), false);
    let detail = of(&own, &beside, false);
    assert_eq!((detail.start_in, detail.start_gap, detail.failure), (false, Some(1500.0), FailureType::Start));
    assert_eq!(detail.broke, Some(Breakage { stage: Stage::Grasp, pixels: 1500.0 }));
    assert_eq!(detail.reason().as_deref(), Some("broke at grasp, 1500.0 px off"));
    // Only the end is outside: the start counts as a good one.
    let beyond = reply(&json!({"start_x": 10.0, "start_y": 10.0, "end_x": -190.0, "end_y": 10.0}), false);
    let detail = of(&own, &beyond, false);
    assert_eq!((detail.start_in, detail.end_gap, detail.failure), (true, Some(300.0), FailureType::End));
    assert_eq!(detail.broke, Some(Breakage { stage: Stage::Snap, pixels: 300.0 }));
    // The same drag, made: nothing is measured otherwise.
    let made = of(&own, &reply(&json!({"start_x": 10.0, "start_y": 10.0, "end_x": 115.0, "end_y": 10.0}), true), true);
    assert_eq!((made.failure, made.broke, made.end_in), (FailureType::None, None, Some(true)));
    assert_eq!(made.reason(), None);
}

#[test]
fn refused_numbers_are_measured_where_their_element_is_known() {
    let regions = regions();
    let own = GroundTruth::of(&regions, None);
    let named = reply(&json!({"start_index": 3, "end_x": 1400.0, "end_y": 10.0}), false);
    let unknown = of(&own, &named, false);
    assert_eq!((unknown.start, unknown.start_gap, unknown.failure), (None, None, FailureType::Unknown));
    let position = Rect::new(0, 0, 40, 20);
    let elements = [Element { index: 3, kind: ElementType::Blocks, text: String::new(), position }];
    let known = measured(&own, requested_by(&named), (&named, &elements), Vec::new(), false);
    assert_eq!((known.start, known.start_in), (Some(Point::new(20.0, 10.0)), true));
    assert_eq!(known.failure, FailureType::End);
}

#[test]
fn without_regions_of_our_own_the_published_points_measure() {
    let regions = Regions { ends: Mask::default(), ..regions() };
    let theirs = GroundTruth::of(&regions, Some(&points()));
    let best = DragAnswer { start: Spot::Point(Point::new(5.0, 10.0)), end: Spot::Point(Point::new(105.0, 10.0)) };
    assert_eq!(theirs.best(), Some(best));
    let short = reply(&json!({"start_x": 5.0, "start_y": 10.0, "end_x": 95.0, "end_y": 10.0}), true);
    let detail = of(&theirs, &short, false);
    assert_eq!((detail.end_gap, detail.failure, detail.broke), (Some(10.0), FailureType::End, None));
}

#[test]
fn a_failure_with_both_ends_inside_is_of_an_unknown_type() {
    assert_eq!(FailureType::of(false, Some(true), Some(true)), FailureType::Unknown);
    assert_eq!(FailureType::of(false, None, None), FailureType::Unknown);
    assert_eq!(FailureType::of(false, Some(false), Some(true)), FailureType::Start);
}

#[test]
fn published_points_are_measured_from_the_published_start() {
    let (regions, points) = (regions(), points());
    let (start, end) = (Point::new(20.0, 10.0), Point::new(133.0, 10.0));
    let own = GroundTruth::of(&regions, None);
    assert_eq!((own.start_in(start), own.end_gap(start, end)), (true, Some(3.0)));
    assert_eq!((own.measured_by(), own.in_region(start, end)), (MeasuredBy::Regions, None));
    let theirs = GroundTruth::of(&regions, Some(&points));
    assert_eq!(theirs.start(), Some(Point::new(5.0, 10.0)));
    assert_eq!((theirs.start_in(start), theirs.start_gap(start)), (false, Some(10.0)));
    // The release is 113 to the right of the press, so it would be at 118 from the published start.
    assert_eq!(theirs.end_gap(start, end), Some(8.0));
    let (points, in_region) = (theirs.measured_by(), theirs.in_region(start, end));
    let ours = InRegion { start: true, end: false };
    assert_eq!((points, in_region), (MeasuredBy::PublishedPoints, Some(ours)), "the block lies where ours is");
}
