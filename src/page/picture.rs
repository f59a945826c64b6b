//! Screenshots of a page: the whole viewport or a part of it, in any format that Chromium writes.
//!
//! Chromium cuts, scales and encodes by itself: a half-size picture takes no longer than a whole one, it writes
//! lossy WebP, which the `image` crate does not, and the page notices none of it (no `resize` event was seen).

use chromiumoxide::cdp::browser_protocol::page::{CaptureScreenshotFormat, CaptureScreenshotParams, Viewport};

use super::{Page, PageError};
use crate::model::Rect;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Png,
    /// With loss; quality from 0 to 100.
    Jpeg(u8),
    /// With loss; quality from 0 to 100.
    Webp(u8),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capture {
    pub encoding: Encoding,
    /// The part of the viewport, in CSS pixels.
    pub part: Rect,
    /// Pixels of the picture for one of the viewport.
    pub scale: f64,
}

impl Capture {
    const fn format(&self) -> (CaptureScreenshotFormat, Option<i64>) {
        match self.encoding {
            Encoding::Png => (CaptureScreenshotFormat::Png, None),
            Encoding::Jpeg(quality) => (CaptureScreenshotFormat::Jpeg, Some(quality as i64)),
            Encoding::Webp(quality) => (CaptureScreenshotFormat::Webp, Some(quality as i64)),
        }
    }
}

impl Page {
    /// A PNG of the viewport, 1280x720 at a device pixel ratio of 1.
    ///
    /// # Errors
    /// When the page is lost.
    pub async fn screenshot(&self) -> Result<Vec<u8>, PageError> {
        self.take(CaptureScreenshotParams { format: Some(CaptureScreenshotFormat::Png), ..fast() }).await
    }

    /// A picture of a part of the viewport.
    ///
    /// # Errors
    /// When the page is lost.
    pub async fn capture(&self, capture: &Capture) -> Result<Vec<u8>, PageError> {
        let (format, quality) = capture.format();
        let Rect { x, y, width, height } = capture.part;
        let clip = Viewport {
            x: f64::from(x),
            y: f64::from(y),
            width: f64::from(width),
            height: f64::from(height),
            scale: capture.scale,
        };
        self.take(CaptureScreenshotParams { format: Some(format), quality, clip: Some(clip), ..fast() }).await
    }

    async fn take(&self, params: CaptureScreenshotParams) -> Result<Vec<u8>, PageError> {
        let reply = self.send("taking a screenshot", params).await?;
        let base64: &[u8] = reply.data.as_ref();
        base64::Engine::decode(&base64::engine::general_purpose::STANDARD, base64)
            .map_err(|error| PageError::Script { name: "Page.captureScreenshot".into(), message: error.to_string() })
    }
}

fn fast() -> CaptureScreenshotParams {
    CaptureScreenshotParams { optimize_for_speed: Some(true), ..CaptureScreenshotParams::default() }
}
