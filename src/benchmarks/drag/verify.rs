//! Verifies regions with real mouse drags.

use std::sync::Arc;

use serde::Serialize;

use super::DragError;
use super::mask::Pixel;
use super::points::{Border, trials};
use super::regions::{Computed, RegionTimes, Regions};
use super::scene::Scene;
use super::stage::Stage;
use crate::model::ItemId;
use crate::session::SessionHandle;

/// A drag that did not do what the regions predict.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Disagreement {
    pub start: Pixel,
    pub end: Pixel,
    /// Which border it was to try.
    pub border: Border,
    /// Whether the relation was predicted.
    pub foreseen: bool,
    /// Whether it was made.
    pub came: bool,
}

/// Whether the regions that are kept with a scene are those that the editor gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    Same,
    Differ,
    /// None are kept.
    Missing,
}

/// The result for one scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneReport {
    pub id: ItemId,
    pub kind: &'static str,
    /// Pixels of the start region.
    pub start_area: u32,
    /// Offsets of the end region.
    pub end_area: u32,
    /// How many previews were looked into.
    pub previews: u32,
    /// How long the page took for the regions.
    pub timing: RegionTimes,
    /// Whether the editor was the same before and after they were computed.
    pub untouched: bool,
    /// Whether they are the ones that are kept with the scene.
    pub kept: Kept,
    /// Drags that were made.
    pub drags: usize,
    /// Those that made the relation.
    pub connected: usize,
    /// Those that tried the borders of the places to drop at.
    pub at_drop_areas: usize,
    /// Times that the scene was restored without loading its project again.
    pub resets: usize,
    /// Those that did not do what the regions predict.
    pub disagreements: Vec<Disagreement>,
}

impl SceneReport {
    /// Whether everything is as it should be. Missing kept regions are not a fault.
    pub fn agrees(&self) -> bool {
        self.untouched && self.kept != Kept::Differ && self.disagreements.is_empty()
    }
}

/// Makes `points` real drags in a scene, on both sides of the borders of its regions, and compares. `kept` are the
/// regions that are kept with it.
///
/// # Errors
/// When the scene can't be set up, or the browser fails.
pub async fn verify(
    handle: &SessionHandle,
    scene: &Scene,
    sb3: Arc<Vec<u8>>,
    kept: Option<&Regions>,
    points: usize,
) -> Result<SceneReport, DragError> {
    let mut stage = Stage::new(handle, scene, sb3);
    stage.set_up().await?;
    let before = stage.state().await?;
    let computed = stage.regions().await?;
    let after = stage.state().await?;
    if before != after {
        tracing::warn!(scene = %scene.id, ?before, ?after, "computing regions altered the editor");
    }
    let mut report = report_of(scene, &computed, kept);
    report.untouched = before == after;
    try_borders(&mut stage, &computed.regions, points, &mut report).await?;
    Ok(report)
}

async fn try_borders(
    stage: &mut Stage<'_>,
    regions: &Regions,
    points: usize,
    report: &mut SceneReport,
) -> Result<(), DragError> {
    for trial in trials(regions, points) {
        report.resets += usize::from(stage.reset().await?);
        let before = stage.links().await?;
        stage.drag(trial.start, trial.end).await?;
        let came = stage.scene().made(regions, &before, &stage.links().await?);
        let foreseen = regions.allow(trial.start, trial.end);
        report.drags += 1;
        report.connected += usize::from(came);
        report.at_drop_areas += usize::from(trial.border == Border::Drop);
        if came != foreseen {
            let (start, end, border) = (trial.start, trial.end, trial.border);
            report.disagreements.push(Disagreement { start, end, border, foreseen, came });
        }
    }
    Ok(())
}

fn report_of(scene: &Scene, computed: &Computed, kept: Option<&Regions>) -> SceneReport {
    let regions = &computed.regions;
    SceneReport {
        id: scene.id.clone(),
        kind: scene.relation.kind.into(),
        start_area: regions.start.area(),
        end_area: regions.ends.area(),
        previews: computed.previews,
        timing: computed.timing,
        untouched: false,
        kept: match kept {
            None => Kept::Missing,
            Some(kept) if *kept == regions.without_id() => Kept::Same,
            Some(_) => Kept::Differ,
        },
        drags: 0,
        connected: 0,
        at_drop_areas: 0,
        resets: 0,
        disagreements: Vec::new(),
    }
}
