//! What is measured of a drag.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::regions::Regions;
use super::super::{Grid, PublishedPoints};
use super::breakage::{Breakage, breakage};
use super::decide::start_of;
use super::watch::Step;
use crate::agent::{DragAnswer, Spot};
use crate::model::{ActionReply, Point};

/// What is measured of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DragDetail {
    /// What the agent said, in its own units.
    pub said: DragAnswer,
    /// Where the press was, in pixels; none if there was no drag.
    pub start: Option<Point>,
    /// Where the release was.
    pub end: Option<Point>,
    /// Whether the press was in the start region.
    pub start_in: bool,
    /// Pixels from the press to the start region, or to the nearest published point.
    pub start_gap: Option<f64>,
    /// Pixels from the release to the end region of a drag that begins there, or from the release, moved along with the
    /// press to the published start, to the nearest published point.
    pub end_gap: Option<f64>,
    /// Where it broke, if it did.
    pub broke: Option<Breakage>,
    /// What pointer and editor did.
    pub steps: Vec<Step>,
}

/// The drag of a reply, as pixels.
fn ends(reply: &ActionReply) -> Option<(Point, Point)> {
    if !reply.success {
        return None;
    }
    let at = |name: &str| reply.executed_action.args.get(name).and_then(Value::as_f64);
    Some((Point::new(at("start_x")?, at("start_y")?), Point::new(at("end_x")?, at("end_y")?)))
}

pub(super) fn said_by(reply: &ActionReply) -> DragAnswer {
    let (start, end) = ends(reply).unwrap_or((Point::new(0.0, 0.0), Point::new(0.0, 0.0)));
    DragAnswer { start: Spot::Point(start), end: Spot::Point(end) }
}

/// What starts and ends are measured by.
#[derive(Debug)]
pub(super) struct Yardstick<'a> {
    pub(super) regions: &'a Regions,
    published: Option<Published>,
}

#[derive(Debug)]
struct Published {
    start: Point,
    starts: Grid,
    ends: Grid,
}

impl<'a> Yardstick<'a> {
    /// The regions, or the points that were published.
    pub(super) fn of(regions: &'a Regions, points: Option<&PublishedPoints>) -> Self {
        let published = points.map(|points| Published {
            start: Point::new(f64::from(points.start.0), f64::from(points.start.1)),
            starts: Grid::new(points.starts.clone()),
            ends: Grid::new(points.ends.clone()),
        });
        Self { regions, published }
    }

    /// Where the setting that tells the start says to press.
    pub(super) fn start(&self) -> Option<Point> {
        self.published.as_ref().map_or_else(|| start_of(self.regions), |published| Some(published.start))
    }

    fn start_in(&self, start: Point) -> bool {
        match &self.published {
            Some(published) => published.starts.contains(start.x, start.y),
            None => self.regions.start.distance(start.x, start.y) == Some(0.0),
        }
    }

    fn start_gap(&self, start: Point) -> Option<f64> {
        match &self.published {
            Some(published) => published.starts.distance(start.x, start.y),
            None => self.regions.start.distance(start.x, start.y),
        }
    }

    fn end_gap(&self, start: Point, end: Point) -> Option<f64> {
        let (dx, dy) = (end.x - start.x, end.y - start.y);
        match &self.published {
            Some(Published { start, ends, .. }) => ends.distance(start.x + dx, start.y + dy),
            None => self.regions.ends.distance(dx, dy),
        }
    }
}

pub(super) fn measured(
    yardstick: &Yardstick<'_>,
    said: DragAnswer,
    reply: &ActionReply,
    steps: Vec<Step>,
    made: bool,
) -> DragDetail {
    let Some((start, end)) = ends(reply) else {
        return DragDetail {
            said,
            start: None,
            end: None,
            start_in: false,
            start_gap: None,
            end_gap: None,
            broke: None,
            steps,
        };
    };
    #[expect(clippy::cast_possible_truncation, reason = "a pixel of the viewport")]
    let pixel = |point: Point| (point.x.round() as i32, point.y.round() as i32);
    let broke = (!made).then(|| breakage(yardstick.regions, &steps, pixel(start), pixel(end)));
    DragDetail {
        said,
        start: Some(start),
        end: Some(end),
        start_in: yardstick.start_in(start),
        start_gap: yardstick.start_gap(start),
        end_gap: yardstick.end_gap(start, end),
        broke,
        steps,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::mask::Mask;
    use super::super::super::regions::DropAreas;
    use super::*;

    #[test]
    fn published_points_are_measured_from_the_published_start() {
        let regions = Regions {
            source: None,
            links: Vec::new(),
            start: Mask::new(vec![(10, 0, 20)]),
            ends: Mask::new(vec![(0, 100, 110)]),
            areas: DropAreas { inside: [0.0, 0.0, 780.0, 720.0], deletes: Vec::new() },
        };
        let points = PublishedPoints {
            start: (5, 10),
            end: (105, 10),
            starts: vec![(5, 10), (10, 10)],
            ends: vec![(105, 10), (110, 10)],
        };
        let (start, end) = (Point::new(20.0, 10.0), Point::new(133.0, 10.0));
        let own = Yardstick::of(&regions, None);
        assert_eq!((own.start_in(start), own.end_gap(start, end)), (true, Some(3.0)));
        let theirs = Yardstick::of(&regions, Some(&points));
        assert_eq!(theirs.start(), Some(Point::new(5.0, 10.0)));
        assert_eq!((theirs.start_in(start), theirs.start_gap(start)), (false, Some(10.0)));
        // The release is 113 to the right of the press, so it would be at 118 from the published start.
        assert_eq!(theirs.end_gap(start, end), Some(8.0));
    }
}
