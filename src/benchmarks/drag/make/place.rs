//! What a scene shows, and where the displaced block lies.

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64;

use super::candidates::{Candidate, Dragged};
use super::facts::{CanvasBlock, Edges, Facts};
use crate::benchmarks::drag::{Kind, PaletteView, View};

/// The editor's own zoom.
pub(super) const SCALE: f64 = 0.675;
/// Other zooms.
const SCALES: [f64; 4] = [0.5, 0.6, 0.85, 1.0];
/// One scene in so many has another zoom, and one in so many is scrolled without need.
const ZOOMED: u32 = 9;
const SCROLLED: u32 = 9;
/// Pixels at each edge of the canvas where nothing is placed: left, top, right (scrollbar and zoom buttons), bottom.
const MARGINS: Edges = [14.0, 14.0, 60.0, 24.0];
/// Workspace units between the block that lies aside and any script: more than the editor pulls blocks over (48).
const GAP: f64 = 56.0;
/// Workspace units between places that are looked at.
const GRID: f64 = 16.0;
/// Workspace units of a block's head, the row that must be visible.
const HEAD: f64 = 56.0;
/// Pixels of the palette's height, and those at its bottom where nothing is dragged from.
const PALETTE: f64 = 620.0;
const PALETTE_MARGIN: f64 = 40.0;

/// What a scene shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Setting {
    pub(super) view: View,
    pub(super) lay: Option<[f64; 2]>,
    pub(super) palette: PaletteView,
}

/// A setting in which everything that matters is visible, if there is one.
pub(super) fn setting(facts: &Facts, candidate: &Candidate, choices: &mut Pcg64) -> Option<Setting> {
    let focus = focus(facts, candidate)?;
    let scale = match choices.random_range(0..ZOOMED) {
        0 => *SCALES.choose(choices)?,
        _ => SCALE,
    };
    let scrolled = choices.random_range(0..SCROLLED) == 0;
    let plain = View { scale, x: 0.0, y: 0.0, drawn: false };
    let palette = palette(facts, candidate);
    let mut views = vec![scrolled_to(facts, focus, scale, choices)];
    if !scrolled {
        views.insert(0, Some(plain));
    }
    views.into_iter().flatten().find_map(|view| {
        if !lies_in(focus, visible(facts, view)) {
            return None;
        }
        let lay = match (&candidate.out, &candidate.dragged) {
            (Some(out), Dragged::Laid) => {
                Some(aside(facts, facts.block(&out.block)?, out.alone, focus, view, choices)?)
            }
            _ => None,
        };
        Some(Setting { view, lay, palette: palette.clone() })
    })
}

/// The part of the canvas where things are clearly visible, in workspace units.
pub(super) fn visible(facts: &Facts, view: View) -> Edges {
    let [left, top, right, bottom] = facts.canvas;
    let x = |pixel: f64| (pixel - facts.origin[0] - view.x) / view.scale;
    let y = |pixel: f64| (pixel - facts.origin[1] - view.y) / view.scale;
    [x(left + MARGINS[0]), y(top + MARGINS[1]), x(right - MARGINS[2]), y(bottom - MARGINS[3])]
}

/// Whether a box lies in another.
pub(super) fn lies_in(inner: Edges, outer: Edges) -> bool {
    inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

/// Whether two boxes have anything in common.
pub(super) fn overlap(a: Edges, b: Edges) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// The head of a block.
pub(super) fn head([left, top, right, bottom]: Edges) -> Edges {
    [left, top, right, bottom.min(top + HEAD)]
}

/// What must be seen of the target and around it.
fn focus(facts: &Facts, candidate: &Candidate) -> Option<Edges> {
    let target = facts.block(&candidate.target)?;
    let [left, top, right, bottom] = target.own;
    let mouth = candidate.class == super::class::Class::Mouth;
    Some(match candidate.kind {
        Kind::Above => {
            let height = match (&candidate.out, &candidate.dragged) {
                (Some(out), Dragged::Laid) => facts.block(&out.block).map(|block| block.own[3] - block.own[1])?,
                _ => HEAD * 1.4,
            };
            [left, top - height, right, top + HEAD]
        }
        Kind::Below | Kind::Between | Kind::Around => [left, top, right, bottom + HEAD],
        Kind::Into | Kind::Atop if mouth => [left, top, right, bottom.min(top + 2.5 * HEAD)],
        Kind::Into | Kind::Atop => [left, top, right, bottom],
    })
}

/// Scrolled so that the focus lies somewhere in the upper left part of the canvas; `None` if it is too large.
fn scrolled_to(facts: &Facts, focus: Edges, scale: f64, choices: &mut Pcg64) -> Option<View> {
    let plain = View { scale, x: 0.0, y: 0.0, drawn: false };
    let free = visible(facts, plain);
    let (wide, high) = ((free[2] - free[0]) * scale, (free[3] - free[1]) * scale);
    let room_x = (wide - (focus[2] - focus[0]) * scale).floor();
    let room_y = (high - (focus[3] - focus[1]) * scale).floor();
    if room_x < 4.0 || room_y < 4.0 {
        return None;
    }
    let x = choices.random_range(2.0..room_x.min(220.0)).round();
    let y = choices.random_range(2.0..room_y.min(240.0)).round();
    let left = (free[0] - focus[0]).mul_add(scale, x).round();
    let top = (free[1] - focus[1]).mul_add(scale, y).round();
    Some(View { x: left, y: top, ..plain })
}

/// A free place for a block that is taken out.
fn aside(
    facts: &Facts,
    block: &CanvasBlock,
    alone: bool,
    focus: Edges,
    view: View,
    choices: &mut Pcg64,
) -> Option<[f64; 2]> {
    let size = if alone { block.own } else { block.stack };
    let (wide, high) = (size[2] - size[0], size[3] - size[1]);
    let free = visible(facts, view);
    let taken: Vec<Edges> = facts.blocks.iter().filter(|one| one.parent.is_none()).map(|one| one.stack).collect();
    let fits = |[x, y]: [f64; 2], high: f64| {
        let around = [x - GAP, y - GAP, x + wide + GAP, y + high + GAP];
        lies_in([x, y, x + wide, y + high], free)
            && !overlap(around, focus)
            && !taken.iter().any(|other| overlap(around, *other))
    };
    let places = grid(free);
    // A stack may go on below the canvas, as long as its first blocks are visible.
    [high, high.min(3.0 * HEAD)].into_iter().find_map(|seen| {
        let whole = |[x, y]: [f64; 2]| !taken.iter().any(|other| overlap([x, y, x + wide, y + high + GAP], *other));
        let fitting: Vec<[f64; 2]> = places.iter().copied().filter(|at| fits(*at, seen) && whole(*at)).collect();
        fitting.choose(choices).copied()
    })
}

/// Whole workspace units all over a box.
fn grid([left, top, right, bottom]: Edges) -> Vec<[f64; 2]> {
    let mut places = Vec::new();
    let mut y = top.ceil();
    while y < bottom {
        let mut x = left.ceil();
        while x < right {
            places.push([x, y]);
            x += GRID;
        }
        y += GRID;
    }
    places
}

/// The palette with the dragged block in it, or, for drags on the canvas, as the editor opens it.
fn palette(facts: &Facts, candidate: &Candidate) -> PaletteView {
    let Dragged::Palette(at) = candidate.dragged else {
        return PaletteView { category: "motion".to_owned(), scroll: 0.0 };
    };
    let block = &facts.palette[at];
    let below = block.down + block.height + PALETTE_MARGIN > PALETTE;
    let scroll = if below { (block.down - PALETTE / 2.0).round() } else { 0.0 };
    PaletteView { category: block.category.clone(), scroll }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_that_touch_do_not_overlap() {
        assert!(overlap([0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 3.0, 3.0]));
        assert!(!overlap([0.0, 0.0, 2.0, 2.0], [2.0, 0.0, 3.0, 3.0]));
        assert!(lies_in([0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 3.0]));
        assert!(lies_in(head([0.0, 10.0, 5.0, 500.0]), [0.0, 10.0, 5.0, 66.0]));
    }

    #[test]
    fn a_grid_has_whole_units() {
        let places = grid([0.5, 0.5, 18.0, 2.0]);
        assert_eq!(places.len(), 2);
        assert!(places.iter().flatten().all(|unit| unit.fract() == 0.0));
    }
}
