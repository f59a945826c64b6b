//! Where a model says that boxes are, and how far that is from where they are, in each unit that coordinates may have.

use serde::Serialize;
use serde_json::Value;

use super::picture::{BOXES, SIDES};
use crate::agent::llm::read_call;
use crate::grade::quantile;
use crate::model::Point;
use crate::perceive::Convention;

/// The units that are tried, the plainest first.
const CONVENTIONS: [Convention; 3] = [Convention::Pixels, Convention::Thousandths, Convention::SmartResize];
/// Boxes that must be named; from fewer nothing is concluded.
const LEAST: usize = 5;
/// Boxes that must be hit for the picture to have been seen: who guesses hits one of fifty.
const SEEN: usize = 3;

/// How far points are off when they are read in one unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Off {
    pub convention: Convention,
    /// Median distance from the middles of the boxes, in pixels of the picture.
    pub median_px: f64,
    /// Points that lie in their boxes.
    pub hits: usize,
}

impl Off {
    /// Whether so many boxes are hit that the picture was seen.
    pub const fn is_seen(&self) -> bool {
        self.hits >= SEEN
    }
}

/// What the points of an answer come to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coordinates {
    /// Boxes that were named, of ten.
    pub named: usize,
    /// In each unit, the one that fits best first.
    pub off: Vec<Off>,
}

impl Coordinates {
    /// The unit that fits best.
    pub fn best(&self) -> Off {
        self.off[0]
    }

    /// How far points are off in this unit.
    pub fn of(&self, convention: Convention) -> Option<Off> {
        self.off.iter().find(|off| off.convention == convention).copied()
    }
}

/// Reads an answer; `None` when it names too few boxes.
pub fn coordinates(answer: &str) -> Option<Coordinates> {
    let call = read_call(answer).ok()?;
    let points: Vec<(usize, Point)> = call.args.get("points")?.as_array()?.iter().filter_map(point).collect();
    let mut named: Vec<usize> = points.iter().map(|(number, _)| *number).collect();
    named.sort_unstable();
    named.dedup();
    if named.len() < LEAST || named.len() < points.len() {
        return None;
    }
    let mut off: Vec<Off> = CONVENTIONS.map(|convention| measured(&points, convention)).into();
    // Stable: where two units fit alike, the plainer one stays first.
    off.sort_by(|one, other| one.median_px.total_cmp(&other.median_px));
    Some(Coordinates { named: named.len(), off })
}

fn point(value: &Value) -> Option<(usize, Point)> {
    let parts = value.as_array()?;
    let number = usize::try_from(parts.first()?.as_u64()?).ok().filter(|number| *number < BOXES.len())?;
    Some((number, Point::new(parts.get(1)?.as_f64()?, parts.get(2)?.as_f64()?)))
}

fn measured(points: &[(usize, Point)], convention: Convention) -> Off {
    let middle = |number: usize| {
        let (left, top) = BOXES[number];
        Point::new(f64::from(left + SIDES.0 / 2), f64::from(top + SIDES.1 / 2))
    };
    let found: Vec<(Point, Point)> =
        points.iter().map(|(number, point)| (middle(*number), convention.to_page(*point))).collect();
    let mut distances: Vec<f64> = found.iter().map(|(there, said)| there.distance(*said)).collect();
    distances.sort_by(f64::total_cmp);
    let is_hit = |(there, said): &&(Point, Point)| {
        (there.x - said.x).abs() <= f64::from(SIDES.0) / 2.0 && (there.y - said.y).abs() <= f64::from(SIDES.1) / 2.0
    };
    Off { convention, median_px: quantile(&distances, 0.5), hits: found.iter().filter(is_hit).count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer that names the boxes in this unit, off by so many pixels.
    fn answer(convention: Convention, off: f64, count: usize) -> String {
        let points = BOXES.iter().enumerate().take(count).map(|(number, (left, top))| {
            let place = Point::new(f64::from(*left) + 30.0 + off, f64::from(*top) + 22.0);
            let said = convention.to_model(place);
            format!("[{number}, {}, {}]", said.x, said.y)
        });
        let points: Vec<String> = points.collect();
        format!("```json\n{{\"api\": \"boxes\", \"args\": {{\"points\": [{}]}}}}\n```", points.join(", "))
    }

    #[test]
    fn the_unit_of_coordinates_is_found() {
        for convention in CONVENTIONS {
            let found = coordinates(&answer(convention, 0.0, 10)).unwrap();
            let best = found.best();
            assert_eq!((best.convention, best.hits, found.named), (convention, 10, 10));
            assert!(best.median_px < 2.0 && best.is_seen(), "{found:?}");
        }
        let far = coordinates(&answer(Convention::Pixels, 300.0, 10)).unwrap();
        assert!(!far.best().is_seen(), "{far:?}");
        assert!(far.of(Convention::Pixels).unwrap().median_px > 250.0);
    }

    #[test]
    fn from_too_little_nothing_is_concluded() {
        assert_eq!(coordinates(&answer(Convention::Pixels, 0.0, 4)), None);
        assert_eq!(coordinates("I can't see pictures."), None);
        assert_eq!(coordinates(&answer(Convention::Pixels, 0.0, 10).replace("[9,", "[8,")), None, "one box twice");
        assert_eq!(coordinates(&answer(Convention::Pixels, 0.0, 5)).unwrap().named, 5);
    }
}
