//! Coordinates of a model's picture and of the page. Models are shown pictures of other sizes, or answer
//! on a grid of their own such as 0 to 1000; the page is always [`VIEWPORT`] pixels.

use crate::model::{Point, VIEWPORT};

/// A picture's size, which fixes how its coordinates map to the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    width: f64,
    height: f64,
}

impl Scale {
    /// The mapping for a picture of this size in its own units; `None` when either side is zero.
    pub fn of_picture(width: u32, height: u32) -> Option<Self> {
        (width > 0 && height > 0).then(|| Self { width: f64::from(width), height: f64::from(height) })
    }

    /// From the picture to the page, in CSS pixels.
    pub fn to_page(&self, point: Point) -> Point {
        let (width, height) = (f64::from(VIEWPORT.0), f64::from(VIEWPORT.1));
        Point::new(point.x * width / self.width, point.y * height / self.height)
    }

    /// From the page to the picture, in the picture's units.
    pub fn to_picture(&self, point: Point) -> Point {
        let (width, height) = (f64::from(VIEWPORT.0), f64::from(VIEWPORT.1));
        Point::new(point.x * self.width / width, point.y * self.height / height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_picture_without_area_has_no_scale() {
        assert_eq!(Scale::of_picture(0, 720), None);
    }

    #[test]
    fn a_grid_of_a_thousand_covers_the_page() {
        let grid = Scale::of_picture(1000, 1000).unwrap();
        assert_eq!(grid.to_page(Point::new(500.0, 500.0)), Point::new(640.0, 360.0));
    }

    proptest! {
        #[test]
        fn there_and_back_is_the_same_pixel(width in 100u32..4000, height in 100u32..4000, x in 0.0..1280.0f64, y in 0.0..720.0f64) {
            let scale = Scale::of_picture(width, height).unwrap();
            let back = scale.to_page(scale.to_picture(Point::new(x, y)));
            prop_assert!(back.distance(Point::new(x, y)) < 1e-6);
        }
    }
}
