//! Coordinate conventions of models: pixels, thousandths of the picture, or pixels of the picture as the model's
//! preprocessing resizes it (reference implementation, `scratch-agent` and the drag benchmark's copy of it).

use serde::{Deserialize, Serialize};

use super::Scale;
use crate::model::{Point, VIEWPORT};

/// Sides of a resized picture are multiples of this (Qwen2-VL's `smart_resize`).
const FACTOR: f64 = 28.0;
/// Fewest and most pixels of a resized picture.
const PIXELS: (f64, f64) = (100.0 * FACTOR * FACTOR, 16_384.0 * FACTOR * FACTOR);

/// What a model's coordinates mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Convention {
    Pixels,
    /// Thousandths of its width and height.
    Thousandths,
    /// Pixels of the screenshot resized so that both sides are multiples of 28.
    SmartResize,
}

/// Benchmarks of the reference; their tables of models differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Main,
    Drag,
}

impl Convention {
    /// The convention of a model of this name, by the reference's table: the first name that is part of it decides.
    pub fn of_model(name: &str, family: Family) -> Self {
        let name = name.to_lowercase();
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let thousandths: &[&str] = match family {
            Family::Main => &["ecnu-vl", "ecnu_vl", "qwen3-vl", "qwen3_vl", "qwen3vl", "qwen-vl"],
            Family::Drag => &["qwen3-vl", "qwen3_vl", "qwen3vl", "gui-owl-1.5"],
        };
        if has(&["ui-tars", "uitars"]) {
            Self::SmartResize
        } else if has(thousandths) {
            Self::Thousandths
        } else {
            Self::Pixels
        }
    }

    /// Width and height of the screenshot in the model's units.
    pub fn size(self) -> (u32, u32) {
        match self {
            Self::Pixels => VIEWPORT,
            Self::Thousandths => (1000, 1000),
            Self::SmartResize => smart_resize(VIEWPORT),
        }
    }

    fn scale(self) -> Option<Scale> {
        let (width, height) = self.size();
        Scale::of_picture(width, height)
    }

    /// The pixel of the page that a model means; fractions are cut off, as the reference does.
    pub fn to_page(self, point: Point) -> Point {
        let page = self.scale().map_or(point, |scale| scale.to_page(point));
        Point::new(page.x.trunc(), page.y.trunc())
    }

    /// A point of the page as hints give it: fractions of the model's units are cut off, as the reference does.
    pub fn to_hint(self, point: Point) -> Point {
        let point = self.scale().map_or(point, |scale| scale.to_picture(point));
        // A value that is whole but for the last bits of a float is whole.
        let cut = |value: f64| if (value - value.round()).abs() < 1e-9 { value.round() } else { value.trunc() };
        Point::new(cut(point.x), cut(point.y))
    }

    /// A point of the page as the model would say it, in whole units.
    pub fn to_model(self, point: Point) -> Point {
        let point = self.scale().map_or(point, |scale| scale.to_picture(point));
        Point::new(point.x.round(), point.y.round())
    }
}

/// The size that Qwen2-VL's preprocessing gives a picture: sides to the nearest multiple of 28, then shrunk or grown
/// if there are too many or too few pixels.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sides are small and positive")]
pub fn smart_resize((width, height): (u32, u32)) -> (u32, u32) {
    let (w, h) = (f64::from(width), f64::from(height));
    let nearest = |side: f64| (side / FACTOR).round().max(1.0) * FACTOR;
    let (fewest, most) = PIXELS;
    let pixels = nearest(w) * nearest(h);
    let (w, h) = if pixels > most {
        let shrink = (w * h / most).sqrt();
        let down = |side: f64| (side / shrink / FACTOR).floor().max(1.0) * FACTOR;
        (down(w), down(h))
    } else if pixels < fewest {
        let grow = (fewest / (w * h)).sqrt();
        let up = |side: f64| (side * grow / FACTOR).ceil() * FACTOR;
        (up(w), up(h))
    } else {
        (nearest(w), nearest(h))
    };
    (w as u32, h as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_known_by_parts_of_their_names() {
        use Convention::{Pixels, SmartResize, Thousandths};
        let of = |name: &str| (Convention::of_model(name, Family::Main), Convention::of_model(name, Family::Drag));
        assert_eq!(of("Qwen3-VL-32B-Instruct"), (Thousandths, Thousandths));
        assert_eq!(of("bytedance/UI-TARS-1.5-7B"), (SmartResize, SmartResize));
        assert_eq!(of("qwen-vl-max"), (Thousandths, Pixels));
        assert_eq!(of("GUI-Owl-1.5-8B"), (Pixels, Thousandths));
        assert_eq!(of("gpt-5"), (Pixels, Pixels));
    }

    #[test]
    fn the_viewport_is_resized_as_the_reference_says() {
        assert_eq!(smart_resize(VIEWPORT), (1288, 728));
        assert_eq!(smart_resize((100, 100)), (280, 280));
        let (width, height) = smart_resize((8000, 6000));
        assert!(width % 28 == 0 && height % 28 == 0 && f64::from(width) * f64::from(height) <= PIXELS.1);
    }

    #[test]
    fn hints_are_cut_off_and_not_rounded() {
        // 101 * 1000 / 1280 = 78.9 and 107 * 1000 / 720 = 148.6.
        assert_eq!(Convention::Thousandths.to_hint(Point::new(101.0, 107.0)), Point::new(78.0, 148.0));
        assert_eq!(Convention::Thousandths.to_model(Point::new(101.0, 107.0)), Point::new(79.0, 149.0));
        assert_eq!(Convention::Thousandths.to_hint(Point::new(640.0, 36.0)), Point::new(500.0, 50.0));
        assert_eq!(Convention::Pixels.to_hint(Point::new(101.0, 107.0)), Point::new(101.0, 107.0));
    }

    #[test]
    fn points_go_to_the_page_and_back() {
        let point = Point::new(640.0, 360.0);
        assert_eq!(Convention::Thousandths.to_page(Point::new(500.0, 500.0)), point);
        assert_eq!(Convention::SmartResize.to_page(Point::new(1287.0, 727.0)), Point::new(1279.0, 719.0));
        for convention in [Convention::Pixels, Convention::Thousandths, Convention::SmartResize] {
            assert!(convention.to_page(convention.to_model(point)).distance(point) <= 1.5);
        }
    }
}
