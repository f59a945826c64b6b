//! A session in which a scene can be set up again and again.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::DragError;
use super::make::facts::{Facts, SCENE_BLOCKS};
use super::mask::Pixel;
use super::regions::{BLOCK_LINKS, BlockLinks, Computed, DRAG_REGIONS, Regions, RegionsRequest};
use super::scene::{PaletteView, Removal, Scene, View};
use crate::action::scratchworld::small_stage;
use crate::action::{perform_on, settle};
use crate::model::{ActionCall, EditorGeneration, Mode, StageSize};
use crate::page::{PageError, PageFn};
use crate::page_fn;
use crate::session::{Live, SessionHandle};

/// Opens the sprite and takes a block out of its place.
const OPEN_SCENE: PageFn<OpenScene, bool> = page_fn!("drag", "open-scene").in_every_editor();
/// Keeps or restores blocks, and shows the wanted parts of palette and canvas.
const SHOW_SCENE: PageFn<ShowScene, Option<View>> = page_fn!("drag", "show-scene").in_every_editor();
/// What a drag can change.
const SCENE_STATE: PageFn<(), SceneState> = page_fn!("drag", "scene-state").in_every_editor();

/// How long setting up or reading may take.
const LIMIT: Duration = Duration::from_secs(60);
/// How far the view may be from the scene's, in pixels, before it is another picture.
const TOLERANCE: f64 = 0.01;

/// Arguments of `open-scene.js`.
#[derive(Debug, Clone, Serialize)]
struct OpenScene {
    /// Whether the project's blocks are put back that the first call kept.
    again: bool,
    sprite: Option<String>,
    removal: Option<Removal>,
}

/// Arguments of `show-scene.js`.
#[derive(Debug, Clone, Serialize)]
struct ShowScene {
    /// Whether the blocks are put back that the first call kept.
    again: bool,
    palette: Option<PaletteView>,
    view: View,
}

/// What a drag can change, as fingerprints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneState {
    /// The blocks of the sprite in the virtual machine.
    pub vm: String,
    pub workspace: String,
    /// Which block is drawn over which.
    pub order: String,
    /// The connections in the order in which searches meet them.
    pub connections: String,
    /// How much can be undone and redone.
    pub undo: String,
    /// Where the canvas is scrolled and how far it is zoomed.
    pub view: String,
    /// Where the palette is scrolled, and its blocks.
    pub palette: String,
}

/// One scene in one session.
#[derive(Debug)]
pub struct Stage<'a> {
    handle: &'a SessionHandle,
    scene: &'a Scene,
    sb3: Arc<Vec<u8>>,
    /// What the scene begins with, once it was set up.
    beginning: Option<SceneState>,
}

impl<'a> Stage<'a> {
    /// Of a scene and its project, in a session that is used for nothing else.
    pub fn new(handle: &'a SessionHandle, scene: &'a Scene, sb3: Arc<Vec<u8>>) -> Self {
        Self { handle, scene, sb3, beginning: None }
    }

    pub const fn scene(&self) -> &Scene {
        self.scene
    }

    pub const fn handle(&self) -> &SessionHandle {
        self.handle
    }

    /// Loads the project and brings the editor to the beginning of the scene.
    ///
    /// # Errors
    /// When the project has no such scene, or the browser fails.
    pub async fn set_up(&mut self) -> Result<(), DragError> {
        let (sb3, scene) = (Arc::clone(&self.sb3), self.scene.clone());
        let reached = self.handle.run_unlogged(LIMIT, move |live| Box::pin(set_up(live, sb3, scene))).await??;
        self.begin(reached).await
    }

    /// As [`Self::set_up`], in a session that another scene of the same project and stage was set up in: its blocks
    /// are put back, and keep their ids.
    ///
    /// # Errors
    /// As [`Self::set_up`].
    pub async fn set_up_next(&mut self) -> Result<(), DragError> {
        let scene = self.scene.clone();
        let reached = self.handle.run_unlogged(LIMIT, move |live| Box::pin(open(live, scene, true))).await??;
        match reached {
            Some(reached) => self.begin(reached).await,
            None => self.set_up().await,
        }
    }

    async fn begin(&mut self, reached: View) -> Result<(), DragError> {
        self.check_view(reached)?;
        self.beginning = Some(self.state().await?);
        Ok(())
    }

    /// The blocks on canvas and palette.
    pub(super) async fn facts(&self) -> Result<Facts, DragError> {
        Ok(self
            .handle
            .run_unlogged(LIMIT, |live| Box::pin(async move { live.page().call(&SCENE_BLOCKS, &()).await }))
            .await??)
    }

    /// Brings the editor back to the beginning of the scene by putting its blocks back, and by loading the project
    /// again only if that does not restore everything. Returns whether it was enough.
    ///
    /// # Errors
    /// As [`Self::set_up`].
    pub async fn reset(&mut self) -> Result<bool, DragError> {
        let request = ShowScene::of(self.scene, true);
        let restored = self.handle.run_unlogged(LIMIT, move |live| Box::pin(show(live, request))).await??;
        if let (Some(_), Some(beginning)) = (restored, &self.beginning) {
            let now = self.state().await?;
            if now == *beginning {
                return Ok(true);
            }
            tracing::debug!(scene = %self.scene.id, ?beginning, ?now, "the scene is loaded again");
        }
        self.set_up().await?;
        Ok(false)
    }

    fn check_view(&self, reached: View) -> Result<(), DragError> {
        let wanted = self.scene.view;
        let near = |a: f64, b: f64| (a - b).abs() <= TOLERANCE;
        if near(reached.scale, wanted.scale) && near(reached.x, wanted.x) && near(reached.y, wanted.y) {
            return Ok(());
        }
        let text = |view: View| format!("{}, {} at {}", view.x, view.y, view.scale);
        Err(DragError::View { id: self.scene.id.to_string(), wanted: text(wanted), reached: text(reached) })
    }

    /// What a drag can change, as it is now.
    ///
    /// # Errors
    /// When the browser fails.
    pub async fn state(&self) -> Result<SceneState, DragError> {
        Ok(self.handle.run_unlogged(LIMIT, |live| Box::pin(state(live))).await??)
    }

    /// Asks the editor for the regions.
    ///
    /// # Errors
    /// When the scene's blocks aren't there or can't come into its relation, a region is empty, or the browser fails.
    pub async fn regions(&self) -> Result<Computed, DragError> {
        let computed = self.regions_or_none().await?;
        let regions = self.not_empty(computed.regions)?;
        Ok(Computed { regions, ..computed })
    }

    /// The same, with regions that may be empty.
    ///
    /// # Errors
    /// When the scene's blocks aren't there or can't come into its relation, or the browser fails.
    pub async fn regions_or_none(&self) -> Result<Computed, DragError> {
        let request = RegionsRequest::of(self.scene);
        Ok(self.handle.run_unlogged(LIMIT, move |live| Box::pin(regions(live, request))).await??)
    }

    /// What a drag must bring about, and where it must begin and end as far as the editor tells: the reference one does not,
    /// and then both regions are empty.
    ///
    /// # Errors
    /// When the scene's blocks aren't there, a scene that was not published is shown in the reference editor, or the
    /// browser fails.
    pub async fn truth(&self) -> Result<Regions, DragError> {
        if self.editor().await? == EditorGeneration::Current {
            return Ok(self.regions_or_none().await?.regions);
        }
        if !self.scene.is_published() {
            return Err(DragError::Unpublished { id: self.scene.id.to_string() });
        }
        Ok(self.scene.without_regions(&self.links().await?))
    }

    /// The editor that shows it.
    ///
    /// # Errors
    /// When the browser fails.
    pub async fn editor(&self) -> Result<EditorGeneration, DragError> {
        Ok(self.handle.run_unlogged(LIMIT, |live| Box::pin(async move { live.editor() })).await?)
    }

    /// These regions, if there is something in each.
    ///
    /// # Errors
    /// When one is empty: then the scene can't be solved.
    pub(super) fn not_empty(&self, regions: Regions) -> Result<Regions, DragError> {
        for (mask, region) in [(&regions.start, "start"), (&regions.ends, "end")] {
            if mask.is_empty() {
                return Err(self.empty(region));
            }
        }
        Ok(regions)
    }

    /// The error for an empty region.
    pub(super) fn empty(&self, region: &'static str) -> DragError {
        DragError::EmptyRegion { id: self.scene.id.to_string(), region }
    }

    /// Which block hangs on which, now.
    ///
    /// # Errors
    /// When the browser fails.
    pub async fn links(&self) -> Result<BlockLinks, DragError> {
        Ok(self.handle.run_unlogged(LIMIT, |live| Box::pin(links(live))).await??)
    }

    /// Drags with the mouse, as an agent's call does, and waits until the editor is at rest.
    ///
    /// # Errors
    /// When the action failed, or the browser did.
    pub async fn drag(&self, start: Pixel, end: Pixel) -> Result<(), DragError> {
        let args = json!({"start_x": start.0, "start_y": start.1, "end_x": end.0, "end_y": end.1});
        let serde_json::Value::Object(args) = args else { return Ok(()) };
        let call = ActionCall::new("drag_and_drop", args);
        self.handle.run_unlogged(LIMIT, move |live| Box::pin(act(live, call))).await?
    }

    /// The viewport as a PNG.
    ///
    /// # Errors
    /// When the browser fails.
    pub async fn picture(&self) -> Result<Vec<u8>, DragError> {
        Ok(self.handle.run_unlogged(LIMIT, |live| Box::pin(async move { live.page().screenshot().await })).await??)
    }
}

impl ShowScene {
    fn of(scene: &Scene, again: bool) -> Self {
        Self { again, palette: scene.palette.clone(), view: scene.view }
    }
}

async fn state(live: &mut Live) -> Result<SceneState, PageError> {
    live.page().call(&SCENE_STATE, &()).await
}

async fn regions(live: &mut Live, request: RegionsRequest) -> Result<Computed, PageError> {
    live.page().call(&DRAG_REGIONS, &request).await
}

async fn links(live: &mut Live) -> Result<BlockLinks, PageError> {
    live.page().call(&BLOCK_LINKS, &()).await
}

async fn act(live: &mut Live, call: ActionCall) -> Result<(), DragError> {
    match perform_on(live, Mode::Primitive, call).await.error {
        None => Ok(()),
        Some(error) => Err(DragError::ActionFailed { reason: format!("{}: {}", error.code, error.message) }),
    }
}

async fn show(live: &mut Live, request: ShowScene) -> Result<Option<View>, DragError> {
    let view = live.page().call(&SHOW_SCENE, &request).await?;
    settle(live.page()).await?;
    Ok(view)
}

async fn set_up(live: &mut Live, sb3: Arc<Vec<u8>>, scene: Scene) -> Result<View, DragError> {
    live.load(&sb3).await?;
    if scene.stage == StageSize::Small {
        small_stage(live).await?;
        settle(live.page()).await?;
    }
    let view = scene.view;
    Ok(open(live, scene, false).await?.unwrap_or(view))
}

/// Brings a loaded project to the beginning of a scene; `None` if its blocks can't be put back.
async fn open(live: &mut Live, scene: Scene, again: bool) -> Result<Option<View>, DragError> {
    let show_scene = ShowScene::of(&scene, false);
    let request = OpenScene { again, sprite: scene.sprite, removal: scene.removal };
    if !live.page().call(&OPEN_SCENE, &request).await? {
        return Ok(None);
    }
    settle(live.page()).await?;
    for call in scene.actions {
        act(live, call).await?;
    }
    show(live, show_scene).await
}
