//! Converts a screenshot to the grey picture that the rest of this room works on.

use image::RgbaImage;

use super::error::OcrError;

/// Quarters of the darkest channel in a grey value; luminance gives the rest.
///
/// The editor writes white on saturated colours. In luminance, white on the yellow of the Events blocks is
/// 255 on 192; in the darkest channel it is 255 on 0, as on every other block colour. Some luminance stays in
/// so that colours on black, whose darkest channel is 0, are not lost.
const DARKEST_QUARTERS: u32 = 3;

/// An 8-bit grey picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plane {
    pub width: usize,
    pub height: usize,
    pub values: Vec<u8>,
}

impl Plane {
    /// The grey picture of a screenshot.
    pub fn of(image: &RgbaImage) -> Result<Self, OcrError> {
        let (width, height) = image.dimensions();
        if width == 0 || height == 0 {
            return Err(OcrError::EmptyPicture { width, height });
        }
        let values = image.as_raw().chunks_exact(4).map(|p| grey(p[0], p[1], p[2])).collect();
        Ok(Self { width: width as usize, height: height as usize, values })
    }

    /// The value at a place; places outside have that of the nearest pixel.
    pub fn at(&self, x: i32, y: i32) -> u8 {
        let inside = |v: i32, size: usize| usize::try_from(v).unwrap_or(0).min(size - 1);
        self.values[inside(y, self.height) * self.width + inside(x, self.width)]
    }
}

fn grey(r: u8, g: u8, b: u8) -> u8 {
    // ITU-R BT.601 luminance in 256ths; the weights add up to 256.
    let luminance = (77 * u32::from(r) + 150 * u32::from(g) + 29 * u32::from(b)) >> 8;
    let darkest = u32::from(r.min(g).min(b));
    u8::try_from((DARKEST_QUARTERS * darkest + (4 - DARKEST_QUARTERS) * luminance) / 4).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use scratchbed_model::Coded as _;

    use super::*;

    #[test]
    fn white_stands_out_from_the_yellow_of_the_events_blocks() {
        assert_eq!(grey(255, 255, 255), 255);
        assert!(grey(0xFF, 0xBF, 0x00) < 64);
    }

    #[test]
    fn a_colour_stands_out_from_black() {
        assert!(grey(0, 255, 0) > 30);
        assert_eq!(grey(0, 0, 0), 0);
    }

    #[test]
    fn a_picture_without_pixels_is_an_error() {
        assert_eq!(Plane::of(&RgbaImage::new(0, 5)).unwrap_err().code(), "ocr_empty_picture");
    }
}
