//! The published drags made again: whether they still connect, and whether the published points lie in our regions.

use std::sync::Arc;

use serde::Serialize;

use super::DragError;
use super::import::PublishedPoints;
use super::mask::Pixel;
use super::regions::{Computed, RegionTimes};
use super::scene::Scene;
use super::stage::Stage;
use crate::model::{EditorGeneration, ItemId};
use crate::session::SessionHandle;

/// The result for one published task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplayReport {
    pub id: ItemId,
    /// Whether the drag from the published start to the first published end made the relation, by the published rule.
    pub connected: bool,
    /// How the published points lie in our regions; absent in the reference editor, which tells none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ours: Option<InOurs>,
}

/// How the published points of a task lie in the regions of the current editor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InOurs {
    /// Whether our regions foresee that the drag connects.
    pub foreseen: bool,
    /// Whether our start region has the published start.
    pub start_in_region: bool,
    /// Whether our end region for that start has the first published end.
    pub end_in_region: bool,
    /// Pixels from the first published end to our end region: 0 if it is in it.
    pub end_distance: Option<f64>,
    /// How many of the published starts are in our region.
    pub starts: Share,
    /// How many of the published ends are.
    pub ends: Share,
    /// How long the page took for our regions.
    pub timing: RegionTimes,
}

impl InOurs {
    /// Whether the published drag begins and ends in them.
    pub const fn is_inside(&self) -> bool {
        self.start_in_region && self.end_in_region
    }
}

/// So many of so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Share {
    pub inside: usize,
    pub of: usize,
}

/// Makes the published drag of one task.
///
/// # Errors
/// When the scene was not published, can't be set up, or the browser fails.
pub async fn replay(
    handle: &SessionHandle,
    scene: &Scene,
    sb3: Arc<Vec<u8>>,
    points: &PublishedPoints,
) -> Result<ReplayReport, DragError> {
    let mut stage = Stage::new(handle, scene, sb3);
    stage.set_up().await?;
    let computed = match stage.editor().await? {
        EditorGeneration::Current => Some(stage.regions().await?),
        EditorGeneration::Reference => None,
    };
    let before = stage.links().await?;
    stage.drag(points.start, points.end).await?;
    let after = stage.links().await?;
    let connected = scene.passes(&before, &after);
    Ok(ReplayReport { id: scene.id.clone(), connected, ours: computed.map(|computed| in_ours(&computed, points)) })
}

fn in_ours(computed: &Computed, points: &PublishedPoints) -> InOurs {
    let regions = &computed.regions;
    let ends = regions.end_from(points.start);
    let share = |list: &[Pixel], has: &dyn Fn(Pixel) -> bool| Share {
        inside: list.iter().filter(|pixel| has(**pixel)).count(),
        of: list.len(),
    };
    let (x, y) = points.end;
    InOurs {
        foreseen: regions.allow(points.start, points.end),
        start_in_region: regions.start.contains(points.start),
        end_in_region: ends.contains(points.end),
        end_distance: ends.distance(f64::from(x), f64::from(y)),
        starts: share(&points.starts, &|pixel| regions.start.contains(pixel)),
        ends: share(&points.ends, &|pixel| ends.contains(pixel)),
        timing: computed.timing,
    }
}
