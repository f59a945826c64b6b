//! The player: acts, observes, and keeps a sheet of what should be on the canvas.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Map, Value, json};

use super::matching::{Matched, match_canvas};
use super::scene::Scene;
use super::sheet::Sheet;
use super::turn::Channel;
use crate::model::{ActionCall, ElementType, Point, Rect};

/// How often the canvas is made smaller: most scripts then fit into it, and its blocks can still be distinguished.
pub(super) const ZOOMS: u32 = 3;
/// Pixels of a unit at that zoom: the editor begins at 0.675, and each step divides by 1.2.
pub(super) const SCALE: f64 = 0.675 / (1.2 * 1.2 * 1.2);

/// Why the oracle gives up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Stuck(pub String);

/// What went wrong on the way, and was corrected.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Actions that did not have the intended effect.
    pub misses: AtomicU32,
    /// Number of retries in another way.
    pub replans: AtomicU32,
}

impl Counts {
    pub fn miss(&self) {
        self.misses.fetch_add(1, Ordering::Relaxed);
    }

    pub fn replan(&self) {
        self.replans.fetch_add(1, Ordering::Relaxed);
    }
}

/// Plays one target after another.
#[derive(Debug)]
pub(super) struct Player {
    channel: Channel<Scene>,
    pub counts: Arc<Counts>,
    pub scene: Scene,
    /// What should be on the canvas.
    pub sheet: Sheet,
    /// Where the point is from which scripts are measured, in pixels of the page.
    pub shift: (f64, f64),
}

impl Player {
    /// Begins with a first look at the page.
    pub async fn start(channel: Channel<Scene>, counts: Arc<Counts>) -> Self {
        let scene = channel.wait().await.seen;
        Self { channel, counts, scene, sheet: Sheet::default(), shift: (0.0, 0.0) }
    }

    /// Acts, and looks again.
    pub async fn act(&mut self, api: &str, args: Value) -> Result<(), Stuck> {
        let args = if let Value::Object(args) = args { args } else { Map::new() };
        let sight = self.channel.act(ActionCall::new(api, args)).await;
        self.scene = sight.seen;
        match sight.error {
            None => Ok(()),
            Some(error) => Err(Stuck(format!("{api} was refused: {error}"))),
        }
    }

    /// Clicks on a whole pixel, as models do: between two of them a slider has values that nobody else could choose.
    pub async fn click(&mut self, at: Point) -> Result<(), Stuck> {
        self.act("click", json!({"x": at.x.floor(), "y": at.y.floor()})).await
    }

    pub async fn click_on(&mut self, place: Rect) -> Result<(), Stuck> {
        self.click(place.center()).await
    }

    pub async fn key(&mut self, key: &str) -> Result<(), Stuck> {
        self.act("key", json!({"key": key})).await
    }

    pub async fn drag(&mut self, from: Point, to: Point) -> Result<(), Stuck> {
        self.act("drag_and_drop", json!({"start_x": from.x, "start_y": from.y, "end_x": to.x, "end_y": to.y})).await
    }

    pub async fn scroll(&mut self, at: Point, direction: &str, amount: f64) -> Result<(), Stuck> {
        self.act("scroll", json!({"direction": direction, "amount": amount.max(1.0), "at": {"x": at.x, "y": at.y}}))
            .await
    }

    /// Replaces the text in the field that has the focus.
    pub async fn overwrite(&mut self, text: &str) -> Result<(), Stuck> {
        self.act("hotkey", json!({"keys": ["ctrl", "a"]})).await?;
        if text.is_empty() { self.key("Delete").await } else { self.act("type", json!({"text": text})).await }
    }

    /// Clicks on an element that must be there.
    pub async fn press(&mut self, kind: ElementType, text: &str) -> Result<(), Stuck> {
        let place = self.scene.find(kind, text);
        self.click_on(place.ok_or_else(|| Stuck(format!("there is no {kind} \"{text}\"")))?).await
    }

    /// Which element is which block, and where scripts are now.
    pub fn look(&mut self) -> Matched {
        let mut matched = match_canvas(&self.sheet, &self.scene, SCALE, self.shift);
        // The common offset of all scripts from where they were expected is how far the canvas was scrolled.
        let moved = self.scrolled(&matched);
        if moved.0.abs() > 2.0 || moved.1.abs() > 2.0 {
            self.shift = (self.shift.0 + moved.0, self.shift.1 + moved.1);
            matched = match_canvas(&self.sheet, &self.scene, SCALE, self.shift);
        }
        self.measure(&matched);
        matched
    }

    fn scrolled(&self, matched: &Matched) -> (f64, f64) {
        let away = |script: &super::sheet::Script| {
            let origin = matched.origins.get(&script.root)?;
            Some((origin.0 - script.at.0 - self.shift.0, origin.1 - script.at.1 - self.shift.1))
        };
        let away: Vec<(f64, f64)> = self.sheet.scripts.iter().filter_map(away).collect();
        let median = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or_default()
        };
        (median(away.iter().map(|it| it.0).collect()), median(away.iter().map(|it| it.1).collect()))
    }

    fn measure(&mut self, matched: &Matched) {
        for script in &mut self.sheet.scripts {
            if let Some(origin) = matched.origins.get(&script.root) {
                script.at = (origin.0 - self.shift.0, origin.1 - self.shift.1);
            }
        }
    }

    pub fn canvas(&self) -> Result<Rect, Stuck> {
        self.scene.canvas().ok_or_else(|| Stuck("the canvas is out of sight".to_owned()))
    }
}
