//! Pictures of a project: its stage, and its scripts as the editor draws them, on demand with blocks marked.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::BuildError;
use crate::page::results::LoadProject;
use crate::page::{Page, PageFn, scripts as page_scripts};

const DRAW_PROJECT: PageFn<DrawProject, Drawn> = crate::page_fn!("notation", "draw-project");
const DRAW_SCRIPTS: PageFn<DrawScripts, Vec<MarkedPicture>> = crate::page_fn!("notation", "draw-scripts");

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

/// A script to draw.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MarkedScript {
    /// Id of its first block.
    pub first: String,
    /// What is outlined in it.
    pub marks: Vec<Mark>,
    /// Where a dashed line says that a block is missing.
    pub gaps: Vec<Gap>,
}

/// A block, or what is in one of its slots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mark {
    pub block: String,
    pub input: Option<String>,
}

/// A place in a script: below a block, or in a slot or mouth of it; or above another block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    pub above: Option<String>,
    pub input: Option<String>,
    pub below: Option<String>,
}

#[derive(Debug, Serialize)]
struct DrawScripts {
    target: Option<String>,
    scripts: Vec<MarkedScript>,
}

/// A script as the editor draws it, with its marks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkedPicture {
    /// An SVG document that needs no other file.
    pub svg: String,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

/// Draws scripts of one target, which is named as projects name it, the stage `Stage`. The pictures are in the order of the scripts.
///
/// # Errors
/// When the editor can't load the project, a script is not there, and when the page is lost.
pub(super) async fn draw_scripts(
    page: &Page,
    sb3: &[u8],
    target: &str,
    scripts: Vec<MarkedScript>,
) -> Result<Vec<MarkedPicture>, BuildError> {
    let load = LoadProject::file(sb3, None);
    page.call_within(&page_scripts::LOAD_PROJECT, &load, LIMIT).await?;
    let target = Some(target.to_owned()).filter(|name| name != "Stage");
    Ok(page.call_within(&DRAW_SCRIPTS, &DrawScripts { target, scripts }, LIMIT).await?)
}

/// Draws a project in a page of its own. Unless `run` is zero, the stage is drawn so long after a click on the
/// green flag, in real time.
///
/// # Errors
/// When the editor can't load the project, and when the page is lost.
pub async fn draw(page: &Page, sb3: &[u8], run: Duration) -> Result<Pictures, BuildError> {
    let load = LoadProject::file(sb3, None);
    page.call_within(&page_scripts::LOAD_PROJECT, &load, LIMIT).await?;
    let run_ms = u64::try_from(run.as_millis()).unwrap_or(u64::MAX);
    let Drawn { stage, scripts } = page.call_within(&DRAW_PROJECT, &DrawProject { run_ms }, LIMIT + run).await?;
    let stage = stage.strip_prefix(PNG).and_then(|base64| STANDARD.decode(base64).ok()).ok_or(BuildError::NoPicture)?;
    Ok(Pictures { stage, scripts })
}
