//! Where blocks are grasped, and where their connections must end up.
//!
//! Blockly looks for connections within 48 units of those of the dragged block and takes the nearest (`core/config.ts`,
//! `core/dragging/block_drag_strategy.ts`), so that bringing two connections onto each other connects these two.

use super::layout;
use super::matching::Matched;
use super::plan::Spot;
use super::player::{Player, SCALE};
use super::sheet::Held;
use super::words::{self, Kind};
use crate::model::{Point, Rect};
use crate::solver::derive::Id;

/// From the left edge of a block to where it is grasped, in pixels: left of its first slot.
const GRASP: f64 = 2.0;
/// From the left edge of a stack block to its connections.
const NOTCH_X: f64 = 12.0;
/// An empty slot for a condition with the rim right of it.
const LAST_CONDITION: f64 = 56.0;
/// The rim left of a slot for a condition that comes first.
const FIRST_CONDITION: f64 = 8.0;

/// Where a dragged thing is taken, and the point of it that is to meet the target: its upper left corner, or the
/// middle of its left edge for a reporter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Handle {
    pub grasp: Point,
    pub meets: Point,
}

/// A place for a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Target {
    /// Where the corner, or the middle of the left edge, of the block has to be.
    pub at: Point,
    /// Whether it is a slot.
    pub is_slot: bool,
}

/// The handle of a block in the palette. All connections of a block that comes from there lie in its upper left corner
/// while it is dragged, since it is not drawn yet when the drag begins (Blockly 12; docs/DRAGS.md).
pub(super) fn palette_handle(place: Rect, opcode: &str, target: Target) -> Handle {
    let (x, y, height) = (f64::from(place.x), f64::from(place.y), f64::from(place.height));
    let down = if words::is_hat(opcode) { height - 16.0 } else { (height / 2.0).min(16.0) };
    let meets = if target.is_slot { Point::new(x, y) } else { Point::new(x - NOTCH_X * SCALE, y) };
    Handle { grasp: Point::new(x + GRASP + 1.0, y + down), meets }
}

impl Player {
    /// The handle of a block on the canvas.
    pub fn handle(&self, matched: &Matched, id: Id) -> Option<Handle> {
        let opcode = self.sheet.nodes[id].opcode.as_str();
        if words::is_reporter(opcode) {
            let place = *matched.boxes.get(&id)?;
            let held = self.sheet.nodes[id].slots.iter().filter_map(|slot| match slot.holds {
                Held::Block(inner) => matched.boxes.get(&inner).copied(),
                _ => None,
            });
            return Some(reporter_handle(place, &held.collect::<Vec<_>>()));
        }
        let meets = self.corner(matched, id)?;
        let down = if words::is_hat(opcode) { 40.0 } else { 20.0 };
        Some(Handle { grasp: Point::new(meets.x + GRASP, meets.y + down * SCALE), meets })
    }

    /// Where a block must be dropped for a spot.
    pub fn target(&self, matched: &Matched, spot: &Spot) -> Option<Target> {
        match spot {
            Spot::Loose => None,
            Spot::Below(above) => {
                let corner = self.corner(matched, *above)?;
                let blocks = layout::positions(&self.sheet, *above);
                let height = blocks.first()?.height * SCALE;
                Some(Target { at: Point::new(corner.x, corner.y + height), is_slot: false })
            }
            Spot::In(around, name) => {
                let slot = self.sheet.nodes[*around].slots.iter().find(|slot| slot.name == *name)?;
                match slot.kind {
                    Kind::Mouth => {
                        let corner = self.corner(matched, *around)?;
                        let down = layout::mouth(&self.sheet, *around, name) * SCALE;
                        let at = Point::new(corner.x + layout::INDENT * SCALE, corner.y + down);
                        Some(Target { at, is_slot: false })
                    }
                    Kind::Value | Kind::Boolean => {
                        let at = match matched.shown.get(&(*around, name.clone())) {
                            Some(shown) => left(shown.place),
                            None => self.condition(matched, *around, name)?,
                        };
                        Some(Target { at, is_slot: true })
                    }
                }
            }
        }
    }

    /// The left end of an empty slot for a condition.
    fn condition(&self, matched: &Matched, around: Id, name: &str) -> Option<Point> {
        let node = &self.sheet.nodes[around];
        let place = *matched.boxes.get(&around)?;
        let (x, right) = (f64::from(place.x), f64::from(place.x + place.width));
        let head = layout::positions(&self.sheet, around).first()?.head;
        let y = if words::is_reporter(&node.opcode) { left(place).y } else { f64::from(place.y) + head / 2.0 * SCALE };
        let slots: Vec<_> = node.slots.iter().filter(|slot| slot.kind == Kind::Boolean).collect();
        let is_last = slots.last().is_some_and(|slot| slot.name == name);
        let x = match layout::condition(&node.opcode) {
            Some(from_left) => x + from_left * SCALE,
            None if is_last => right - LAST_CONDITION * SCALE,
            None => x + FIRST_CONDITION * SCALE,
        };
        debug_assert!(slots.iter().any(|slot| slot.name == name && !matches!(slot.holds, Held::Block(_))));
        Some(Point::new(x, y))
    }
}

/// The handle of a reporter by its box, and by the boxes of the reporters in it from left to right: it is grasped at
/// its left end, or in the widest part that is its own.
pub(super) fn reporter_handle(place: Rect, inner: &[Rect]) -> Handle {
    let meets = left(place);
    if inner.is_empty() {
        return Handle { grasp: Point::new(meets.x + GRASP, meets.y), meets };
    }
    let starts = [place.x].into_iter().chain(inner.iter().map(|it| it.x + it.width));
    let ends = inner.iter().map(|it| it.x).chain([place.x + place.width]);
    let widest = starts.zip(ends).max_by_key(|(start, end)| end - start).unwrap_or((place.x, place.x + place.width));
    Handle { grasp: Point::new(f64::midpoint(f64::from(widest.0), f64::from(widest.1)), meets.y), meets }
}

/// The middle of a box's left edge.
fn left(place: Rect) -> Point {
    Point::new(f64::from(place.x), f64::from(place.y) + f64::from(place.height) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_from_the_palette_meet_with_their_corners() {
        let place = Rect::new(70, 120, 110, 38);
        let slot = Target { at: Point::new(0.0, 0.0), is_slot: true };
        let handle = palette_handle(place, "operator_add", slot);
        assert_eq!(handle, Handle { grasp: Point::new(73.0, 136.0), meets: Point::new(70.0, 120.0) });
        let below = palette_handle(place, "looks_show", Target { is_slot: false, ..slot });
        assert!((below.meets.x - 65.3125).abs() < 0.01);
    }

    #[test]
    fn reporters_are_grasped_left_of_what_is_in_them() {
        let handle = reporter_handle(Rect::new(100, 50, 40, 15), &[]);
        assert_eq!((handle.grasp, handle.meets), (Point::new(102.0, 57.5), Point::new(100.0, 57.5)));
        let sum =
            reporter_handle(Rect::new(611, 226, 62, 19), &[Rect::new(613, 227, 24, 16), Rect::new(647, 227, 24, 16)]);
        assert_eq!(sum.grasp, Point::new(642.0, 235.5), "between them");
    }
}
