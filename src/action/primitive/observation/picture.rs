//! The picture of an observation: which one to take, and how its pixels lie in the viewport.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::ImageReader;

use super::args::{ObserveArgs, PictureFormat};
use super::region::Region;
use super::reply::Picture;
use crate::action::ActionError;
use crate::model::Rect;
use crate::page::{Capture, Encoding};

/// What is asked of the page for the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shot {
    None,
    /// The whole viewport as PNG, which text recognition can read too.
    Whole,
    Special(Capture),
}

impl Shot {
    /// The shot that these options, resolved, ask for.
    pub fn of(args: &ObserveArgs) -> Result<Self, ActionError> {
        let part = args.crop.unwrap_or(Region::WHOLE).checked("crop")?;
        let scale = args.scale.unwrap_or(1.0);
        let quality = args.quality.unwrap_or(100);
        let encoding = match args.picture {
            PictureFormat::Off => return Ok(Self::None),
            PictureFormat::Png => Encoding::Png,
            PictureFormat::Jpeg => Encoding::Jpeg(quality),
            PictureFormat::Webp => Encoding::Webp(quality),
        };
        let is_whole = part == Region::WHOLE.checked("crop")? && scale >= 1.0;
        Ok(if is_whole && encoding == Encoding::Png {
            Self::Whole
        } else {
            Self::Special(Capture { encoding, part, scale })
        })
    }
}

/// A picture file as base64, and what there is to know of it.
pub(super) fn describe(args: &ObserveArgs, file: &[u8]) -> Result<(String, Picture), ActionError> {
    let unreadable = |error: String| ActionError::refused("picture_unreadable", error, "observe again");
    let reader = ImageReader::new(Cursor::new(file)).with_guessed_format().map_err(|e| unreadable(e.to_string()))?;
    let (width, height) = reader.into_dimensions().map_err(|e| unreadable(e.to_string()))?;
    let Rect { x, y, .. } = args.crop.unwrap_or(Region::WHOLE).checked("crop")?;
    let media_type = match args.picture {
        PictureFormat::Jpeg => "image/jpeg",
        PictureFormat::Webp => "image/webp",
        PictureFormat::Png | PictureFormat::Off => "image/png",
    };
    let picture =
        Picture { media_type: media_type.to_owned(), width, height, left: x, top: y, scale: args.scale.unwrap_or(1.0) };
    Ok((STANDARD.encode(file), picture))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn shot(args: Value) -> Shot {
        Shot::of(&serde_json::from_value::<ObserveArgs>(args).unwrap().resolved().unwrap()).unwrap()
    }

    #[test]
    fn only_a_plain_picture_can_be_read_too() {
        let whole = Rect::new(0, 0, 1280, 720);
        assert_eq!(shot(json!({})), Shot::Whole);
        assert_eq!(shot(json!({"crop": "0,0,1280,720", "scale": 1})), Shot::Whole);
        assert_eq!(shot(json!({"picture": "off"})), Shot::None);
        let jpeg = Capture { encoding: Encoding::Jpeg(80), part: whole, scale: 1.0 };
        assert_eq!(shot(json!({"picture": "jpeg"})), Shot::Special(jpeg));
        let part = Capture { encoding: Encoding::Png, part: Rect::new(1, 2, 30, 40), scale: 0.5 };
        assert_eq!(shot(json!({"crop": "1,2,30,40", "scale": 0.5})), Shot::Special(part));
    }
}
