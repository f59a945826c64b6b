//! A picture of the viewport's size with ten numbered boxes at known places. It is always the same.

use std::io::Cursor;

use image::{ImageError, ImageFormat, Rgb, RgbImage};

use crate::model::VIEWPORT;

/// Width and height of a box in pixels.
pub(super) const SIDES: (u32, u32) = (60, 44);
/// Left upper corners of the boxes, by their numbers: all over the picture, none at a place that is the same in two units.
pub const BOXES: [(u32, u32); 10] = [
    (37, 52),
    (1151, 88),
    (604, 31),
    (289, 231),
    (873, 262),
    (1190, 402),
    (118, 489),
    (523, 421),
    (391, 643),
    (957, 618),
];
/// Colours by number, all dark enough for white digits.
const COLOURS: [[u8; 3]; 10] = [
    [178, 34, 34],
    [0, 100, 0],
    [25, 25, 160],
    [128, 0, 128],
    [160, 82, 0],
    [0, 110, 120],
    [90, 90, 0],
    [199, 21, 133],
    [60, 60, 60],
    [70, 40, 150],
];
/// Digits, three pixels wide: a row of bits each, the left pixel first.
const DIGITS: [[u8; 5]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b010, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];
/// Pixels of the picture for one of a digit.
const DOT: u32 = 7;

/// The picture as PNG.
///
/// # Errors
/// When it can't be encoded.
pub fn picture() -> Result<Vec<u8>, ImageError> {
    let mut drawn = RgbImage::from_pixel(VIEWPORT.0, VIEWPORT.1, Rgb([236, 236, 230]));
    for (number, corner) in BOXES.iter().enumerate() {
        fill(&mut drawn, *corner, SIDES, COLOURS[number]);
        let (left, top) = (corner.0 + (SIDES.0 - 3 * DOT) / 2, corner.1 + (SIDES.1 - 5 * DOT) / 2);
        for (row, bits) in (0..).zip(DIGITS[number]) {
            for column in (0..3).filter(|column| bits >> (2 - column) & 1 == 1) {
                fill(&mut drawn, (left + column * DOT, top + row * DOT), (DOT, DOT), [255, 255, 255]);
            }
        }
    }
    let mut png = Cursor::new(Vec::new());
    drawn.write_to(&mut png, ImageFormat::Png)?;
    Ok(png.into_inner())
}

fn fill(drawn: &mut RgbImage, (left, top): (u32, u32), (width, height): (u32, u32), colour: [u8; 3]) {
    for y in top..top + height {
        for x in left..left + width {
            drawn.put_pixel(x, y, Rgb(colour));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_lie_apart_within_the_picture() {
        let png = picture().unwrap();
        let drawn = image::load_from_memory(&png).unwrap().to_rgb8();
        assert_eq!((drawn.dimensions(), picture().unwrap() == png), (VIEWPORT, true));
        for (number, (x, y)) in BOXES.iter().enumerate() {
            assert_eq!(drawn.get_pixel(*x, *y).0, COLOURS[number]);
            for (a, b) in &BOXES[..number] {
                assert!(x.abs_diff(*a) > SIDES.0 || y.abs_diff(*b) > SIDES.1, "{number}");
            }
        }
    }
}
