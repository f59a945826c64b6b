//! What is measured of a drag.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::regions::Regions;
use super::breakage::{Breakage, breakage};
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
    /// Pixels from the press to the start region; 0 inside.
    pub start_gap: Option<f64>,
    /// Pixels from the release to the end region of a drag that begins there; 0 inside.
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

pub(super) fn measured(
    regions: &Regions,
    said: DragAnswer,
    reply: &ActionReply,
    steps: Vec<Step>,
    made: bool,
) -> DragDetail {
    let Some((start, end)) = ends(reply) else {
        return DragDetail { said, start: None, end: None, start_gap: None, end_gap: None, broke: None, steps };
    };
    #[expect(clippy::cast_possible_truncation, reason = "a pixel of the viewport")]
    let pixel = |point: Point| (point.x.round() as i32, point.y.round() as i32);
    let broke = (!made).then(|| breakage(regions, &steps, pixel(start), pixel(end)));
    DragDetail {
        said,
        start: Some(start),
        end: Some(end),
        start_gap: regions.start.distance(start.x, start.y),
        end_gap: regions.ends.distance(end.x - start.x, end.y - start.y),
        broke,
        steps,
    }
}
