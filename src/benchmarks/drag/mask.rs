//! Sets of pixels as runs, a row's stretches from the first pixel to the last.

use std::collections::BTreeSet;

use image::{GrayImage, Luma};
use imageproc::distance_transform::{Norm, distance_transform};
use serde::{Deserialize, Serialize};

/// A pixel, or an offset in pixels: right and down.
pub type Pixel = (i32, i32);

/// A set of pixels. Runs are sorted by row, then by column, and don't touch each other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mask {
    /// Row, first and last column of each.
    runs: Vec<(i32, i32, i32)>,
}

impl Mask {
    /// From runs of row, first and last column, in order.
    pub const fn new(runs: Vec<(i32, i32, i32)>) -> Self {
        Self { runs }
    }

    /// Whether there is no pixel in it.
    pub const fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// How many pixels are in it.
    pub fn area(&self) -> u32 {
        self.runs.iter().map(|(_, first, last)| (last - first).unsigned_abs() + 1).sum()
    }

    /// Whether a pixel is in it.
    pub fn contains(&self, (x, y): Pixel) -> bool {
        let row = self.runs.partition_point(|run| run.0 < y);
        self.runs[row..].iter().take_while(|run| run.0 == y).any(|(_, first, last)| (*first..=*last).contains(&x))
    }

    /// Distance in pixels to the nearest pixel of it: the paper's spatial error. `None` if it is empty.
    pub fn distance(&self, x: f64, y: f64) -> Option<f64> {
        let to_run = |(row, first, last): &(i32, i32, i32)| {
            let nearest = x.round().clamp(f64::from(*first), f64::from(*last));
            (x - nearest).hypot(y - f64::from(*row))
        };
        self.runs.iter().map(to_run).min_by(f64::total_cmp)
    }

    /// The same set, moved.
    pub fn shifted(&self, (right, down): Pixel) -> Self {
        Self { runs: self.runs.iter().map(|(y, first, last)| (y + down, first + right, last + right)).collect() }
    }

    /// The pixels for which `keep` is true.
    pub fn filtered(&self, keep: impl Fn(Pixel) -> bool) -> Self {
        let mut kept = Self::default();
        self.pixels().filter(|pixel| keep(*pixel)).for_each(|pixel| kept.push(pixel));
        kept
    }

    /// Adds a pixel behind all others.
    fn push(&mut self, (x, y): Pixel) {
        match self.runs.last_mut() {
            Some((row, _, last)) if *row == y && *last + 1 == x => *last = x,
            _ => self.runs.push((y, x, x)),
        }
    }

    /// All pixels, row by row.
    pub fn pixels(&self) -> impl Iterator<Item = Pixel> + '_ {
        self.runs.iter().flat_map(|(y, first, last)| (*first..=*last).map(move |x| (x, *y)))
    }

    /// The pixel furthest from those outside, by rows, columns and diagonals; the first from the top left among equals.
    /// `None` if it is empty.
    pub fn innermost(&self) -> Option<Pixel> {
        let pixels: Vec<Pixel> = self.pixels().collect();
        let left = pixels.iter().map(|pixel| pixel.0).min()?;
        let top = pixels.iter().map(|pixel| pixel.1).min()?;
        // A rim of pixels that do not belong to it, so that its own edges count as borders.
        let place = |(x, y): Pixel| Some((u32::try_from(x - left + 1).ok()?, u32::try_from(y - top + 1).ok()?));
        let places: Vec<(u32, u32)> = pixels.iter().copied().filter_map(place).collect();
        let (width, height) = places.iter().fold((0, 0), |(w, h), (x, y)| (w.max(*x), h.max(*y)));
        let mut outside = GrayImage::from_pixel(width + 2, height + 2, Luma([255]));
        for (x, y) in places {
            outside.put_pixel(x, y, Luma([0]));
        }
        let depth = distance_transform(&outside, Norm::LInf);
        let depth_at = |pixel: Pixel| place(pixel).map_or(0, |(x, y)| depth.get_pixel(x, y)[0]);
        pixels.into_iter().rev().max_by_key(|pixel| depth_at(*pixel))
    }

    /// Pairs of a pixel in it and one beside it that is not.
    pub fn border(&self) -> Vec<(Pixel, Pixel)> {
        let pairs = |pixel: Pixel| beside(pixel).map(|other| (pixel, other));
        self.pixels().flat_map(pairs).filter(|(_, other)| !self.contains(*other)).collect()
    }
}

/// The four pixels at the sides of one.
const fn beside((x, y): Pixel) -> [Pixel; 4] {
    [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
}

impl FromIterator<Pixel> for Mask {
    /// From pixels in any order.
    fn from_iter<I: IntoIterator<Item = Pixel>>(pixels: I) -> Self {
        let rows: BTreeSet<(i32, i32)> = pixels.into_iter().map(|(x, y)| (y, x)).collect();
        let mut mask = Self::default();
        for (y, x) in rows {
            mask.push((x, y));
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An L of five pixels.
    fn l_shape() -> Mask {
        Mask::new(vec![(10, 5, 5), (11, 5, 5), (12, 5, 7)])
    }

    #[test]
    fn it_knows_its_pixels() {
        let mask = l_shape();
        assert_eq!(mask.area(), 5);
        assert!(mask.contains((7, 12)) && !mask.contains((7, 11)) && !mask.contains((8, 12)));
        assert_eq!(mask.pixels().count(), 5);
    }

    #[test]
    fn distance_is_zero_inside_and_straight_outside() {
        let mask = l_shape();
        assert_eq!(mask.distance(6.0, 12.0), Some(0.0));
        assert_eq!(mask.distance(10.0, 16.0), Some(5.0));
        assert_eq!(Mask::default().distance(0.0, 0.0), None);
    }

    #[test]
    fn the_border_lies_on_both_sides() {
        for (inside, outside) in l_shape().border() {
            assert!(l_shape().contains(inside) && !l_shape().contains(outside));
        }
        assert_eq!(Mask::new(vec![(0, 0, 0)]).border().len(), 4);
    }

    #[test]
    fn pixels_in_any_order_make_a_mask() {
        let mut pixels: Vec<Pixel> = l_shape().pixels().collect();
        pixels.reverse();
        assert_eq!(pixels.into_iter().collect::<Mask>(), l_shape());
    }

    #[test]
    fn the_innermost_pixel_is_far_from_the_border() {
        let square = Mask::new((0..21).map(|y| (y, 0, 20)).collect());
        assert_eq!(square.innermost(), Some((10, 10)));
        assert!(l_shape().contains(l_shape().innermost().unwrap()));
        assert_eq!(Mask::default().innermost(), None);
    }

    #[test]
    fn moving_and_cutting_keep_the_order() {
        let cut = l_shape().shifted((1, -10)).filtered(|(x, _)| x != 7);
        assert_eq!(cut, Mask::new(vec![(0, 6, 6), (1, 6, 6), (2, 6, 6), (2, 8, 8)]));
    }
}
