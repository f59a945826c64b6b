//! Whether real mouse drags do what the regions say.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::mask::Pixel;
use super::points::border_drags;
use super::regions::{RegionTimes, Regions};
use super::scene::SceneProject;
use super::stage::Stage;
use super::{DragError, Scene};
use crate::runner::check::build;
use crate::session::{Sessions, Start};
use crate::taskset::TaskSet;

/// How long a session may take to end.
const END_LIMIT: Duration = Duration::from_secs(10);

/// A drag that did not do what was foreseen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Disagreement {
    /// Where it began.
    pub start: Pixel,
    /// Where it ended.
    pub end: Pixel,
    /// Whether the relation was foreseen.
    pub foreseen: bool,
    /// Whether it came about.
    pub came: bool,
}

/// What became of one scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneReport {
    /// The scene.
    pub id: String,
    /// Its kind of relation.
    pub kind: &'static str,
    /// Pixels of the start region.
    pub start_area: u32,
    /// Offsets of the end region.
    pub end_area: u32,
    /// How many previews were looked into.
    pub previews: u32,
    /// How long the page took for the regions.
    pub timing: RegionTimes,
    /// Drags that were made.
    pub drags: usize,
    /// Those that made the relation.
    pub connected: usize,
    /// Those that did not do what was foreseen.
    pub disagreements: Vec<Disagreement>,
}

/// Makes `points` real drags in a scene, on both sides of the border of its end region, and compares.
///
/// # Errors
/// When the scene can't be set up, or the browser fails.
pub async fn verify(
    sessions: &Sessions,
    tasks: &TaskSet,
    cache: &Path,
    scene: &Scene,
    points: usize,
) -> Result<SceneReport, DragError> {
    let projects = build(sessions.fleet(), cache, tasks.find(&scene.task)?).await?;
    let sb3 = match scene.project {
        SceneProject::Initial => projects.initial,
        SceneProject::Golden => projects.golden,
    };
    let info = sessions.create(Start::default()).await?;
    let handle = sessions.get(&info.id).await?;
    let report = compare(&Stage::new(&handle, scene, Arc::new(sb3)), scene, points).await;
    let log = sessions.log(&info.id).await?;
    sessions.delete(&info.id).await?;
    // A session ends with its last handle; its page must not outlive the fleet.
    drop(handle);
    if tokio::time::timeout(END_LIMIT, log.ended()).await.is_err() {
        tracing::warn!("a session did not end in time");
    }
    report
}

async fn compare(stage: &Stage<'_>, scene: &Scene, points: usize) -> Result<SceneReport, DragError> {
    stage.set_up().await?;
    let regions = stage.regions().await?;
    for (mask, region) in [(&regions.start, "start"), (&regions.ends, "end")] {
        if mask.is_empty() {
            return Err(DragError::EmptyRegion { id: scene.id.clone(), region });
        }
    }
    let mut report = report_of(scene, &regions);
    for (start, end) in border_drags(&regions, points) {
        stage.set_up().await?;
        let before = stage.links().await?;
        stage.drag(start, end).await?;
        let came = regions.made(&before, &stage.links().await?);
        let foreseen = regions.allow(start, end);
        report.drags += 1;
        report.connected += usize::from(came);
        if came != foreseen {
            report.disagreements.push(Disagreement { start, end, foreseen, came });
        }
    }
    Ok(report)
}

fn report_of(scene: &Scene, regions: &Regions) -> SceneReport {
    SceneReport {
        id: scene.id.clone(),
        kind: scene.relation.kind.name(),
        start_area: regions.start.area(),
        end_area: regions.ends.area(),
        previews: regions.previews,
        timing: regions.timing,
        drags: 0,
        connected: 0,
        disagreements: Vec::new(),
    }
}
