//! The page in which scenes are set up and pictures of them taken.

use super::PerceptionError;
use super::canvas::{
    ARRANGE_CANVAS, Arrangement, CANVAS_FACTS, Canvas, EditorSettings, FactsRequest, OPEN_CANVAS, View,
};
use super::chooser::Chooser;
use super::plan::{Disturbance, Frame, additions, edits, layout};
use super::subjects::Subject;
use crate::action::settle;
use crate::page::results::LoadProject;
use crate::page::{Page, scripts};

/// Zooms, most often the one that the editor begins with.
const SCALES: [f64; 5] = [0.675, 0.675, 0.675, 0.81, 0.5625];
/// Categories that the palette may show.
const CATEGORIES: [&str; 8] = ["motion", "looks", "sound", "events", "control", "sensing", "operators", "variables"];

/// A scene as it was set up.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Setting {
    /// Category that the palette shows.
    category: &'static str,
    /// Whether the stage is small.
    small_stage: bool,
    scale: f64,
    /// What was done to the scripts.
    disturbances: Vec<Disturbance>,
}

/// Sets a scene up in a page; `None` if the sprite has no script to show.
pub(super) async fn set_up(
    page: &Page,
    subject: &Subject,
    disturbances: &[Disturbance],
    chooser: &mut Chooser,
) -> Result<Option<(Setting, Canvas)>, PerceptionError> {
    let setting = Setting {
        category: CATEGORIES[chooser.below(CATEGORIES.len())],
        small_stage: chooser.one_in(2),
        scale: SCALES[chooser.below(SCALES.len())],
        disturbances: disturbances.to_vec(),
    };
    let view = open(page, subject, &setting).await?;
    let canvas = page.call(&CANVAS_FACTS, &FactsRequest { sight: false }).await?;
    let Some(frame) = Frame::choose(&canvas, chooser) else { return Ok(None) };
    let add = if subject.is_stage { vec![] } else { additions(&canvas, disturbances, chooser) };
    let fields = edits(&canvas, &frame, chooser);
    let view = page.call(&ARRANGE_CANVAS, &Arrangement { add, fields, places: vec![], view }).await?;
    let changed = page.call(&CANVAS_FACTS, &FactsRequest { sight: false }).await?;
    let is_new = |id: &String| !canvas.blocks.iter().any(|block| block.id == *id);
    let added: Vec<String> = changed.blocks.iter().map(|block| block.id.clone()).filter(is_new).collect();
    let Some(laid) = layout(&changed, &frame, (disturbances, &added), view, chooser) else { return Ok(None) };
    let arrangement = Arrangement { add: vec![], fields: vec![], places: laid.places, view: laid.view };
    page.call(&ARRANGE_CANVAS, &arrangement).await?;
    settle(page).await?;
    let canvas = page.call(&CANVAS_FACTS, &FactsRequest { sight: true }).await?;
    Ok(Some((setting, canvas)))
}

/// Loads the project and opens the sprite.
async fn open(page: &Page, subject: &Subject, setting: &Setting) -> Result<View, PerceptionError> {
    let Setting { small_stage, category, scale, .. } = *setting;
    let settings = EditorSettings { small_stage, category, scale };
    // Before, so that the project is always drawn in the same editor; after, for the view.
    page.call(&OPEN_CANVAS, &settings).await?;
    let load = LoadProject::file(&subject.sb3, Some(subject.sprite.clone()));
    page.call(&scripts::LOAD_PROJECT, &load).await?;
    settle(page).await?;
    let view = page.call(&OPEN_CANVAS, &settings).await?;
    settle(page).await?;
    Ok(view)
}
