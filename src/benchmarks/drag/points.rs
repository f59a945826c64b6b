//! Which drags are tried: on both sides of the borders of the regions, the same ones each time.

use serde::Serialize;

use super::mask::Pixel;
use super::regions::Regions;
use crate::model::VIEWPORT;

/// Multiples of this fraction of 2^32, the golden ratio's, scatter evenly however many there are.
const GOLDEN: u32 = 2_654_435_769;

/// The place in a list of `length` that visit `number` goes to: neighbours in the list are far apart in time.
fn scattered(length: usize, number: usize) -> usize {
    let turn = u32::try_from(number).unwrap_or_default().wrapping_mul(GOLDEN);
    let place = (u64::from(turn) * length as u64) >> 32;
    usize::try_from(place).unwrap_or_default()
}

fn is_inside((x, y): Pixel) -> bool {
    let (width, height) = VIEWPORT;
    u32::try_from(x).is_ok_and(|x| x < width) && u32::try_from(y).is_ok_and(|y| y < height)
}

/// Which border a trial lies at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Border {
    /// Where the block begins to be grasped; the end is good.
    Start,
    /// Where the relation begins to be made.
    End,
    /// Where blocks begin to be thrown away or to go back; the relation would be made.
    Drop,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trial {
    pub(super) start: Pixel,
    /// Where to let go.
    pub(super) end: Pixel,
    pub(super) border: Border,
}

/// `count` drags, alternately just inside and just outside: a quarter each at the border of the start region and at
/// those of the places to drop at, the rest, and those for which there is no such border, at that of the end region.
pub(super) fn trials(regions: &Regions, count: usize) -> Vec<Trial> {
    let mut trials = at_start(regions, count / 4);
    trials.extend(at_drop_areas(regions, count / 4));
    trials.extend(at_end(regions, count.saturating_sub(trials.len())));
    trials
}

/// Looks for `count` trials until nothing new can be expected: `make` returns what the visit of that number finds.
fn gather(count: usize, make: impl Fn(usize, bool) -> Option<Trial>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for number in 0..count * 20 {
        if trials.len() == count {
            break;
        }
        trials.extend(make(number, trials.len() % 2 == 0));
    }
    trials
}

fn pick<T: Copy>(list: &[T], number: usize) -> Option<T> {
    list.get(scattered(list.len(), number)).copied()
}

const fn sum((x, y): Pixel, (right, down): Pixel) -> Pixel {
    (x + right, y + down)
}

fn at_start(regions: &Regions, count: usize) -> Vec<Trial> {
    let border: Vec<_> = regions.start.border().into_iter().filter(|(_, outside)| is_inside(*outside)).collect();
    let offsets: Vec<Pixel> = regions.ends.pixels().collect();
    gather(count, |number, within| {
        let (inside, outside) = pick(&border, number)?;
        let start = if within { inside } else { outside };
        let end = sum(start, pick(&offsets, number * 5 + 1)?);
        (is_inside(end) && regions.areas.keep(end)).then_some(Trial { start, end, border: Border::Start })
    })
}

fn at_end(regions: &Regions, count: usize) -> Vec<Trial> {
    let starts: Vec<Pixel> = regions.start.pixels().collect();
    let border = regions.ends.border();
    gather(count, |number, within| {
        let start = pick(&starts, number * 7 + 3)?;
        let (inside, outside) = pick(&border, number)?;
        let end = sum(start, if within { inside } else { outside });
        is_inside(end).then_some(Trial { start, end, border: Border::End })
    })
}

/// How many starts are looked at for ends that lie at the border of an area.
const STARTS: usize = 16;

fn at_drop_areas(regions: &Regions, count: usize) -> Vec<Trial> {
    let starts: Vec<Pixel> = regions.start.pixels().collect();
    let pairs = |start: Pixel| {
        let (all, kept) = (regions.ends.shifted(start), regions.end_from(start));
        let cut = move |(_, lost): &(Pixel, Pixel)| all.contains(*lost) && is_inside(*lost);
        kept.border().into_iter().filter(cut).map(move |(kept, lost)| (start, kept, lost)).collect::<Vec<_>>()
    };
    let cuts: Vec<_> = (0..STARTS).filter_map(|number| pick(&starts, number)).flat_map(pairs).collect();
    gather(count, |number, within| {
        let (start, kept, lost) = pick(&cuts, number)?;
        Some(Trial { start, end: if within { kept } else { lost }, border: Border::Drop })
    })
}

#[cfg(test)]
mod tests {
    use super::{Border, Trial, scattered, trials};
    use crate::benchmarks::drag::{DropAreas, Mask, Regions};

    /// A block of 10 by 10 pixels that goes 100 to 119 pixels right, while the palette ends at 120.
    fn regions() -> Regions {
        Regions {
            source: None,
            links: Vec::new(),
            start: Mask::new((50..60).map(|y| (y, 10, 19)).collect()),
            ends: Mask::new((0..20).map(|y| (y, 100, 119)).collect()),
            areas: DropAreas { inside: [0.0, 0.0, 700.0, 700.0], deletes: vec![[0.0, 0.0, 120.0, 700.0]] },
        }
    }

    #[test]
    fn trials_lie_on_both_sides_of_every_border() {
        let regions = regions();
        let trials = trials(&regions, 40);
        assert_eq!(trials.len(), 40);
        for border in [Border::Start, Border::End, Border::Drop] {
            let own: Vec<&Trial> = trials.iter().filter(|trial| trial.border == border).collect();
            assert!(own.len() >= 10, "{border:?}");
            for wanted in [true, false] {
                assert!(own.iter().any(|trial| regions.allow(trial.start, trial.end) == wanted), "{border:?} {wanted}");
            }
        }
    }

    #[test]
    fn few_visits_reach_every_part_of_a_list() {
        let mut places: Vec<usize> = (0..20).map(|number| scattered(100, number)).collect();
        places.sort_unstable();
        assert!(places.iter().all(|place| *place < 100));
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] < 15), "{places:?}");
    }
}
