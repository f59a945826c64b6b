//! Where a drag broke: at the grasp, on its path, at the snap, or at the release. The paper only
//! distinguishes starts and ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::mask::Pixel;
use super::super::regions::{DropAreas, Regions};
use super::watch::{Pointer, State, Step};

/// The stages of a drag, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::Display, strum::EnumIter)]
#[strum(serialize_all = "snake_case")]
pub enum Stage {
    /// The press did not pick up the block: it hit nothing, another block, a field, or the block was not moved far
    /// enough.
    Grasp,
    /// The wanted connection was previewed on the way, but not at the end.
    Path,
    /// The block was let go where the wanted connection was never previewed.
    Snap,
    /// The wanted connection was previewed to the end, and letting go did not make it: over the palette, or outside.
    Release,
}

/// Where a drag broke, and by how much.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Breakage {
    pub stage: Stage,
    /// Pixels from the press to the start region, from the release to the end region of this start, or from the
    /// release to where blocks may be let go.
    pub pixels: f64,
}

/// How a drag lies to where it had to begin and end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Miss {
    /// Whether it began where it had to.
    pub(super) started: bool,
    /// Pixels from the press to where it had to be.
    pub(super) start: f64,
    /// Pixels from the release to where it had to be.
    pub(super) end: f64,
}

/// Where a drag that did not make its links broke, and let go at `end`.
pub(super) fn breakage(regions: &Regions, steps: &[Step], miss: Miss, end: Pixel) -> Breakage {
    let states: Vec<&State> = steps.iter().filter_map(|step| step.after.as_ref()).collect();
    if !states.iter().any(|state| is_grasped(regions, state, miss.started)) {
        return Breakage { stage: Stage::Grasp, pixels: miss.start };
    }
    let previews = |state: &&State| {
        let dragged = state.block.as_deref().unwrap_or_default();
        !state.preview.is_empty() && regions.shown(&state.preview, dragged)
    };
    let before_release = steps.iter().rev().skip_while(|step| step.kind != Pointer::Release).nth(1);
    let last = before_release.and_then(|step| step.after.as_ref());
    if last.as_ref().is_some_and(previews) {
        return Breakage { stage: Stage::Release, pixels: outside(&regions.areas, end) };
    }
    let stage = if states.iter().any(previews) { Stage::Path } else { Stage::Snap };
    Breakage { stage, pixels: miss.end }
}

/// Where a drag broke that was refused because it leaves the viewport: at the grasp if it was to begin beside the block,
/// else where it was to end.
pub(super) const fn refused(miss: Miss) -> Breakage {
    if miss.started {
        Breakage { stage: Stage::Snap, pixels: miss.end }
    } else {
        Breakage { stage: Stage::Grasp, pixels: miss.start }
    }
}

fn is_grasped(regions: &Regions, state: &State, started: bool) -> bool {
    match (&regions.source, &state.block) {
        (Some(source), Some(block)) => source == block,
        // What comes from the palette is new; the place of the press identifies the block.
        (None, Some(_)) => state.palette && started,
        (_, None) => false,
    }
}

/// Pixels from a release to where blocks may be let go; 0 there, and where that is not known.
fn outside(areas: &DropAreas, (x, y): Pixel) -> f64 {
    let (x, y) = (f64::from(x), f64::from(y));
    let [left, top, right, bottom] = areas.inside;
    let beyond = (x - x.clamp(left, right)).hypot(y - y.clamp(top, bottom));
    let within = |[left, top, right, bottom]: [f64; 4]| {
        (x >= left && x <= right && y >= top && y <= bottom)
            .then(|| (x - left).min(right - x).min(y - top).min(bottom - y) + 1.0)
    };
    areas.deletes.iter().copied().filter_map(within).fold(beyond, f64::max)
}

#[cfg(test)]
mod tests {
    use super::super::super::mask::Mask;
    use super::super::super::regions::Link;
    use super::*;

    fn link(child: &str) -> Link {
        Link { parent: "a".to_owned(), input: None, child: child.to_owned() }
    }

    fn regions(source: Option<&str>) -> Regions {
        Regions {
            source: source.map(str::to_owned),
            links: vec![link(source.unwrap_or("@source"))],
            start: Mask::new(vec![(100, 400, 409)]),
            ends: Mask::new(vec![(50, 100, 120)]),
            areas: DropAreas { inside: [0.0, 0.0, 780.0, 720.0], deletes: vec![[-1e9, -1e9, 313.0, 1e9]] },
        }
    }

    /// A drag of a block whose previews are of these children, in order.
    fn steps(block: &str, palette: bool, previews: &[Option<&str>]) -> Vec<Step> {
        let state = |child: Option<&str>| State {
            block: Some(block.to_owned()),
            palette,
            preview: child.map(link).into_iter().collect(),
            ..State::default()
        };
        let step = |kind, after| Step { kind, x: 0.0, y: 0.0, trusted: true, after };
        let moves = previews.iter().map(|child| step(Pointer::Move, Some(state(*child))));
        let mut all = vec![step(Pointer::Press, None)];
        all.extend(moves);
        all.push(step(Pointer::Release, None));
        all
    }

    fn miss(regions: &Regions, start: Pixel, end: Pixel) -> Miss {
        let (x, y) = (f64::from(start.0), f64::from(start.1));
        Miss {
            started: regions.start.contains(start),
            start: regions.start.distance(x, y).unwrap(),
            end: regions.ends.distance(f64::from(end.0) - x, f64::from(end.1) - y).unwrap(),
        }
    }

    fn at(steps: &[Step], start: Pixel, end: Pixel) -> (Stage, f64) {
        let broke = breakage(&regions(Some("b")), steps, miss(&regions(Some("b")), start, end), end);
        (broke.stage, broke.pixels)
    }

    #[test]
    fn each_stage_is_known_and_measured() {
        let (start, end) = ((400, 100), (525, 150));
        assert_eq!(at(&steps("c", false, &[None]), (390, 100), end), (Stage::Grasp, 10.0));
        assert_eq!(at(&[], start, end), (Stage::Grasp, 0.0));
        assert_eq!(at(&steps("b", false, &[None, Some("b"), None]), start, end), (Stage::Path, 5.0));
        assert_eq!(at(&steps("b", false, &[None, Some("x"), Some("x")]), start, end), (Stage::Snap, 5.0));
        let over_the_palette = at(&steps("b", false, &[None, Some("b")]), start, (303, 150));
        assert_eq!(over_the_palette, (Stage::Release, 11.0));
    }

    #[test]
    fn a_block_from_the_palette_is_known_by_where_it_was_pressed() {
        let of = |start| {
            let regions = regions(None);
            breakage(&regions, &steps("new", true, &[None]), miss(&regions, start, (520, 160)), (520, 160)).stage
        };
        assert_eq!((of((405, 100)), of((405, 101))), (Stage::Snap, Stage::Grasp));
    }

    #[test]
    fn what_was_shown_of_a_new_block_counts() {
        let regions = regions(None);
        let miss = miss(&regions, (405, 100), (790, 150));
        let broke = breakage(&regions, &steps("new", true, &[None, Some("new")]), miss, (790, 150));
        assert_eq!((broke.stage, broke.pixels), (Stage::Release, 10.0));
    }
}
