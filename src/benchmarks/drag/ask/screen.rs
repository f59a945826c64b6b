//! What a trial asks of the page: what there is to see, what the pointer does, where the blocks are.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::super::regions::Regions;
use super::super::{Kind, Pixel, Scene};
use super::Spoiled;
use super::decide::Boxes;
use crate::action::primitive::{ObserveArgs, PictureFormat, observe};
use crate::action::{ActionError, settle};
use crate::benchmarks::drag::measure::watch::{DRAG_WATCH, Watch, Watched};
use crate::model::{Element, Point, Rect};
use crate::page::{PageError, PageFn};
use crate::page_fn;
use crate::session::{Live, SessionError, SessionHandle};

/// The boxes of the two blocks.
const DRAG_BOXES: PageFn<BoxesRequest, PageBoxes> = page_fn!("drag", "drag-boxes").in_every_editor();
/// How long a look at the page may take; reading text from it takes a while on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Arguments of `drag-boxes.js`.
#[derive(Debug, Clone, Serialize)]
struct BoxesRequest {
    at: Pixel,
    target: String,
    input: Option<String>,
}

/// Result of `drag-boxes.js`.
#[derive(Debug, Clone, Deserialize)]
struct PageBoxes {
    source: PageBox,
    target: PageBox,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct PageBox {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// What an agent sees.
pub(super) struct Seen {
    pub(super) picture: Arc<Vec<u8>>,
    pub(super) elements: Vec<Element>,
}

pub(super) async fn look(handle: &SessionHandle, element_list: bool) -> Result<Seen, Spoiled> {
    let seen = handle
        .run_unlogged(LIMIT, move |live| Box::pin(seen(live, element_list)))
        .await
        .map_err(|error| broken(&error))?;
    seen.map_err(|error| Spoiled::Testbed(error.to_string()))
}

async fn seen(live: &mut Live, element_list: bool) -> Result<Seen, ActionError> {
    let elements = if element_list {
        let args = ObserveArgs { picture: PictureFormat::Off, ..ObserveArgs::default() };
        observe(live, args).await?.elements.unwrap_or_default()
    } else {
        Vec::new()
    };
    settle(live.page()).await?;
    Ok(Seen { picture: Arc::new(live.page().screenshot().await?), elements })
}

pub(super) async fn watch(handle: &SessionHandle, begin: bool) -> Result<Watched, Spoiled> {
    let watched: Result<Watched, PageError> = handle
        .run_unlogged(LIMIT, move |live| {
            Box::pin(async move { live.page().call(&DRAG_WATCH, &Watch { watch: begin }).await })
        })
        .await
        .map_err(|error| broken(&error))?;
    watched.map_err(|error| Spoiled::Testbed(error.to_string()))
}

pub(super) async fn boxes(
    handle: &SessionHandle,
    scene: &Scene,
    regions: &Regions,
    start: Point,
) -> Result<Option<Boxes>, Spoiled> {
    let target = regions.links.first().map(|link| match scene.relation.kind {
        Kind::Above | Kind::Around => link.child.clone(),
        Kind::Below | Kind::Between | Kind::Into | Kind::Atop => link.parent.clone(),
    });
    let target = target.unwrap_or_default();
    #[expect(clippy::cast_possible_truncation, reason = "a pixel of the viewport")]
    let at = (start.x as i32, start.y as i32);
    let input = scene.relation.input.clone().filter(|_| scene.relation.kind == Kind::Into);
    let request = BoxesRequest { at, target, input };
    let found: Result<PageBoxes, PageError> = handle
        .run_unlogged(LIMIT, move |live| Box::pin(async move { live.page().call(&DRAG_BOXES, &request).await }))
        .await
        .map_err(|error| broken(&error))?;
    let PageBoxes { source, target } = match found {
        Ok(found) => found,
        // Where published points show no block, an agent that goes by boxes has nothing to drag: the page is not at fault.
        Err(PageError::Refused { code, .. }) if code == "unknown_block" => return Ok(None),
        Err(error) => return Err(Spoiled::Testbed(error.to_string())),
    };
    #[expect(clippy::cast_possible_truncation, reason = "coordinates of the viewport are small")]
    let rect = |one: PageBox| Rect::new(one.x as i32, one.y as i32, one.width as i32, one.height as i32);
    Ok(Some(Boxes { source: rect(source), target: rect(target) }))
}

pub(super) fn broken(error: &SessionError) -> Spoiled {
    Spoiled::Testbed(error.to_string())
}
