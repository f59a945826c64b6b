//! Regions by trial, as appendix J of the paper finds them: real drags from pixel to pixel of a grid. Slow; it is what
//! the computed regions are compared with.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::DragError;
use super::mask::{Mask, Pixel};
use super::regions::{Regions, Seeds};
use super::stage::Stage;
use crate::model::VIEWPORT;

/// How far around a failing seed another one is looked for, in steps of the grid.
const RINGS: i32 = 16;
/// Where blocks are dragged to find out whether they are grasped; pixels of the viewport.
const FAR: [Pixel; 4] = [(420, 660), (700, 660), (420, 140), (700, 140)];

/// Pixels of a grid that were tried, and what came of each.
pub type Tried = BTreeMap<Pixel, bool>;

/// Pixels between the points that a search tries, across and down; 0 down for a single row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    pub starts: [i32; 2],
    pub ends: [i32; 2],
}

impl Steps {
    /// The same for both.
    pub const fn same(step: i32) -> Self {
        Self { starts: [step; 2], ends: [step; 2] }
    }
}

#[derive(Debug, Clone)]
pub struct Searched {
    /// Pixels that drags began at, and whether the block was taken along.
    pub starts: Tried,
    /// The start of all drags that tried ends.
    pub start: Pixel,
    /// Pixels that drags ended at, and whether the relation was made.
    pub ends: Tried,
    pub took: Duration,
    /// Drags that were made.
    pub drags: usize,
}

impl Searched {
    /// The regions that it found: grid points alone.
    pub fn regions(&self, computed: &Regions) -> Regions {
        let found =
            |tried: &Tried| -> Mask { tried.iter().filter(|(_, yes)| **yes).map(|(pixel, _)| *pixel).collect() };
        let ends = found(&self.ends).shifted((-self.start.0, -self.start.1));
        Regions { start: found(&self.starts), ends, ..computed.clone() }
    }

    /// Where a trial disagrees with the computed regions.
    pub fn differences(&self, computed: &Regions) -> Vec<Difference> {
        let start = |(pixel, came): (&Pixel, &bool)| {
            let foreseen = computed.start.contains(*pixel);
            (foreseen != *came).then_some(Difference { region: "start", pixel: *pixel, foreseen, came: *came })
        };
        let end = |(pixel, came): (&Pixel, &bool)| {
            let foreseen = computed.allow(self.start, *pixel);
            (foreseen != *came).then_some(Difference { region: "end", pixel: *pixel, foreseen, came: *came })
        };
        self.starts.iter().filter_map(start).chain(self.ends.iter().filter_map(end)).collect()
    }
}

/// A pixel on which a trial and the computed regions disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub region: &'static str,
    pub pixel: Pixel,
    /// Whether the computed region has it.
    pub foreseen: bool,
    pub came: bool,
}

/// Searches for both regions of a scene with grids of `steps`. It begins at the seeds; the regions are used only for the
/// expected links after a drag. The starts and ends that are named `besides` are tried too, wherever they lie.
///
/// # Errors
/// When no pixel around a seed works, or the browser fails.
pub async fn search(
    stage: &mut Stage<'_>,
    (regions, seeds): (&Regions, Seeds),
    steps: Steps,
    besides: (&[Pixel], &[Pixel]),
) -> Result<Searched, DragError> {
    let began = Instant::now();
    let mut starts = Flood { step: steps.starts, tried: Tried::new() };
    let start = starts.seed(seeds.start, async |start| grasped(stage, regions, start).await).await?;
    let Some(start) = start else { return Err(stage.empty("start")) };
    starts.spread(start, async |start| grasped(stage, regions, start).await).await?;
    starts.visit(besides.0, async |start| grasped(stage, regions, start).await).await?;
    let mut ends = Flood { step: steps.ends, tried: Tried::new() };
    let (right, down) = seeds.offset.ok_or_else(|| stage.empty("end"))?;
    let aim = (start.0 + right, start.1 + down);
    let end = ends.seed(aim, async |end| connected(stage, regions, start, end).await).await?;
    let Some(end) = end else { return Err(stage.empty("end")) };
    ends.spread(end, async |end| connected(stage, regions, start, end).await).await?;
    ends.visit(besides.1, async |end| connected(stage, regions, start, end).await).await?;
    let drags = starts.tried.len() + ends.tried.len();
    Ok(Searched { starts: starts.tried, start, ends: ends.tried, took: began.elapsed(), drags })
}

/// Whether a drag from a pixel to far away takes the block along.
async fn grasped(stage: &mut Stage<'_>, regions: &Regions, start: Pixel) -> Result<bool, DragError> {
    let distance = |far: &Pixel| (far.0 - start.0).pow(2) + (far.1 - start.1).pow(2);
    let far = FAR.into_iter().max_by_key(distance).unwrap_or(start);
    stage.reset().await?;
    let before = stage.links().await?;
    stage.drag(start, far).await?;
    Ok(stage.scene().displaced(regions, &before, &stage.links().await?))
}

/// Whether a drag makes the relation.
async fn connected(stage: &mut Stage<'_>, regions: &Regions, start: Pixel, end: Pixel) -> Result<bool, DragError> {
    stage.reset().await?;
    let before = stage.links().await?;
    stage.drag(start, end).await?;
    Ok(stage.scene().made(regions, &before, &stage.links().await?))
}

/// A flood over the pixels of a grid.
struct Flood {
    step: [i32; 2],
    tried: Tried,
}

impl Flood {
    /// The first pixel that works, on growing squares around a seed.
    async fn seed(
        &mut self,
        (x, y): Pixel,
        mut does: impl AsyncFnMut(Pixel) -> Result<bool, DragError>,
    ) -> Result<Option<Pixel>, DragError> {
        for ring in 0..=RINGS {
            for (right, down) in square(ring) {
                let pixel = (x + right * self.step[0], y + down * self.step[0]);
                if is_inside(pixel) && does(pixel).await? {
                    return Ok(Some(pixel));
                }
            }
        }
        Ok(None)
    }

    /// These pixels, unless they were tried.
    async fn visit(
        &mut self,
        pixels: &[Pixel],
        mut does: impl AsyncFnMut(Pixel) -> Result<bool, DragError>,
    ) -> Result<(), DragError> {
        for pixel in pixels {
            if !self.tried.contains_key(pixel) {
                self.tried.insert(*pixel, does(*pixel).await?);
            }
        }
        Ok(())
    }

    /// All pixels that are connected with one that works, and those around them.
    async fn spread(
        &mut self,
        seed: Pixel,
        mut does: impl AsyncFnMut(Pixel) -> Result<bool, DragError>,
    ) -> Result<(), DragError> {
        self.tried.insert(seed, true);
        let mut open = VecDeque::from([seed]);
        while let Some((x, y)) = open.pop_front() {
            for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let pixel = (x + right * self.step[0], y + down * self.step[1]);
                if self.tried.contains_key(&pixel) || !is_inside(pixel) {
                    continue;
                }
                let yes = does(pixel).await?;
                self.tried.insert(pixel, yes);
                if yes {
                    open.push_back(pixel);
                }
            }
        }
        Ok(())
    }
}

fn is_inside((x, y): Pixel) -> bool {
    let (width, height) = VIEWPORT;
    u32::try_from(x).is_ok_and(|x| x < width) && u32::try_from(y).is_ok_and(|y| y < height)
}

/// The steps of a square around the middle.
fn square(ring: i32) -> Vec<Pixel> {
    let all = (-ring..=ring).flat_map(|down| (-ring..=ring).map(move |right| (right, down)));
    all.filter(|(right, down)| right.abs().max(down.abs()) == ring).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disc of 12 pixels around (100, 100).
    fn in_disc((x, y): Pixel) -> bool {
        (x - 100).pow(2) + (y - 100).pow(2) <= 144
    }

    #[tokio::test]
    async fn a_flood_finds_what_hangs_together_and_its_surroundings() {
        let mut flood = Flood { step: [5; 2], tried: Tried::new() };
        let seed = flood.seed((120, 100), async |pixel| Ok(in_disc(pixel))).await.unwrap().unwrap();
        assert!(in_disc(seed));
        flood.spread(seed, async |pixel| Ok(in_disc(pixel))).await.unwrap();
        let inside = flood.tried.values().filter(|yes| **yes).count();
        assert_eq!(inside, 21, "{:?}", flood.tried);
        assert!(flood.tried.iter().all(|(pixel, yes)| in_disc(*pixel) == *yes));
        assert_eq!(flood.tried.len(), 21 + 16);
        flood.visit(&[(100, 100), (200, 200)], async |pixel| Ok(in_disc(pixel))).await.unwrap();
        assert_eq!((flood.tried.len(), flood.tried[&(200, 200)]), (21 + 16 + 1, false));
    }

    #[test]
    fn squares_grow() {
        assert_eq!(square(0), [(0, 0)]);
        assert_eq!(square(2).len(), 16);
    }
}
