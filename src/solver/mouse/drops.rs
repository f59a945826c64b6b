//! Dragging blocks: from the palette, on the canvas, and off it. The result of each drag is checked; a wrong one is
//! undone and tried again.

use serde_json::json;

use super::joints::{Handle, Target, palette_handle, reporter_handle};
use super::layout;
use super::matching::Matched;
use super::plan::Spot;
use super::player::{Player, SCALE, Stuck};
use super::sheet::{Held, Sheet};
use super::words::{self, Kind};
use crate::model::{Point, Rect};
use crate::solver::derive::{CALL, Id};

/// How often one drag is tried.
const TRIES: u32 = 7;
/// How often one is undone until the canvas is as it was.
const UNDOS: u32 = 4;
/// Room below a script for the next one, in units.
const GAP: f64 = 110.0;
/// Where in the palette blocks are thrown away: right of its buttons, which would be clicked.
const BIN: f64 = 285.0;
/// Height of the ground that a new script needs at first, in pixels.
const GROUND: f64 = 50.0;
/// Offset of a retried drop from the computed point, in pixels. The last two are for the reference editor, where a block at the upper
/// edge of an empty mouth goes above the loop.
const ASIDE: [(f64, f64); 7] = [(0.0, 0.0), (2.0, 0.0), (0.0, -2.0), (4.0, 3.0), (-3.0, 2.0), (4.0, 10.0), (4.0, 18.0)];

impl Player {
    /// Puts a block from the palette where it belongs.
    pub async fn add(&mut self, id: Id, spot: &Spot) -> Result<(), Stuck> {
        let follower = self.clear_place(id, spot).await?;
        let place = |sheet: &mut Sheet, at: (f64, f64)| put(sheet, id, spot, at);
        self.drop(id, spot, true, &place).await?;
        self.close(id, follower).await
    }

    /// Moves a block with all below it.
    pub async fn shift(&mut self, id: Id, spot: &Spot) -> Result<(), Stuck> {
        let follower = self.clear_place(id, spot).await?;
        let place = |sheet: &mut Sheet, at: (f64, f64)| put(sheet, id, spot, at);
        self.drop(id, spot, false, &place).await?;
        self.close(id, follower).await
    }

    /// Throws a block away with all below it.
    pub async fn delete(&mut self, id: Id) -> Result<(), Stuck> {
        let mut after = self.sheet.clone();
        after.remove(id);
        for number in 0..TRIES {
            if number > 0 {
                self.counts.replan();
            }
            let matched = self
                .bring("what is to be deleted", |player, matched| Some(vec![player.handle(matched, id)?.grasp]))
                .await?;
            let Some(handle) = self.handle(&matched, id) else { break };
            let palette = Point::new(BIN, handle.grasp.y);
            if self.tried(handle.grasp, palette, &after).await? {
                return Ok(());
            }
        }
        Err(Stuck(format!("{} can't be deleted", self.sheet.nodes[id].opcode)))
    }

    /// A block with a mouth takes what follows into it, and nothing follows a cap: what is there is put aside first.
    async fn clear_place(&mut self, id: Id, spot: &Spot) -> Result<Option<Id>, Stuck> {
        let has_mouth = self.sheet.nodes[id].slots.iter().any(|slot| slot.kind == Kind::Mouth);
        let follower = match spot {
            Spot::Below(above) => self.sheet.nodes[*above].next,
            Spot::In(around, name) => self.sheet.held(*around, name),
            Spot::Loose => None,
        };
        let Some(follower) = follower.filter(|_| has_mouth) else { return Ok(None) };
        self.drop(follower, &Spot::Loose, false, &|sheet, at| sheet.put_loose(follower, at)).await?;
        Ok(Some(follower))
    }

    async fn close(&mut self, id: Id, follower: Option<Id>) -> Result<(), Stuck> {
        let Some(follower) = follower else { return Ok(()) };
        let tail = self.sheet.tail(id);
        let place = |sheet: &mut Sheet, _| sheet.put_below(follower, tail);
        self.drop(follower, &Spot::Below(tail), false, &place).await
    }

    /// Drags a block to a spot until it is there. `place` puts it there on the sheet.
    async fn drop(
        &mut self,
        id: Id,
        spot: &Spot,
        is_new: bool,
        place: &(dyn Fn(&mut Sheet, (f64, f64)) + Send + Sync),
    ) -> Result<(), Stuck> {
        for number in 0..TRIES {
            if number > 0 {
                self.counts.replan();
            }
            let (handle, target) = self.aim(id, spot, is_new).await?;
            let (dx, dy) = ASIDE[usize::try_from(number).unwrap_or_default() % ASIDE.len()];
            let to = Point::new(
                handle.grasp.x + target.at.x - handle.meets.x + dx,
                handle.grasp.y + target.at.y - handle.meets.y + dy,
            );
            let mut after = self.sheet.clone();
            place(&mut after, (target.at.x - self.shift.0, target.at.y - self.shift.1));
            if self.tried(handle.grasp, to, &after).await? {
                return Ok(());
            }
        }
        Err(Stuck(format!("{} can't be brought to where it belongs", self.sheet.nodes[id].opcode)))
    }

    /// Drags, looks, and undoes the drag if the canvas is not as expected afterwards.
    async fn tried(&mut self, from: Point, to: Point, after: &Sheet) -> Result<bool, Stuck> {
        let known = self.look().faults.len();
        self.drag(from, to).await?;
        let (before, shift) = (std::mem::replace(&mut self.sheet, after.clone()), self.shift);
        let matched = self.look();
        if matched.faults.len() <= known {
            self.learn(&matched);
            return Ok(true);
        }
        tracing::debug!(faults = ?matched.faults, ?from, ?to, "a drag did not do what it was meant to do");
        self.counts.miss();
        (self.sheet, self.shift) = (before, shift);
        for _ in 0..UNDOS {
            if self.look().faults.len() <= known {
                return Ok(false);
            }
            self.act("hotkey", json!({"keys": ["ctrl", "z"]})).await?;
        }
        let faults = self.look().faults;
        if faults.len() <= known {
            Ok(false)
        } else {
            Err(Stuck(format!("what went wrong can't be taken back: {}", faults.join(", "))))
        }
    }

    /// Notes what the visible fields hold.
    pub fn learn(&mut self, matched: &Matched) {
        for ((id, name), shown) in &matched.shown {
            let is_unknown = |held: &Held| *held == Held::Typed(None);
            let node = &self.sheet.nodes[*id];
            let slot = node.slots.iter().find(|slot| slot.name == *name);
            if node.fields.get(name) == Some(&None) || slot.is_some_and(|slot| is_unknown(&slot.holds)) {
                self.sheet.note(*id, name, &shown.value);
            }
        }
    }

    /// Brings both ends of a drag into sight.
    async fn aim(&mut self, id: Id, spot: &Spot, is_new: bool) -> Result<(Handle, Target), Stuck> {
        let opcode = self.sheet.nodes[id].opcode.clone();
        let is_argument = is_new && opcode.starts_with("argument_reporter_");
        if is_new && !is_argument {
            let target = self.aim_at(spot).await?;
            let place = self.find_in_palette(id).await?;
            return Ok((palette_handle(place, &opcode, target), target));
        }
        let source = |player: &Self, matched: &Matched| {
            if is_argument {
                player.argument(matched, id).map(|place| reporter_handle(place, &[]))
            } else {
                player.handle(matched, id)
            }
        };
        let stuck = || Stuck(format!("{opcode} can't be found on the canvas"));
        if *spot == Spot::Loose {
            let matched = self.bring(&opcode, |player, matched| Some(vec![source(player, matched)?.grasp])).await?;
            let handle = source(self, &matched).ok_or_else(stuck)?;
            let at = self.free_place(120.0, 60.0).ok_or_else(|| Stuck("there is no free place in sight".to_owned()))?;
            return Ok((handle, Target { at, is_slot: false }));
        }
        let both = |player: &Self, matched: &Matched| {
            let grasp = source(player, matched)?.grasp;
            let at = player.target(matched, spot).map(|target| target.at);
            Some(vec![grasp, at.or_else(|| player.rough_place(matched, spot))?])
        };
        let matched = self.bring(&opcode, both).await?;
        let handle = source(self, &matched).ok_or_else(stuck)?;
        Ok((handle, self.target(&matched, spot).ok_or_else(stuck)?))
    }

    async fn aim_at(&mut self, spot: &Spot) -> Result<Target, Stuck> {
        if *spot == Spot::Loose {
            return self.fresh_ground().await;
        }
        let matched = self
            .bring("the place for a block", |player, matched| {
                let at = player.target(matched, spot).map(|target| target.at);
                Some(vec![at.or_else(|| player.rough_place(matched, spot))?])
            })
            .await?;
        self.target(&matched, spot)
            .ok_or_else(|| Stuck(format!("the place for a block is not seen: {spot:?}; {:?}", matched.faults)))
    }

    /// An estimate of where a spot is whose exact place is out of sight.
    fn rough_place(&self, matched: &Matched, spot: &Spot) -> Option<Point> {
        match spot {
            Spot::Below(id) | Spot::In(id, _) => self.corner(matched, self.sheet.statement_of(*id)),
            Spot::Loose => None,
        }
    }

    /// A place below all scripts.
    async fn fresh_ground(&mut self) -> Result<Target, Stuck> {
        let bottom = |player: &Self| {
            let ends = player
                .sheet
                .scripts
                .iter()
                .map(|script| script.at.1 + layout::height(&player.sheet, script.root) * SCALE);
            ends.max_by(f64::total_cmp).map(|y| y + GAP * SCALE + player.shift.1)
        };
        let column = |player: &Self| {
            player.sheet.scripts.iter().map(|script| script.at.0).min_by(f64::total_cmp).map(|x| x + player.shift.0)
        };
        let ground = |player: &Self| Some(Point::new(column(player)?, bottom(player)?));
        if self.sheet.scripts.is_empty() {
            let canvas = self.canvas()?;
            let at = Point::new(f64::from(canvas.x) + 60.0, f64::from(canvas.y) + 60.0);
            return Ok(Target { at, is_slot: false });
        }
        // A hat is grasped below its upper edge, and that point too must stay in sight.
        let ends = |at: Point| vec![at, Point::new(at.x, at.y + GROUND)];
        self.bring("free ground", |player, _| Some(ends(ground(player)?))).await?;
        let at = ground(self).ok_or_else(|| Stuck("there is no free ground".to_owned()))?;
        Ok(Target { at, is_slot: false })
    }

    /// The reporter in the hat of a block of the project's own that an argument is copied from.
    fn argument(&self, matched: &Matched, id: Id) -> Option<Rect> {
        let name = self.sheet.nodes[id].fields.get("VALUE")?.as_ref()?;
        let hats = matched.shown.iter().filter(|((hat, _), _)| self.sheet.nodes[*hat].procedure.is_some());
        hats.filter(|((hat, shown), _)| shown == name && words::is_hat(&self.sheet.nodes[*hat].opcode))
            .map(|(_, it)| it.place)
            .next()
    }

    /// Shows a block in the palette, and returns where it is.
    async fn find_in_palette(&mut self, id: Id) -> Result<Rect, Stuck> {
        let node = self.sheet.nodes[id].clone();
        let label = match node.opcode.as_str() {
            "data_variable" | "data_listcontents" => node.fields.values().flatten().next().cloned(),
            CALL => node.procedure.as_ref().map(|own| words::call_label(&own.proccode)),
            _ => None,
        };
        let label = label.map(|label| words::squeezed(&label));
        let passes = |block: &super::scene::SeenBlock| {
            block.opcode == node.opcode && label.as_ref().is_none_or(|label| *label == words::squeezed(&block.label))
        };
        self.show_in_palette(words::category(&node.opcode), &node.opcode, |player| player.scene.in_palette(passes))
            .await
    }
}

/// Puts a block on a sheet.
fn put(sheet: &mut Sheet, id: Id, spot: &Spot, at: (f64, f64)) {
    match spot {
        Spot::Loose => sheet.put_loose(id, at),
        Spot::Below(above) => sheet.put_below(id, *above),
        Spot::In(around, name) => sheet.put_in(id, *around, name),
    }
}
