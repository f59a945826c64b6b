//! Scrolling things into view, and the part of the canvas that is usable.

use super::layout;
use super::matching::Matched;
use super::player::{Player, SCALE, Stuck};
use super::scene::Row;
use crate::model::{Point, Rect};

/// How often the canvas is scrolled for one thing.
const TRIES: u32 = 6;
/// Room left of a script: what comes from the palette passes there, and can't be let go too near to it.
const LEFT: f64 = 30.0;
/// Room for the zoom buttons and the scroll bar.
const RIGHT: f64 = 80.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 24.0;
/// How far from all blocks a free place is.
const RIM: f64 = 34.0;

/// The part of the canvas where everything can be grasped and let go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Room {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Room {
    pub fn of(canvas: Rect) -> Self {
        let (x, y) = (f64::from(canvas.x), f64::from(canvas.y));
        Self {
            left: x + LEFT,
            top: y + TOP,
            right: x + f64::from(canvas.width) - RIGHT,
            bottom: y + f64::from(canvas.height) - BOTTOM,
        }
    }

    pub fn has(self, at: Point) -> bool {
        (self.left..=self.right).contains(&at.x) && (self.top..=self.bottom).contains(&at.y)
    }

    /// How far the canvas has to move for a point to come where there is room around it.
    fn away(self, at: Point) -> (f64, f64) {
        let into = |value: f64, from: f64, to: f64| {
            if value < from {
                from - value
            } else if value > to {
                to - value
            } else {
                0.0
            }
        };
        (into(at.x, self.left, self.right), into(at.y, self.top, self.bottom))
    }

    /// The same with a rim.
    fn inner(self) -> Self {
        let (x, y) = (15.0, (self.bottom - self.top) / 4.0);
        Self { left: self.left + x, top: self.top + y, right: self.right - 4.0 * x, bottom: self.bottom - y }
    }
}

impl Player {
    /// Scrolls until all points that `wanted` returns are in the usable part. It returns `None` for what can't be
    /// found.
    pub async fn bring(
        &mut self,
        what: &str,
        wanted: impl Fn(&Self, &Matched) -> Option<Vec<Point>> + Send,
    ) -> Result<Matched, Stuck> {
        for _ in 0..TRIES {
            let matched = self.look();
            let room = Room::of(self.canvas()?);
            let Some(points) = wanted(self, &matched) else { break };
            if points.iter().all(|point| room.has(*point)) {
                return Ok(matched);
            }
            let inner = room.inner();
            let middle = Point::new(
                f64::midpoint(least(&points, |p| p.x), most(&points, |p| p.x)),
                f64::midpoint(least(&points, |p| p.y), most(&points, |p| p.y)),
            );
            let (mut x, mut y) = inner.away(if points.len() == 1 { points[0] } else { middle });
            if points.len() == 1 && points[0].x >= room.left && points[0].x <= room.right {
                x = 0.0;
            }
            if (0.0..=0.0).contains(&x) && (0.0..=0.0).contains(&y) {
                // Two points that are too far apart for one view.
                break;
            }
            if (0.0..=0.0).contains(&y) && points.iter().any(|p| p.y < room.top || p.y > room.bottom) {
                y = 0.0;
            }
            self.slide(x, y).await?;
        }
        Err(Stuck(format!("{what} can't be brought into sight; {}", self.look().faults.join(", "))))
    }

    /// Moves the canvas and what is on it by so many pixels.
    pub async fn slide(&mut self, x: f64, y: f64) -> Result<(), Stuck> {
        let canvas = self.canvas()?;
        let at = Point::new(f64::from(canvas.x) + 40.0, f64::from(canvas.y) + f64::from(canvas.height) - 40.0);
        if y.abs() >= 1.0 {
            self.scroll(at, if y < 0.0 { "down" } else { "up" }, y.abs().round()).await?;
            self.shift.1 += y.round();
        }
        if x.abs() >= 1.0 {
            self.scroll(at, if x < 0.0 { "right" } else { "left" }, x.abs().round()).await?;
            self.shift.0 += x.round();
        }
        Ok(())
    }

    /// Where a stack block is on the page, in sight or not, by what is known of its script.
    pub fn corner(&self, matched: &Matched, id: usize) -> Option<Point> {
        if let Some((x, y)) = matched.corners.get(&id) {
            return Some(Point::new(*x, *y));
        }
        let script = self.sheet.scripts.get(self.sheet.script_of(id)?)?;
        let block = layout::positions(&self.sheet, script.root).into_iter().find(|block| block.id == id)?;
        let (x, y) = (script.at.0 + self.shift.0, script.at.1 + self.shift.1);
        Some(Point::new(x + block.x * SCALE, y + block.y * SCALE))
    }

    /// The upper left corner of a free place in sight, for something of this size.
    pub fn free_place(&self, width: f64, height: f64) -> Option<Point> {
        let canvas = self.scene.canvas()?;
        let room = Room::of(canvas);
        let boxes: Vec<Rect> = self
            .scene
            .canvas_rows()
            .into_iter()
            .filter_map(|row| match row {
                Row::Block(_, place) => Some(*place),
                Row::Field(..) => None,
            })
            .collect();
        let is_free = |at: Point| {
            boxes.iter().all(|it| {
                let (x, y) = (f64::from(it.x), f64::from(it.y));
                at.x + width + RIM < x
                    || at.x - RIM > x + f64::from(it.width)
                    || at.y + height + RIM < y
                    || at.y - RIM > y + f64::from(it.height)
            })
        };
        // From the right, where scripts rarely reach.
        let mut x = room.right - width.min(120.0);
        while x >= room.left {
            let mut y = room.top + 10.0;
            while y <= room.bottom - 20.0 {
                let at = Point::new(x, y);
                if is_free(at) {
                    return Some(at);
                }
                y += 12.0;
            }
            x -= 20.0;
        }
        None
    }
}

fn least(points: &[Point], of: impl Fn(&Point) -> f64) -> f64 {
    points.iter().map(of).fold(f64::INFINITY, f64::min)
}

fn most(points: &[Point], of: impl Fn(&Point) -> f64) -> f64 {
    points.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_room_under_the_palette_and_the_buttons() {
        let room = Room::of(Rect::new(313, 93, 710, 627));
        assert!(room.has(Point::new(350.0, 300.0)));
        for outside in
            [Point::new(320.0, 300.0), Point::new(960.0, 300.0), Point::new(400.0, 94.0), Point::new(400.0, 715.0)]
        {
            assert!(!room.has(outside), "{outside:?}");
        }
        assert_eq!(room.away(Point::new(300.0, 300.0)), (43.0, 0.0));
    }
}
