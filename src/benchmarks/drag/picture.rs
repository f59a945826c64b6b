//! Pictures of regions: where a drag may begin, where it may end from one start, and one way.

use std::io::Cursor;

use image::{ImageError, ImageFormat, Rgb, RgbImage};
use imageproc::drawing::{draw_filled_circle_mut, draw_hollow_circle_mut, draw_line_segment_mut};

use super::mask::{Mask, Pixel};
use super::regions::Regions;

/// Green where the drag may begin, blue where it may end, red for the way.
const START: Rgb<u8> = Rgb([0, 170, 60]);
const END: Rgb<u8> = Rgb([30, 80, 255]);
const WAY: Rgb<u8> = Rgb([220, 20, 20]);
/// Size of the marks at the ends of the way, in pixels.
const MARK: i32 = 4;

/// Draws the regions on a screenshot of their scene: the start region, the end region of the drag that the way shows,
/// and that way.
///
/// # Errors
/// When the screenshot can't be read.
pub fn picture(screenshot: &[u8], regions: &Regions) -> Result<Vec<u8>, ImageError> {
    let mut drawn = image::load_from_memory(screenshot)?.to_rgb8();
    tint(&mut drawn, &regions.start, START);
    if let Some((start, end)) = regions.example() {
        tint(&mut drawn, &regions.end_from(start), END);
        way(&mut drawn, start, end);
    }
    let mut png = Vec::new();
    drawn.write_to(&mut Cursor::new(&mut png), ImageFormat::Png)?;
    Ok(png)
}

/// Half the colour over the pixels of a region, and all of it at its border.
fn tint(drawn: &mut RgbImage, region: &Mask, colour: Rgb<u8>) {
    let at = |(x, y): Pixel| u32::try_from(x).ok().zip(u32::try_from(y).ok());
    for (x, y) in region.pixels().filter_map(at) {
        if let Some(pixel) = drawn.get_pixel_mut_checked(x, y) {
            for (channel, wanted) in pixel.0.iter_mut().zip(colour.0) {
                *channel = channel.midpoint(wanted);
            }
        }
    }
    for (x, y) in region.border().into_iter().filter_map(|(inside, _)| at(inside)) {
        if let Some(pixel) = drawn.get_pixel_mut_checked(x, y) {
            *pixel = colour;
        }
    }
}

fn way(drawn: &mut RgbImage, start: Pixel, end: Pixel) {
    #[expect(clippy::cast_precision_loss, reason = "pixels of the viewport are small numbers")]
    let exact = |(x, y): Pixel| (x as f32, y as f32);
    draw_line_segment_mut(drawn, exact(start), exact(end), WAY);
    draw_hollow_circle_mut(drawn, start, MARK, WAY);
    draw_filled_circle_mut(drawn, end, MARK, WAY);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmarks::drag::DropAreas;

    #[test]
    fn regions_are_seen_where_they_are() {
        let regions = Regions {
            source: None,
            links: Vec::new(),
            start: Mask::new((10..30).map(|y| (y, 10, 29)).collect()),
            ends: Mask::new((-5..5).map(|y| (y, 60, 79)).collect()),
            areas: DropAreas { inside: [0.0, 0.0, 200.0, 100.0], deletes: Vec::new() },
        };
        let mut blank = Vec::new();
        let white = RgbImage::from_pixel(200, 100, Rgb([255, 255, 255]));
        white.write_to(&mut Cursor::new(&mut blank), ImageFormat::Png).unwrap();
        let drawn = image::load_from_memory(&picture(&blank, &regions).unwrap()).unwrap().to_rgb8();
        assert_eq!(*drawn.get_pixel(10, 10), START);
        assert_eq!(*drawn.get_pixel(11, 11), Rgb([127, 212, 157]));
        assert_eq!(*drawn.get_pixel(0, 0), Rgb([255, 255, 255]));
        let (start, end) = regions.example().unwrap();
        assert!(regions.allow(start, end));
        let blue = drawn.enumerate_pixels().filter(|(_, _, pixel)| **pixel == END).count();
        assert!(blue > 40, "the border of the end region: {blue}");
    }
}
