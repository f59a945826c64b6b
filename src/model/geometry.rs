//! Points and rectangles in CSS pixels of the page, origin top left.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place on the page in CSS pixels; fractions are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Pixels from the left edge of the viewport.
    pub x: f64,
    /// Pixels from the top edge of the viewport.
    pub y: f64,
}

impl Point {
    /// A point; callers check the range with [`Point::is_inside`].
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Whether both coordinates are finite and inside a viewport of this size.
    pub fn is_inside(self, width: u32, height: u32) -> bool {
        let inside = |v: f64, limit: u32| v.is_finite() && v >= 0.0 && v < f64::from(limit);
        inside(self.x, width) && inside(self.y, height)
    }

    /// Straight-line distance in pixels.
    pub fn distance(self, other: Self) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    /// The point at `t` (0 = here, 1 = `other`) on the straight line to `other`.
    pub fn towards(self, other: Self, t: f64) -> Self {
        Self::new(self.x + (other.x - self.x) * t, self.y + (other.y - self.y) * t)
    }
}

/// A bounding box in whole CSS pixels, as the published element lists have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width, never negative in a list.
    pub width: i32,
    /// Height, never negative in a list.
    pub height: i32,
}

impl Rect {
    /// A box from its left, top, width and height.
    pub const fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self { x, y, width, height }
    }

    /// The pixel an index is resolved to: `int(x + w/2), int(y + h/2)`
    /// (ScratchWorld reference implementation).
    pub fn center(&self) -> Point {
        let half = |start: i32, length: i32| (f64::from(start) + f64::from(length) / 2.0).floor();
        Point::new(half(self.x, self.width), half(self.y, self.height))
    }

    /// Whether `inner` is fully inside, edges included.
    pub const fn contains(&self, inner: &Self) -> bool {
        inner.x >= self.x
            && inner.y >= self.y
            && inner.x + inner.width <= self.x + self.width
            && inner.y + inner.height <= self.y + self.height
    }

    /// Area shared with `other`, in square pixels.
    pub fn overlap(&self, other: &Self) -> i64 {
        let shared = |a: i32, al: i32, b: i32, bl: i32| i64::from((a + al).min(b + bl) - a.max(b)).max(0);
        shared(self.x, self.width, other.x, other.width) * shared(self.y, self.height, other.y, other.height)
    }

    /// Width times height, in square pixels.
    pub fn area(&self) -> i64 {
        i64::from(self.width.max(0)) * i64::from(self.height.max(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn center_rounds_down_like_the_reference() {
        assert_eq!(Rect::new(10, 20, 5, 7).center(), Point::new(12.0, 23.0));
    }

    #[test]
    fn a_point_on_the_far_edge_is_outside() {
        assert!(Point::new(1279.9, 0.0).is_inside(1280, 720));
        assert!(!Point::new(1280.0, 0.0).is_inside(1280, 720));
        assert!(!Point::new(f64::NAN, 0.0).is_inside(1280, 720));
    }

    proptest! {
        #[test]
        fn overlap_is_symmetric_and_bounded(ax in -50..50, ay in -50..50, aw in 0..80, ah in 0..80,
                                            bx in -50..50, by in -50..50, bw in 0..80, bh in 0..80) {
            let (a, b) = (Rect::new(ax, ay, aw, ah), Rect::new(bx, by, bw, bh));
            prop_assert_eq!(a.overlap(&b), b.overlap(&a));
            prop_assert!(a.overlap(&b) <= a.area().min(b.area()));
            if a.contains(&b) { prop_assert_eq!(a.overlap(&b), b.area()); }
        }
    }
}
