//! Who answers with a drag: a model, a program, or one of the built-in agents that show what a score is worth.

use std::fmt;
use std::sync::Arc;

use super::super::mask::Pixel;
use super::super::regions::Regions;
use crate::agent::{Asker, DragAnswer, Spot};
use crate::model::{Point, Rect, VIEWPORT, sha256_hex};

#[derive(Clone)]
pub enum Decider {
    /// Presses and lets go as far inside the regions as can be.
    Oracle,
    /// Any two pixels of the viewport.
    Random {
        seed: u64,
    },
    /// The middles of the two blocks' boxes, or of the box of the slot: what naming elements by number amounts to.
    Centre,
    Asked(Arc<dyn Asker>),
}

impl fmt::Debug for Decider {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Oracle => "Oracle",
            Self::Random { .. } => "Random",
            Self::Centre => "Centre",
            Self::Asked(_) => "Asked",
        })
    }
}

/// The boxes of both blocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Boxes {
    pub(super) source: Rect,
    pub(super) target: Rect,
}

/// The drag that goes furthest from all borders; `None` if no end lies in the viewport.
pub(in super::super) fn oracle(regions: &Regions) -> Option<DragAnswer> {
    let start = regions.start.innermost()?;
    let end = regions.end_from(start).filtered(is_inside).innermost()?;
    Some(drag(point(start), point(end)))
}

/// Where the oracle presses, which is the start that a setting with a given start reveals.
pub(in super::super) fn start_of(regions: &Regions) -> Option<Point> {
    regions.start.innermost().map(point)
}

/// The middles of two boxes, as an index of the element list means them.
pub(super) fn centre(boxes: Boxes) -> DragAnswer {
    drag(middle(boxes.source), middle(boxes.target))
}

pub(in super::super) fn middle(Rect { x, y, width, height }: Rect) -> Point {
    Point::new(f64::from(x) + f64::from(width) / 2.0, f64::from(y) + f64::from(height) / 2.0)
}

/// Any two pixels, the same ones for the same seed, item and attempt.
pub(super) fn random(seed: u64, item: &str, attempt: u32) -> DragAnswer {
    let drawn = |what: &str, below: u32| {
        let digest = sha256_hex(format!("{seed} {item} {attempt} {what}").as_bytes());
        let number = u32::from_str_radix(&digest[..8], 16).unwrap_or_default();
        f64::from(number % below)
    };
    let (width, height) = VIEWPORT;
    let start = Point::new(drawn("start x", width), drawn("start y", height));
    drag(start, Point::new(drawn("end x", width), drawn("end y", height)))
}

const fn drag(start: Point, end: Point) -> DragAnswer {
    DragAnswer { start: Spot::Point(start), end: Spot::Point(end) }
}

fn point((x, y): Pixel) -> Point {
    Point::new(f64::from(x), f64::from(y))
}

fn is_inside((x, y): Pixel) -> bool {
    u32::try_from(x).is_ok_and(|x| x < VIEWPORT.0) && u32::try_from(y).is_ok_and(|y| y < VIEWPORT.1)
}

#[cfg(test)]
mod tests {
    use super::super::super::mask::Mask;
    use super::super::super::regions::DropAreas;
    use super::*;

    fn regions() -> Regions {
        Regions {
            source: Some("b".to_owned()),
            links: Vec::new(),
            start: Mask::new((100..=110).map(|y| (y, 400, 440)).collect()),
            ends: Mask::new((-20..=0).map(|y| (y, -100, 100)).collect()),
            areas: DropAreas { inside: [0.0, 0.0, 780.0, 720.0], deletes: vec![[-1e9, -1e9, 313.0, 1e9]] },
        }
    }

    #[test]
    fn the_oracle_stays_away_from_all_borders() {
        assert_eq!(Mask::new((0..7).map(|y| (y, 10, 16)).collect()).innermost(), Some((13, 3)));
        assert_eq!(Mask::new(vec![(5, 8, 8)]).innermost(), Some((8, 5)));
        assert_eq!(Mask::default().innermost(), None);
        let DragAnswer { start: Spot::Point(start), end: Spot::Point(end) } = oracle(&regions()).unwrap() else {
            panic!()
        };
        assert!((start.y - 105.0).abs() < 0.1 && end.x >= 324.0 && (end.y - 95.0).abs() < 0.1, "{start:?} {end:?}");
    }

    #[test]
    fn chance_repeats_itself_with_its_seed() {
        assert_eq!(random(1, "a", 1), random(1, "a", 1));
        for other in [random(2, "a", 1), random(1, "b", 1), random(1, "a", 2)] {
            assert_ne!(other, random(1, "a", 1));
        }
    }

    #[test]
    fn boxes_are_dragged_by_their_middles() {
        let boxes = Boxes { source: Rect::new(10, 20, 30, 40), target: Rect::new(0, 0, 5, 5) };
        assert_eq!(centre(boxes), drag(Point::new(25.0, 40.0), Point::new(2.5, 2.5)));
    }
}
