//! Pictures of a project: its stage, and its scripts as the editor draws them.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::BuildError;
use crate::page::results::LoadProject;
use crate::page::{Page, PageFn, scripts};

const DRAW_PROJECT: PageFn<DrawProject, Drawn> = crate::page_fn!("notation", "draw-project");

/// How long the editor may take to load a project, and to draw it.
const LIMIT: Duration = Duration::from_secs(60);
/// How the stage's picture begins.
const PNG: &str = "data:image/png;base64,";

#[derive(Debug, Serialize)]
struct DrawProject {
    run_ms: u64,
}

#[derive(Debug, Deserialize)]
struct Drawn {
    stage: String,
    scripts: Vec<ScriptPicture>,
}

/// What a project looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct Pictures {
    /// The stage, 480 x 360 pixels, as a PNG file.
    pub stage: Vec<u8>,
    /// The scripts of each sprite and of the stage, of those that have any, in the project's order.
    pub scripts: Vec<ScriptPicture>,
}

/// The scripts of one target.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptPicture {
    /// Name of the sprite, or of the stage.
    pub target: String,
    /// An SVG document that needs no other file.
    pub svg: String,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

/// Draws a project in a page of its own. Unless `run` is zero, the stage is drawn so long after a click on the
/// green flag, in real time.
///
/// # Errors
/// When the editor can't load the project, and when the page is lost.
pub async fn draw(page: &Page, sb3: &[u8], run: Duration) -> Result<Pictures, BuildError> {
    let load = LoadProject { sb3: STANDARD.encode(sb3), editing_target: None };
    page.call_within(&scripts::LOAD_PROJECT, &load, LIMIT).await?;
    let run_ms = u64::try_from(run.as_millis()).unwrap_or(u64::MAX);
    let Drawn { stage, scripts } = page.call_within(&DRAW_PROJECT, &DrawProject { run_ms }, LIMIT + run).await?;
    let stage = stage.strip_prefix(PNG).and_then(|base64| STANDARD.decode(base64).ok()).ok_or(BuildError::NoPicture)?;
    Ok(Pictures { stage, scripts })
}
