//! The box around a word, in pixels of the picture. What a box on the page means is not known here.

use serde::Serialize;

/// A box in whole pixels, its origin the picture's left upper corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Area {
    pub x: i32,
    pub y: i32,
    /// Width; 0 or more.
    pub width: i32,
    /// Height; 0 or more.
    pub height: i32,
}

impl Area {
    /// A box from its left, top, width and height.
    pub const fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self { x, y, width, height }
    }

    /// Whether `inner` lies fully inside, edges included.
    pub const fn contains(&self, inner: &Self) -> bool {
        inner.x >= self.x
            && inner.y >= self.y
            && inner.x + inner.width <= self.x + self.width
            && inner.y + inner.height <= self.y + self.height
    }

    /// Pixels shared with `other`.
    pub(super) fn overlap(&self, other: &Self) -> i64 {
        let shared = |a: i32, al: i32, b: i32, bl: i32| i64::from((a + al).min(b + bl) - a.max(b)).max(0);
        shared(self.x, self.width, other.x, other.width) * shared(self.y, self.height, other.y, other.height)
    }

    pub(super) fn pixels(&self) -> i64 {
        i64::from(self.width) * i64::from(self.height)
    }
}
