//! How a scene is changed so that it asks for something: values are typed and chosen, a stack is pulled off and laid
//! apart or almost in place, a block is laid over another one. The result is inspected afterwards; nothing here
//! decides an answer.

use super::canvas::{Block, Canvas, FieldEdit, Placement, Sides, View};
use super::chooser::Chooser;
use super::field::is_plain;
use super::names::{Kind, category_of, kinds};

/// What is done to a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Disturbance {
    /// A stack is pulled off and laid where there is room.
    Apart,
    /// A stack is laid a little beside the place where it would join.
    Near,
    /// A block is laid over a part of another one.
    CoverPart,
    /// A block is laid over all words of another one.
    CoverWords,
}

/// Corners of the canvas that other things lie on: the sprite's picture, and the buttons for zoom; pixels from the
/// right edge, and from the upper or lower one.
const PICTURE: (f64, f64) = (80.0, 80.0);
const BUTTONS: (f64, f64) = (75.0, 170.0);
/// Blocks that only the stage has, that need something of the project, or that start to run by themselves.
const SPECIAL: [&str; 4] =
    ["looks_switchbackdroptoandwait", "event_whenstageclicked", "control_create_clone_of", "event_whengreaterthan"];
/// Letters of a name from which on a block is wide enough to cover the words of those with few.
const WIDE: usize = 16;
const FEW: usize = 10;
/// Pixels that a cover is off at the usual zoom, so that it leaves a strip of the block and none of its words.
const STRIP: (f64, f64) = (8.5, 10.5);
const USUAL_SCALE: f64 = 0.675;
/// How often a free place is looked for.
const TRIES: usize = 40;

/// The scripts that are shown, and where: decided before anything changes.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// Id of the first block of the script in the middle of attention.
    focus: String,
    /// Where its upper left corner goes, in pixels from that of the view.
    corner: (f64, f64),
}

impl Frame {
    /// Chooses a script with some blocks; `None` if the sprite has none.
    pub(super) fn choose(canvas: &Canvas, chooser: &mut Chooser) -> Option<Self> {
        let tops: Vec<usize> = (0..canvas.blocks.len())
            .filter(|at| canvas.blocks[*at].parent.is_none() && canvas.stack_of(*at).len() >= 3)
            .collect();
        let focus = &canvas.blocks[*chooser.pick(&tops)?];
        let room = (canvas.view.width() - focus.stack.width() - 100.0).clamp(20.0, 220.0);
        let too_high = focus.stack.height() > canvas.view.height() - 40.0;
        let top = if too_high && chooser.one_in(3) {
            canvas.view.height() - focus.stack.height() - 30.0
        } else {
            chooser.pixels(16.0, 110.0)
        };
        Some(Self { focus: focus.id.clone(), corner: (chooser.pixels(16.0, room), top) })
    }

    /// How far everything on the canvas must go to bring the script to its place.
    fn shift(&self, canvas: &Canvas) -> Option<(f64, f64)> {
        let focus = canvas.blocks.iter().find(|block| block.id == self.focus)?;
        let (left, top) = self.corner;
        Some((canvas.view.left + left - focus.stack.left, canvas.view.top + top - focus.stack.top))
    }
}

/// What to type and choose in the script.
pub(super) fn edits(canvas: &Canvas, frame: &Frame, chooser: &mut Chooser) -> Vec<FieldEdit> {
    let Some(top) = canvas.blocks.iter().position(|block| block.id == frame.focus) else { return vec![] };
    let all: Vec<(usize, usize)> = canvas
        .stack_of(top)
        .into_iter()
        .filter(|at| is_plain(&canvas.blocks[*at].opcode))
        .flat_map(|at| (0..canvas.blocks[at].fields.len()).map(move |field| (at, field)))
        .collect();
    let mut edits: Vec<FieldEdit> = Vec::new();
    for _ in 0..chooser.below(4) {
        let Some(&(at, field)) = chooser.pick(&all) else { break };
        let (block, field) = (&canvas.blocks[at], &canvas.blocks[at].fields[field]);
        let text = if field.dropdown {
            let others: Vec<&String> = field.options.iter().filter(|option| **option != field.text).collect();
            chooser.pick(&others).map(|option| (*option).clone())
        } else {
            number(field.holder.as_deref(), &field.text, chooser)
        };
        let is_new = !edits.iter().any(|edit| edit.block == block.id && edit.slot == field.slot);
        if let (Some(text), true) = (text, is_new) {
            edits.push(FieldEdit { block: block.id.clone(), slot: field.slot.clone(), text });
        }
    }
    edits
}

/// A number that the slot takes; `None` for slots that hold words.
fn number(holder: Option<&str>, now: &str, chooser: &mut Chooser) -> Option<String> {
    let whole = chooser.whole(1, 250);
    Some(match holder? {
        "math_whole_number" | "math_integer" => whole.to_string(),
        "math_positive_number" => format!("{}.{}", chooser.whole(0, 9), chooser.whole(1, 9)),
        "math_number" => number_of_either_sign(whole, chooser),
        "math_angle" => wrapped(number_of_either_sign(whole, chooser)),
        "text" if now.parse::<f64>().is_ok() => number_of_either_sign(whole, chooser),
        _ => return None,
    })
}

/// An angle as the editor keeps it: it turns 237 into -123, and would show another number than was asked for.
fn wrapped(angle: String) -> String {
    match angle.parse::<i32>() {
        Ok(degrees) if degrees > 180 => (degrees - 360).to_string(),
        Ok(degrees) if degrees <= -180 => (degrees + 360).to_string(),
        _ => angle,
    }
}

fn number_of_either_sign(whole: i32, chooser: &mut Chooser) -> String {
    match chooser.below(4) {
        0 => (-whole).to_string(),
        1 => format!("{}.{}", chooser.whole(0, 20), chooser.whole(1, 9)),
        _ => whole.to_string(),
    }
}

/// Types of blocks to add to a sprite's scripts: for a cover, first the block that covers and then the one below it.
pub(super) fn additions(canvas: &Canvas, disturbances: &[Disturbance], chooser: &mut Chooser) -> Vec<String> {
    let all: Vec<Kind> = kinds()
        .filter(|kind| !SPECIAL.contains(&kind.opcode) && category_of(kind.opcode) != Some("variables"))
        .collect();
    let is_there =
        |kind: &&Kind| canvas.blocks.iter().any(|block| category_of(&block.opcode) == category_of(kind.opcode));
    let has_name = |kind: &&Kind| canvas.blocks.iter().any(|block| block.opcode == kind.opcode);
    let mut add = Vec::new();
    let mut choose = |from: Vec<&Kind>| add.extend(chooser.pick(&from).map(|kind| kind.opcode.to_owned()));
    if disturbances.contains(&Disturbance::CoverWords) {
        choose(all.iter().filter(is_there).filter(|kind| kind.name.len() >= WIDE).collect());
        choose(all.iter().filter(|kind| !is_there(kind) && kind.name.len() <= FEW).collect());
    } else if disturbances.contains(&Disturbance::CoverPart) {
        choose(all.iter().collect());
        choose(all.iter().filter(|kind| !has_name(kind) && kind.name.len() > FEW).collect());
    } else if chooser.one_in(2) {
        add.extend(chooser.pick(&all).map(|kind| kind.opcode.to_owned()));
    }
    add
}

/// Where things go, and the view that shows them.
pub(super) struct Layout {
    pub(super) places: Vec<Placement>,
    pub(super) view: View,
}

/// Lays the blocks out. `added` are ids of loose blocks that were added for this.
pub(super) fn layout(
    canvas: &Canvas,
    frame: &Frame,
    (disturbances, added): (&[Disturbance], &[String]),
    view: View,
    chooser: &mut Chooser,
) -> Option<Layout> {
    let shift = frame.shift(canvas)?;
    let mut builder = LayoutBuilder { canvas, shift, added, places: Vec::new(), chooser };
    builder.disturb(disturbances);
    Some(Layout { places: builder.places, view: View { x: view.x + shift.0, y: view.y + shift.1, ..view } })
}

/// The canvas while it is laid out, in pixels of the page as it will be.
struct LayoutBuilder<'a> {
    canvas: &'a Canvas,
    shift: (f64, f64),
    added: &'a [String],
    places: Vec<Placement>,
    chooser: &'a mut Chooser,
}

impl LayoutBuilder<'_> {
    fn disturb(&mut self, disturbances: &[Disturbance]) {
        let added: Vec<usize> =
            self.added.iter().filter_map(|id| self.canvas.blocks.iter().position(|block| &block.id == id)).collect();
        for disturbance in disturbances {
            match disturbance {
                Disturbance::Apart => self.apart(),
                Disturbance::Near => match added[..] {
                    [loose] => self.below_another(loose),
                    _ => self.almost_in_place(),
                },
                Disturbance::CoverPart | Disturbance::CoverWords => self.cover(*disturbance, &added),
            }
        }
        // What was added and has no place yet is laid where there is room.
        let is_placed = |at: &usize| self.places.iter().any(|place| place.block == self.canvas.blocks[*at].id);
        let left: Vec<usize> = added.into_iter().filter(|at| !is_placed(at)).collect();
        self.scatter(&left);
    }

    /// A box where it will be.
    fn moved(&self, sides: &Sides) -> Sides {
        let (right, down) = self.shift;
        Sides {
            left: sides.left + right,
            top: sides.top + down,
            right: sides.right + right,
            bottom: sides.bottom + down,
        }
    }

    /// Puts a block so far from where it would be.
    fn put(&mut self, block: &Block, right: f64, down: f64) {
        let scale = self.canvas.scale;
        let place = Placement { block: block.id.clone(), x: block.at.x + right / scale, y: block.at.y + down / scale };
        self.places.push(place);
    }

    /// Blocks that will be wholly in the view, and can be pulled off or covered.
    fn within(&self) -> Vec<usize> {
        let is_in =
            |block: &Block| self.canvas.view.holds(&self.moved(&block.sides)) && !self.added.contains(&block.id);
        (0..self.canvas.blocks.len()).filter(|at| is_in(&self.canvas.blocks[*at])).collect()
    }

    /// Puts loose blocks where there is room.
    fn scatter(&mut self, blocks: &[usize]) {
        for &at in blocks {
            let block = &self.canvas.blocks[at];
            if let Some((right, down)) = self.free_place(at) {
                self.put(block, right, down);
            }
        }
    }

    /// How far a block with all attached blocks must move to lie in the view with nothing near it.
    fn free_place(&mut self, at: usize) -> Option<(f64, f64)> {
        let canvas = self.canvas;
        let own = canvas.stack_of(at);
        let (view, now) = (canvas.view, self.moved(&canvas.blocks[at].stack));
        let mut taken: Vec<Sides> = (0..canvas.blocks.len())
            .filter(|other| !own.contains(other))
            .map(|other| self.moved(&canvas.blocks[other].sides))
            .collect();
        taken.push(Sides { left: view.right - PICTURE.0, bottom: view.top + PICTURE.1, ..view });
        taken.push(Sides { left: view.right - BUTTONS.0, top: view.bottom - BUTTONS.1, ..view });
        for _ in 0..TRIES {
            let left = self.chooser.pixels(view.left + 10.0, view.right - now.width() - 10.0);
            let top = self.chooser.pixels(view.top + 20.0, view.bottom - now.height() - 20.0);
            let place = Sides { left, top, right: left + now.width(), bottom: top + now.height() };
            if view.holds(&place) && !taken.iter().any(|other| other.meets(&place, 16.0)) {
                return Some((left - now.left, top - now.top));
            }
        }
        None
    }

    /// Pulls a stack off and lays it apart.
    fn apart(&mut self) {
        let joined: Vec<usize> = self
            .within()
            .into_iter()
            .filter(|at| self.canvas.blocks[*at].parent.is_some() && self.canvas.blocks[*at].up.is_some())
            .collect();
        for _ in 0..TRIES / 4 {
            let Some(&at) = self.chooser.pick(&joined) else { return };
            if let Some((right, down)) = self.free_place(at) {
                self.put(&self.canvas.blocks[at], right, down);
                return;
            }
        }
    }

    /// A step aside of the right place that an eye can see.
    fn step_aside(&mut self) -> (f64, f64) {
        let side = if self.chooser.one_in(2) { 1.0 } else { -1.0 };
        match self.chooser.below(3) {
            0 => (self.chooser.pixels(-6.0, 6.0), self.chooser.pixels(5.0, 14.0)),
            1 => (side * self.chooser.pixels(14.0, 28.0), self.chooser.pixels(-6.0, 10.0)),
            _ => (side * self.chooser.pixels(14.0, 28.0), self.chooser.pixels(-22.0, -8.0)),
        }
    }

    /// Pulls a stack off and lays it almost where it was.
    fn almost_in_place(&mut self) {
        let following: Vec<usize> = self.within().into_iter().filter(|at| self.canvas.blocks[*at].follows).collect();
        if let Some(&at) = self.chooser.pick(&following) {
            let (right, down) = self.step_aside();
            self.put(&self.canvas.blocks[at], right, down);
        }
    }

    /// Lays a loose block almost under another one that has nothing below it.
    fn below_another(&mut self, loose: usize) {
        let ends: Vec<usize> = self
            .within()
            .into_iter()
            .filter(|at| self.canvas.blocks[*at].next.is_none() && !self.canvas.blocks[*at].downs.is_empty())
            .collect();
        let block = &self.canvas.blocks[loose];
        let (Some(&end), Some(up)) = (self.chooser.pick(&ends), block.up) else { return };
        let down = self.canvas.blocks[end].downs[0];
        let (right, below) = self.step_aside();
        self.put(block, down.x - up.x + right, down.y - up.y + below);
    }

    /// Lays the first of two loose blocks over the second, which is laid somewhere before, or over one of the script.
    fn cover(&mut self, disturbance: Disturbance, added: &[usize]) {
        let &[cover, other] = added else { return };
        let canvas = self.canvas;
        let Some((right, down)) = self.free_place(other) else { return };
        self.put(&canvas.blocks[other], right, down);
        let within = self.within();
        let from_script = if disturbance == Disturbance::CoverPart && self.chooser.one_in(3) {
            self.chooser.pick(&within).map(|at| (&canvas.blocks[*at], (0.0, 0.0)))
        } else {
            None
        };
        let (victim, (right, down)) = from_script.unwrap_or((&canvas.blocks[other], (right, down)));
        let (from, to) = (canvas.blocks[cover].sides, victim.sides);
        let (left, top) = self.offset(disturbance, &from, &to);
        self.put(&canvas.blocks[cover], to.left + right - from.left + left, to.top + down - from.top + top);
    }

    /// How far the upper left corner of a cover is from that of the block below it.
    fn offset(&mut self, disturbance: Disturbance, cover: &Sides, block: &Sides) -> (f64, f64) {
        let width = block.width();
        if disturbance == Disturbance::CoverWords {
            let side = if self.chooser.one_in(2) { 1.0 } else { -1.0 };
            let strip = self.chooser.pixels(STRIP.0, STRIP.1) * self.canvas.scale / USUAL_SCALE;
            return (-self.chooser.pixels(0.0, cover.width() - width), side * strip);
        }
        let top = self.chooser.pixels(-12.0, 14.0);
        if self.chooser.one_in(2) {
            (self.chooser.pixels(0.3 * width, 0.7 * width), top)
        } else {
            (self.chooser.pixels(0.3 * width, 0.6 * width) - cover.width(), top)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_as_the_editor_shows_them() {
        for (drawn, shown) in [("237", "-123"), ("180", "180"), ("-200", "160"), ("-180", "180"), ("12.5", "12.5")] {
            assert_eq!(wrapped(drawn.to_owned()), shown);
        }
    }
}
