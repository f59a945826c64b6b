//! What is measured of a drag: where it began and ended, and, from what `watch` saw, where it broke (`breakage`).

mod breakage;
pub(super) mod watch;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::breakage::{Breakage, Stage as BreakStage};
use self::breakage::{Miss, breakage, refused};
pub use self::watch::{Pointer, State, Step};
use super::ask::{middle, oracle, start_of};
use super::regions::Regions;
use super::{Grid, PublishedPoints};
use crate::agent::{DragAnswer, Spot};
use crate::model::{ActionReply, Element, Point};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DragDetail {
    /// What the agent said, in its own units.
    pub said: DragAnswer,
    /// Where the press was, in pixels, or was to be if the drag was refused, as one that leaves the viewport is; absent if
    /// no place is known.
    pub start: Option<Point>,
    /// Where the release was, or was to be.
    pub end: Option<Point>,
    /// Whether the press was in the start region.
    pub start_in: bool,
    /// Pixels from the press to the start region, or to the nearest published point.
    pub start_gap: Option<f64>,
    /// Pixels from the release to the end region of a drag that begins there, or from the release, moved along with the
    /// press to the published start, to the nearest published point.
    pub end_gap: Option<f64>,
    /// Whether that end was in the end region; absent where no place is known, and in older records.
    #[serde(default)]
    pub end_in: Option<bool>,
    /// Which end failed; unknown in older records.
    #[serde(default)]
    pub failure: FailureType,
    /// Where it broke, if it did, as far as regions of ours or published points tell.
    pub broke: Option<Breakage>,
    /// What start and end are measured by.
    #[serde(default)]
    pub measured_by: MeasuredBy,
    /// Where published points measure: whether our regions, those of the present editor, hold the two ends. A press on a
    /// published point grasps nothing if the block does not lie there any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_region: Option<InRegion>,
    /// What pointer and editor did.
    pub steps: Vec<Step>,
}

/// What starts and ends are measured by. Whether a trial passed depends on neither: the editor decides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeasuredBy {
    /// Our regions, of the present editor.
    #[default]
    Regions,
    /// The points that were published with the scene.
    PublishedPoints,
}

/// Whether the ends of a drag are in our regions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InRegion {
    /// The press is in the start region.
    pub start: bool,
    /// The release is in the end region of a drag that begins there.
    pub end: bool,
}

/// Which end of a drag failed, by the reference's rule; in the order of tables.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display, strum::EnumIter,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum FailureType {
    /// None: the relation was made.
    None,
    /// The press was outside the start region.
    Start,
    /// The press was in the start region, the end was outside the end region.
    End,
    /// Both were inside, or no place is known.
    #[default]
    Unknown,
}

impl FailureType {
    /// Of a drag that made the relation or not, and whether its press and its end were inside, where that is known.
    pub const fn of(made: bool, start_in: Option<bool>, end_in: Option<bool>) -> Self {
        match (made, start_in, end_in) {
            (true, ..) => Self::None,
            (_, Some(false), _) => Self::Start,
            (_, Some(true), Some(false)) => Self::End,
            _ => Self::Unknown,
        }
    }
}

impl DragDetail {
    /// Where it went wrong, in a few words; `None` of a drag that made the relation.
    pub fn reason(&self) -> Option<String> {
        match (self.failure, self.broke) {
            (FailureType::None, _) => None,
            (_, Some(Breakage { stage, pixels })) => Some(format!("broke at {stage}, {pixels:.1} px off")),
            (failure, None) => Some(format!("failed at {failure}")),
        }
    }
}

/// The drag that was asked for, as pixels, whether or not it was made. Numbers mean the middles of these elements' boxes.
fn meant(reply: &ActionReply, elements: &[Element]) -> Option<(Point, Point)> {
    let args = &reply.requested_action.args;
    let spot = |end: &str| {
        let number = |axis: &str| args.get(&format!("{end}_{axis}")).and_then(Value::as_f64);
        if let Some((x, y)) = number("x").zip(number("y")) {
            return Some(Point::new(x, y));
        }
        let index = args.get(&format!("{end}_index"))?.as_u64()?;
        let found = elements.iter().find(|element| u64::try_from(element.index) == Ok(index))?;
        Some(middle(found.position))
    };
    Some((spot("start")?, spot("end")?))
}

/// The drag that a reply reports, as pixels.
fn ends(reply: &ActionReply) -> Option<(Point, Point)> {
    if !reply.success {
        return None;
    }
    let at = |name: &str| reply.executed_action.args.get(name).and_then(Value::as_f64);
    Some((Point::new(at("start_x")?, at("start_y")?), Point::new(at("end_x")?, at("end_y")?)))
}

pub(super) fn requested_by(reply: &ActionReply) -> DragAnswer {
    let (start, end) =
        ends(reply).or_else(|| meant(reply, &[])).unwrap_or((Point::new(0.0, 0.0), Point::new(0.0, 0.0)));
    DragAnswer { start: Spot::Point(start), end: Spot::Point(end) }
}

/// What starts and ends are measured by.
#[derive(Debug)]
pub(super) struct GroundTruth<'a> {
    pub(super) regions: &'a Regions,
    published: Option<Published>,
}

#[derive(Debug)]
struct Published {
    start: Point,
    end: Point,
    starts: Grid,
    ends: Grid,
}

impl<'a> GroundTruth<'a> {
    /// The regions, or the points that were published.
    pub(super) fn of(regions: &'a Regions, points: Option<&PublishedPoints>) -> Self {
        let published = points.map(|points| Published {
            start: Point::new(f64::from(points.start.0), f64::from(points.start.1)),
            end: Point::new(f64::from(points.end.0), f64::from(points.end.1)),
            starts: Grid::new(points.starts.clone()),
            ends: Grid::new(points.ends.clone()),
        });
        Self { regions, published }
    }

    /// Where to press in the setting that reveals the start.
    pub(super) fn start(&self) -> Option<Point> {
        self.published.as_ref().map_or_else(|| start_of(self.regions), |published| Some(published.start))
    }

    /// The drag that is certain to succeed: by our regions, or by the published points where these foresee none.
    pub(super) fn best(&self) -> Option<DragAnswer> {
        let drag = |(start, end)| DragAnswer { start: Spot::Point(start), end: Spot::Point(end) };
        oracle(self.regions).or_else(|| self.published.as_ref().map(|published| drag((published.start, published.end))))
    }

    /// Whether our regions can show where a drag broke. Those of a published scene may be empty: then only its points
    /// are known.
    fn has_regions(&self) -> bool {
        !self.regions.start.is_empty() && !self.regions.ends.is_empty()
    }

    fn measured_by(&self) -> MeasuredBy {
        if self.published.is_some() { MeasuredBy::PublishedPoints } else { MeasuredBy::Regions }
    }

    /// Where published points measure and there are regions of ours: what these say.
    fn in_region(&self, start: Point, end: Point) -> Option<InRegion> {
        let (dx, dy) = (end.x - start.x, end.y - start.y);
        (self.published.is_some() && self.has_regions()).then(|| InRegion {
            start: self.regions.start.distance(start.x, start.y) == Some(0.0),
            end: self.regions.ends.distance(dx, dy) == Some(0.0),
        })
    }

    /// How a drag lies to where it had to begin and end: by our regions, or by the published points where there are none of
    /// ours.
    fn miss(&self, start: Point, end: Point) -> Option<Miss> {
        if self.has_regions() {
            let start_gap = self.regions.start.distance(start.x, start.y)?;
            let end_gap = self.regions.ends.distance(end.x - start.x, end.y - start.y)?;
            return Some(Miss { started: start_gap == 0.0, start: start_gap, end: end_gap });
        }
        // Without links it is not known what its previews had to show.
        let published = self.published.as_ref().filter(|_| !self.regions.links.is_empty())?;
        let started = published.starts.contains(start.x, start.y);
        let (start_gap, end_gap) = (self.start_gap(start)?, self.end_gap(start, end)?);
        Some(Miss { started, start: if started { 0.0 } else { start_gap }, end: end_gap })
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

    fn end_in(&self, start: Point, end: Point) -> bool {
        let (dx, dy) = (end.x - start.x, end.y - start.y);
        match &self.published {
            Some(Published { start, ends, .. }) => ends.contains(start.x + dx, start.y + dy),
            None => self.regions.ends.distance(dx, dy) == Some(0.0),
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

/// What is measured of a drag with the reply that it got. A refused one is measured as requested: the
/// reference attempts it all the same, and counts its error like any other.
pub(super) fn measured(
    truth: &GroundTruth<'_>,
    said: DragAnswer,
    (reply, elements): (&ActionReply, &[Element]),
    steps: Vec<Step>,
    made: bool,
) -> DragDetail {
    let done = ends(reply);
    let places = done.or_else(|| meant(reply, elements));
    let start_in = places.map(|(start, _)| truth.start_in(start));
    let end_in = places.map(|(start, end)| truth.end_in(start, end));
    let miss = places.and_then(|(start, end)| truth.miss(start, end));
    let broke = match (miss, done) {
        _ if made => None,
        (Some(miss), Some((_, end))) => Some(breakage(truth.regions, &steps, miss, pixel(end))),
        (Some(miss), None) => Some(refused(miss)),
        (None, _) => None,
    };
    DragDetail {
        said,
        start: places.map(|(start, _)| start),
        end: places.map(|(_, end)| end),
        start_in: start_in.unwrap_or_default(),
        start_gap: places.and_then(|(start, _)| truth.start_gap(start)),
        end_gap: places.and_then(|(start, end)| truth.end_gap(start, end)),
        end_in,
        failure: FailureType::of(made, start_in, end_in),
        broke,
        measured_by: truth.measured_by(),
        in_region: places.and_then(|(start, end)| truth.in_region(start, end)),
        steps,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a pixel of the viewport")]
fn pixel(point: Point) -> (i32, i32) {
    (point.x.round() as i32, point.y.round() as i32)
}

#[cfg(test)]
mod tests;
