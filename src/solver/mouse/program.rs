//! A whole attempt: plans the work on each target, and does it.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use super::layout;
use super::plan::{Edit, Planner};
use super::player::{Counts, Player, SCALE, Stuck, ZOOMS};
use super::scene::Scene;
use super::sheet::Sheet;
use super::turn::Channel;
use super::words;
use crate::model::ElementType;
use crate::project::Project;
use crate::project::view::{Slot, TargetView, targets};
use crate::solver::derive::{DeriveError, NewName, Palette, parts};

/// Units between scripts that the editor has tidied up (Blockly, `WorkspaceSvg.cleanUp`).
const TIDY_GAP: f64 = 48.0;
/// Units between scripts that a drop needs so as not to hit the wrong one.
const LEAST_GAP: f64 = 20.0;
/// How much further down a script counts for each unit that it is further to the right, when scripts are put in order
/// (Blockly, `Workspace.SCAN_ANGLE`: the sine of three degrees).
const SCAN: f64 = 0.052_336;

/// The work on one target.
#[derive(Debug, Clone)]
pub(super) struct Work {
    target: String,
    is_stage: bool,
    names: Vec<NewName>,
    /// What is on the canvas at first.
    sheet: Sheet,
    edits: Vec<Edit>,
    /// Extensions that the edits need.
    extensions: BTreeSet<&'static str>,
}

/// Plans the work on every target.
pub(super) fn work(initial: &Project, golden: &Project) -> Result<Vec<Work>, DeriveError> {
    let parts = parts::<Planner>(initial, golden, |_| Palette::new(None))?;
    let works = parts.into_iter().zip(targets(&initial.json)).map(|(part, target)| {
        let (mut sheet, edits) = part.executor.finish();
        for (script, at) in sheet.scripts.iter_mut().zip(places(target)) {
            script.at = (at.0 * SCALE, at.1 * SCALE);
        }
        let added = edits.iter().filter_map(|edit| match edit {
            Edit::Add(id, _) => words::extension(&sheet.nodes[*id].opcode),
            _ => None,
        });
        let extensions = added.collect();
        Work { target: part.target, is_stage: part.is_stage, names: part.names, sheet, edits, extensions }
    });
    Ok(works.collect())
}

/// Where the scripts of a target begin, in units.
fn places(target: TargetView<'_>) -> Vec<(f64, f64)> {
    let place = |slot: Slot<'_>| match slot {
        Slot::Block(id) => target.block(id).and_then(|block| block.position),
        Slot::Primitive(primitive) => primitive.position,
    };
    target.scripts().into_iter().map(|slot| place(slot).unwrap_or_default()).collect()
}

/// Plays an attempt from the first look to the last edit.
pub(super) async fn play(channel: Channel<Scene>, works: Arc<Vec<Work>>, counts: Arc<Counts>) -> Result<(), Stuck> {
    let mut player = Player::start(channel, counts).await;
    player.settle_in().await?;
    // What belongs to all sprites can be made in any of them.
    for name in works.iter().filter(|work| work.is_stage).flat_map(|work| &work.names) {
        player.make_name(name).await?;
    }
    for work in works.iter() {
        let names: &[NewName] = if work.is_stage { &[] } else { &work.names };
        if work.edits.is_empty() && names.is_empty() {
            continue;
        }
        player.open(work).await?;
        for name in names {
            player.make_name(name).await?;
        }
        for edit in &work.edits {
            tracing::debug!(?edit, "next edit");
            player.carry_out(edit).await?;
        }
    }
    Ok(())
}

impl Player {
    /// Makes room: a small stage leaves more for the canvas.
    async fn settle_in(&mut self) -> Result<(), Stuck> {
        match self.scene.find(ElementType::Buttons, "Switch to small stage") {
            Some(button) => self.click_on(button).await,
            None => Ok(()),
        }
    }

    /// Opens a target's scripts, at the zoom that everything is measured at.
    async fn open(&mut self, work: &Work) -> Result<(), Stuck> {
        let is_it = |text: &str| {
            let bare = text.strip_suffix(" (selected)").unwrap_or(text);
            if work.is_stage { bare.starts_with("Stage ") } else { bare == work.target }
        };
        let tile = self.scene.search(ElementType::Sprites, is_it);
        let tile = tile.ok_or_else(|| Stuck(format!("there is no tile of {:?}", work.target)))?;
        self.click_on(tile).await?;
        for extension in &work.extensions {
            self.extend(extension).await?;
        }
        self.press(ElementType::Buttons, "reset zoom").await?;
        for _ in 0..ZOOMS {
            self.press(ElementType::Buttons, "zoom out").await?;
        }
        self.sheet = work.sheet.clone();
        let canvas = self.canvas()?;
        self.shift = (f64::from(canvas.x), f64::from(canvas.y));
        if self.sheet.scripts.is_empty() { Ok(()) } else { self.tidy().await }
    }

    /// Has the editor put scripts below each other, so that none is hidden, and brings the first one into sight.
    pub async fn tidy(&mut self) -> Result<(), Stuck> {
        self.look();
        let free = self.free_place(10.0, 10.0).ok_or_else(|| Stuck("no free place is in sight".to_owned()))?;
        self.act("click", json!({"x": free.x, "y": free.y, "button": "right"})).await?;
        match self.scene.find(ElementType::MenuItems, "Clean up Blocks") {
            Some(item) => self.click_on(item).await?,
            None => self.key("Escape").await?,
        }
        self.expect_tidy();
        let matched = self.look();
        tracing::debug!(faults = ?matched.faults, origins = ?matched.origins, "tidied");
        let canvas = self.canvas()?;
        let at = self.sheet.scripts.first().map_or((0.0, 0.0), |script| script.at);
        let (x, y) =
            (f64::from(canvas.x) + 45.0 - at.0 - self.shift.0, f64::from(canvas.y) + 40.0 - at.1 - self.shift.1);
        self.slide(x, y).await?;
        self.look();
        Ok(())
    }

    /// Where scripts are after the editor has tidied them up.
    fn expect_tidy(&mut self) {
        self.sheet.scripts.sort_by(|a, b| (a.at.1 + SCAN * a.at.0).total_cmp(&(b.at.1 + SCAN * b.at.0)));
        let mut y = 0.0;
        let heights: Vec<f64> =
            self.sheet.scripts.iter().map(|script| layout::height(&self.sheet, script.root)).collect();
        for (script, height) in self.sheet.scripts.iter_mut().zip(heights) {
            script.at = (0.0, y);
            y += (height + layout::NOTCH + TIDY_GAP) * SCALE;
        }
    }

    async fn carry_out(&mut self, edit: &Edit) -> Result<(), Stuck> {
        match edit {
            Edit::Add(id, spot) => self.add(*id, spot).await?,
            Edit::Move(id, spot) => self.shift(*id, spot).await?,
            Edit::Set { id, field, value } => return self.set(*id, field, value).await,
            Edit::Define(id) => return self.define(*id).await,
            Edit::Delete(id) => self.delete(*id).await?,
        }
        if self.is_crowded() { self.tidy().await } else { Ok(()) }
    }

    /// Whether a script has grown so near to the next one that a drop could hit the wrong one.
    fn is_crowded(&self) -> bool {
        let ends = |root| layout::height(&self.sheet, root) * SCALE;
        let scripts = &self.sheet.scripts;
        scripts.iter().any(|one| {
            let near = |other: &super::sheet::Script| {
                let beside = (other.at.0 - one.at.0).abs() < 60.0;
                let below = other.at.1 - one.at.1;
                other.root != one.root && beside && below >= 0.0 && below < ends(one.root) + LEAST_GAP * SCALE
            };
            scripts.iter().any(near)
        })
    }
}
