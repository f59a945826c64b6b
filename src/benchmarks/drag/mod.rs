//! Single drags: an agent is shown a scene and answers with one drag, which is made with the mouse and measured.
//!
//! Parts: a [`Scene`] is one drag, a [`ScenePack`] in `items` a folder of them with their projects; a [`Stage`] is a scene
//! in a session, where it can be set up, asked for its regions and dragged in; [`Regions`] say where the drag may
//! begin and end, in [`Mask`]s of pixels; `verify` compares them with real mouse drags; `search` finds them by such
//! drags alone, as the paper does, `trials` in published scenes. `ask` has agents drag, `measure` says how far off they were, `figures` are the paper's.
//! `make` makes scenes of the projects of tasks; `import` reads those of the published set, whose drags `replay` makes
//! again; `rule` is the published check; `picture` draws regions.

pub mod ask;
mod error;
pub mod figures;
mod grid;
mod import;
mod items;
mod make;
mod mask;
pub mod measure;
mod picture;
mod points;
mod regions;
mod replay;
mod rule;
mod scene;
mod search;
mod stage;
mod trials;
mod verify;
mod visit;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

use self::ask::{Options, Spoiled, Staged, spoiled};
use self::figures::Summary;
use self::measure::DragDetail;
pub use error::DragError;
pub use grid::Grid;
pub use import::{PublishedPoints, import, published_points};
pub use items::ScenePack;
pub use make::{Generated, Made, generate};
pub use mask::{Mask, Pixel};
pub use picture::picture;
pub use points::Border;
pub use regions::{BlockLinks, Computed, DropAreas, Link, RegionTimes, Regions, Seeds};
pub use replay::{InOurs, ReplayReport, Share, replay};
pub use scene::{
    BlockName, Kind, PaletteView, Relation, Removal, Rule, Scene, SceneProject, Source, TaskProject, View,
};
pub use search::{Difference, Searched, Steps, search};
pub use stage::{SceneState, Stage};
pub use trials::{Fared, TrialRecord, TriedPoints, steps_of, try_published};
pub use verify::{Disagreement, Kept, SceneReport, verify};
pub use visit::{with_session, with_session_of};

use crate::experiment::{Benchmark, Cell, Ended, RunError};
use crate::grade::Count;
use crate::model::{AttemptRecord, Cost, ItemId, Outcome};
use crate::session::{SessionHandle, Sessions};
use crate::store::AttemptDir;

/// Scenes with the agent that answers.
#[derive(Debug)]
pub struct Drags {
    sessions: Sessions,
    scenes: Vec<Staged>,
    options: Options,
    /// Regions that were computed, by scene: they are the same each time.
    regions: Mutex<BTreeMap<ItemId, Regions>>,
}

impl Drags {
    pub fn new(sessions: Sessions, scenes: Vec<Staged>, options: Options) -> Self {
        Self { sessions, scenes, options, regions: Mutex::default() }
    }

    /// The regions that were computed so far, by scene.
    pub fn regions(&self) -> BTreeMap<ItemId, Regions> {
        self.regions.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The classes of all scenes, which figures need.
    pub fn classes(&self) -> BTreeMap<ItemId, figures::SceneClass> {
        let class = |staged: &Staged| (staged.scene.id.clone(), figures::SceneClass::of(&staged.scene));
        self.scenes.iter().map(class).collect()
    }

    /// The scene of an item.
    pub fn staged(&self, item: &ItemId) -> Option<&Staged> {
        self.scenes.iter().find(|staged| staged.scene.id == *item)
    }

    /// The regions of a scene. Those of a published one may be empty: it is played and measured by its points.
    async fn regions_of(
        &self,
        Staged { scene, published, .. }: &Staged,
        stage: &Stage<'_>,
    ) -> Result<Regions, DragError> {
        let known = self.regions.lock().unwrap_or_else(PoisonError::into_inner).get(&scene.id).cloned();
        if let Some(regions) = known {
            return Ok(regions);
        }
        let regions = match stage.truth().await? {
            found if published.is_none() => stage.not_empty(found)?,
            found => found,
        };
        self.regions.lock().unwrap_or_else(PoisonError::into_inner).insert(scene.id.clone(), regions.clone());
        Ok(regions)
    }
}

#[async_trait]
impl Benchmark for Drags {
    /// `None` where there was no drag to measure.
    type Detail = Option<DragDetail>;
    type Figures = Summary;

    const NAME: &'static str = "drag";

    fn items(&self) -> Vec<ItemId> {
        self.scenes.iter().map(|staged| staged.scene.id.clone()).collect()
    }

    async fn attempt(&self, cell: Cell<'_, Self::Detail>, dir: &AttemptDir) -> Result<Ended<Self::Detail>, RunError> {
        let reason = "the scene is not there any more".to_owned();
        let staged = self.staged(cell.item).ok_or_else(|| RunError::Item { item: cell.item.to_string(), reason })?;
        let visit = async |handle: &SessionHandle| Ok(self.trial(staged, handle, cell.attempt, dir).await);
        let owner = self.options.outside.as_ref().map(|outside| outside.owner(cell.item.as_str(), cell.attempt));
        let visited = with_session_of(&self.sessions, owner, visit).await;
        match visited.unwrap_or_else(|error| Err(spoiled(&staged.scene, &error))) {
            Ok(ended) => Ok(ended),
            Err(Spoiled::Stop(error)) => Err(error),
            Err(Spoiled::Testbed(reason)) => {
                let (outcome, cost) = (Outcome::InfraError, Cost::default());
                Ok(Ended { outcome, error: Some(reason), cost, detail: None })
            }
        }
    }

    fn reason(&self, record: &AttemptRecord<Self::Detail>) -> Option<String> {
        record.error.clone().or_else(|| record.detail.as_ref()?.reason())
    }

    fn figures(&self, records: &[AttemptRecord<Self::Detail>], count: Count) -> Summary {
        figures::summary(records, count, |item| Some(figures::SceneClass::of(&self.staged(item)?.scene)))
    }
}
