//! Which drags are tried: on both sides of the borders of the regions, the same ones each time.

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

/// `count` drags as start and end, half of them right inside the border of the end region and half right outside.
pub(super) fn border_drags(regions: &Regions, count: usize) -> Vec<(Pixel, Pixel)> {
    let starts: Vec<Pixel> = regions.start.pixels().collect();
    let border = regions.ends.border();
    let mut drags = Vec::new();
    // Ends outside the viewport can't be dragged to; there may be few others, so this looks for a while.
    for number in 0..count * 20 {
        if drags.len() == count || starts.is_empty() || border.is_empty() {
            break;
        }
        let start = starts[scattered(starts.len(), number * 7 + 3)];
        let (inside, outside) = border[scattered(border.len(), number)];
        let offset = if drags.len() % 2 == 0 { inside } else { outside };
        let end = (start.0 + offset.0, start.1 + offset.1);
        if is_inside(end) {
            drags.push((start, end));
        }
    }
    drags
}

#[cfg(test)]
mod tests {
    use super::scattered;

    #[test]
    fn few_visits_reach_every_part_of_a_list() {
        let mut places: Vec<usize> = (0..20).map(|number| scattered(100, number)).collect();
        places.sort_unstable();
        assert!(places.iter().all(|place| *place < 100));
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] < 15), "{places:?}");
    }
}
