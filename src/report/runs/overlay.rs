//! Sets of pixels as paths of SVG.

use std::fmt::Write as _;

use crate::benchmarks::drag::{Mask, Pixel};

/// The path that covers a set of pixels: stretches that lie right below each other and are as long become one box.
pub(super) fn path_of(mask: &Mask) -> String {
    let mut boxes: Vec<(i32, i32, i32, i32)> = Vec::new();
    for (y, first, last) in stretches(mask) {
        let above = boxes
            .iter_mut()
            .rev()
            .take(8)
            .find(|(top, left, right, height)| top + height == y && *left == first && *right == last);
        match above {
            Some(found) => found.3 += 1,
            None => boxes.push((y, first, last, 1)),
        }
    }
    let mut path = String::new();
    for (top, left, right, height) in boxes {
        // Writing to a String can't fail.
        let _ = write!(path, "M{left} {top}h{}v{height}h-{}z", right - left + 1, right - left + 1);
    }
    path
}

/// Rows with their first and last columns.
fn stretches(mask: &Mask) -> Vec<(i32, i32, i32)> {
    let mut all: Vec<(i32, i32, i32)> = Vec::new();
    for (x, y) in mask.pixels() {
        let next: Pixel = (x, y);
        match all.last_mut() {
            Some((row, _, last)) if *row == next.1 && *last + 1 == next.0 => *last = next.0,
            _ => all.push((y, x, x)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_become_one_box() {
        let mask = Mask::new(vec![(5, 10, 19), (6, 10, 19), (7, 10, 12)]);
        assert_eq!(path_of(&mask), "M10 5h10v2h-10zM10 7h3v1h-3z");
        assert_eq!(path_of(&Mask::default()), "");
    }
}
