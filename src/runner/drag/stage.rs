//! A session in which a scene can be set up again and again.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::mask::Pixel;
use super::regions::{BLOCK_LINKS, BlockLinks, DRAG_REGIONS, PREPARE_SCENE, PrepareScene, Regions, RegionsRequest};
use super::{DragError, Scene, View};
use crate::action::perform;
use crate::action::primitive::settle;
use crate::model::{ActionCall, Mode};
use crate::page::PageError;
use crate::session::{Live, SessionHandle};

/// How long setting up or reading may take.
const LIMIT: Duration = Duration::from_secs(30);
/// How far the view may be from the scene's, in pixels, before it is another picture.
const TOLERANCE: f64 = 0.01;

/// One scene in one session.
pub(super) struct Stage<'a> {
    handle: &'a SessionHandle,
    scene: &'a Scene,
    sb3: Arc<Vec<u8>>,
}

impl<'a> Stage<'a> {
    pub(super) const fn new(handle: &'a SessionHandle, scene: &'a Scene, sb3: Arc<Vec<u8>>) -> Self {
        Self { handle, scene, sb3 }
    }

    /// Brings the editor to the beginning of the scene.
    pub(super) async fn set_up(&self) -> Result<(), DragError> {
        let (sb3, request) = (Arc::clone(&self.sb3), PrepareScene::of(self.scene));
        let reached = self.handle.run(LIMIT, move |live| Box::pin(set_up(live, sb3, request))).await??;
        let View { scale, x, y } = self.scene.view;
        let near = |a: f64, b: f64| (a - b).abs() <= TOLERANCE;
        if near(reached.scale, scale) && near(reached.x, x) && near(reached.y, y) {
            return Ok(());
        }
        let text = |view: View| format!("{}, {} at {}", view.x, view.y, view.scale);
        Err(DragError::View { id: self.scene.id.clone(), wanted: text(self.scene.view), reached: text(reached) })
    }

    /// Asks the editor for the regions.
    pub(super) async fn regions(&self) -> Result<Regions, DragError> {
        let request = RegionsRequest::of(self.scene);
        let regions = self.handle.run(LIMIT, move |live| Box::pin(regions(live, request))).await??;
        Ok(regions)
    }

    pub(super) async fn links(&self) -> Result<BlockLinks, DragError> {
        Ok(self.handle.run(LIMIT, |live| Box::pin(links(live))).await??)
    }

    /// Drags with the mouse, as an agent's call does.
    pub(super) async fn drag(&self, start: Pixel, end: Pixel) -> Result<(), DragError> {
        let args = json!({"start_x": start.0, "start_y": start.1, "end_x": end.0, "end_y": end.1});
        let serde_json::Value::Object(args) = args else { return Ok(()) };
        let reply = perform(self.handle, Mode::Primitive, ActionCall::new("drag_and_drop", args)).await?;
        match reply.error {
            None => Ok(()),
            Some(error) => Err(DragError::DragFailed { reason: format!("{}: {}", error.code, error.message) }),
        }
    }
}

async fn regions(live: &mut Live, request: RegionsRequest) -> Result<Regions, PageError> {
    live.page().call(&DRAG_REGIONS, &request).await
}

async fn links(live: &mut Live) -> Result<BlockLinks, PageError> {
    live.page().call(&BLOCK_LINKS, &()).await
}

async fn set_up(live: &mut Live, sb3: Arc<Vec<u8>>, request: PrepareScene) -> Result<View, DragError> {
    live.load(&sb3).await?;
    let page = live.page();
    let view = page.call(&PREPARE_SCENE, &request).await?;
    settle(page).await?;
    Ok(view)
}
