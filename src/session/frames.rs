//! Pictures that are taken for a recording: WebP without loss, and only those that differ.

use super::events::SessionLog;
use crate::model::{FrameEvent, sha256_hex};
use crate::picture::lossless_webp;

const PNG: &str = "image/png";
const WEBP: &str = "image/webp";

/// Keeps a picture that Chromium wrote as a PNG, unless the log has one of the same pixels. Chromium writes the same pixels
/// as the same bytes.
pub(super) fn keep(log: &SessionLog, png: &[u8]) -> FrameEvent {
    let source = sha256_hex(png);
    if let Some(known) = log.known_frame(&source) {
        return known;
    }
    let (media_type, image) = match lossless_webp(png) {
        Ok(webp) => (WEBP, log.keep_image(WEBP, &webp)),
        Err(error) => {
            tracing::warn!(%error, "a picture is kept as it came");
            (PNG, log.keep_image(PNG, png))
        }
    };
    let frame = FrameEvent { image, media_type: media_type.to_owned() };
    log.frame_is_known(source, frame.clone());
    frame
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::codecs::png::PngEncoder;
    use image::{Rgb, RgbImage};

    use super::*;

    fn png(of: impl Fn(u32, u32) -> Rgb<u8>) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        RgbImage::from_fn(320, 180, of).write_with_encoder(PngEncoder::new(&mut out)).unwrap();
        out.into_inner()
    }

    #[test]
    fn a_frame_has_the_same_pixels_and_is_kept_once() {
        let folder = tempfile::tempdir().unwrap();
        let log = SessionLog::start("s");
        log.keep_in(folder.path(), || {}).unwrap();
        let first = png(|x, y| Rgb([u8::try_from(x % 256).unwrap(), u8::try_from(y).unwrap(), 7]));
        let frame = keep(&log, &first);
        assert_eq!(frame.media_type, WEBP);
        let kept = log.image(&frame.image).unwrap();
        let pixels = |bytes: &[u8]| image::load_from_memory(bytes).unwrap().to_rgb8();
        assert_eq!(pixels(&kept.bytes), pixels(&first));
        assert_eq!(keep(&log, &first), frame);
        let other = keep(&log, &png(|_, _| Rgb([1, 2, 3])));
        assert_ne!(other.image, frame.image);
        let odd = keep(&log, b"no picture");
        assert_eq!((odd.media_type.as_str(), &*log.image(&odd.image).unwrap().bytes), (PNG, b"no picture".as_slice()));
    }

    #[test]
    fn a_picture_that_the_agent_saw_is_not_kept_again_and_one_that_memory_lost_is() {
        let log = SessionLog::start("s");
        let seen = png(|_, _| Rgb([9, 9, 9]));
        let sha = log.keep_image(PNG, &seen);
        assert_eq!(keep(&log, &seen), FrameEvent { image: sha.clone(), media_type: PNG.to_owned() });
        for fill in 0..5 {
            let _ = log.keep_image(PNG, &vec![fill; 4 << 20]);
        }
        assert!(log.image(&sha).is_none());
        let again = keep(&log, &seen);
        assert!(log.image(&again.image).is_some(), "a frame never names a picture that is gone");
    }
}
