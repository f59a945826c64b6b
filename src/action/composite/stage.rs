//! The picture of the stage, for agents without other pictures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Serialize;

use crate::action::ActionError;
use crate::action::primitive::Picture;
use crate::model::Rect;
use crate::page::{Capture, Encoding, PageFn};
use crate::page_fn;
use crate::session::Live;

const PLACE: PageFn<(), Rect> = page_fn!("page", "stage-place").in_every_editor();

const PNG: &str = "image/png";

/// The stage as it is shown, monitors and bubbles included.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StagePicture {
    /// The picture in base64, PNG.
    pub screenshot: String,
    /// What it is: the large stage is 480x360 pixels, the small one 240x180.
    pub picture: Picture,
}

/// Takes the picture, and notes it in the session's log.
///
/// # Errors
/// `stage_not_shown` when the editor shows no stage, or the page is lost.
pub(super) async fn picture_of_stage(live: &mut Live) -> Result<StagePicture, ActionError> {
    let part = live.page().call(&PLACE, &()).await?;
    let file = live.page().capture(&Capture { encoding: Encoding::Png, part, scale: 1.0 }).await?;
    live.recorder.part_seen(PNG, &file);
    let [width, height] = [part.width, part.height].map(i32::unsigned_abs);
    let picture = Picture { media_type: PNG.to_owned(), width, height, left: part.x, top: part.y, scale: 1.0 };
    Ok(StagePicture { screenshot: STANDARD.encode(file), picture })
}
