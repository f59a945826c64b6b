//! The units of recognition: adjacent words, redrawn as one clean line of dark text on white.
//!
//! Each word is cut out by itself (so that a label never runs into that of the next block), brought to one
//! height and contrast, and set beside its neighbours with a fixed gap: the model was trained on lines of
//! words, and reads a lone digit better in company. Several units make a [`Strip`], which is what the model
//! gets: one long strip takes half the time of many short ones. The model's attention reaches over a whole
//! strip, so what else is in it can change how a doubtful shape is read. Where a strip ends is therefore decided
//! by the units themselves and by nothing else: the same picture makes the same strips, whatever was read
//! before, and a change in the picture changes the strip that it is in and at most the ones up to the next end.

use super::area::Area;
use super::pixels::Plane;
use super::strokes::Candidate;

/// Height of the line, fixed by the model, in pixels.
pub(super) const LINE_HEIGHT: usize = 48;
/// Share of the line's height that the letters take, from the top of a "d" to the bottom of a "p".
const FILL: f32 = 0.65;
/// Pixels of the line between two words, and half of that at both ends.
const GAP: usize = 16;
/// Widths are rounded up to this, so that every unit starts at a step of the model.
const WIDTH_STEP: usize = 8;
/// Words further apart than this, in pixels of the picture, are read apart.
const NEIGHBOUR: i32 = 24;
/// A longer line, in its pixels, is read in parts.
const LONGEST: usize = 640;
/// A strip is no longer than this, in pixels, unless one unit is.
const LONGEST_STRIP: usize = 800;
/// A strip is no shorter than this, in pixels, unless the words run out or the next unit does not fit.
const SHORTEST_STRIP: usize = 200;
/// One unit in so many ends a strip, decided by its pixels.
const ENDS: u64 = 2;

/// One line to read.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// Indices of its words in the list of candidates.
    pub words: Vec<usize>,
    /// Where each word is in the line: from and to, in pixels of the line, half of the gaps included.
    pub spans: Vec<(usize, usize)>,
    /// Width of the line in pixels.
    pub width: usize,
    /// [`LINE_HEIGHT`] rows of `width` grey values, 255 is white.
    pub pixels: Vec<u8>,
}

/// Groups the words of a picture and draws them.
pub(super) fn units(plane: &Plane, found: &[Candidate]) -> Vec<Unit> {
    let mut lines: Vec<Vec<usize>> = Vec::new();
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|i| (found[*i].rect.x, found[*i].rect.y));
    for i in order {
        let rect = &found[i].rect;
        let fits = |line: &&mut Vec<usize>| line.last().is_some_and(|l| follows(&found[*l].rect, rect));
        match lines.iter_mut().rfind(fits) {
            Some(line) => line.push(i),
            None => lines.push(vec![i]),
        }
    }
    let mut units: Vec<Unit> = lines.into_iter().flat_map(|line| draw(plane, found, &line)).collect();
    units.sort_by_key(|u| u.words.first().copied());
    units
}

/// Units set side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Strip {
    /// Indices of its words in the list of candidates.
    pub words: Vec<usize>,
    /// Where each word is, from and to, in pixels of the strip.
    pub spans: Vec<(usize, usize)>,
    /// Width in pixels.
    pub width: usize,
    /// [`LINE_HEIGHT`] rows of `width` grey values, 255 is white.
    pub pixels: Vec<u8>,
}

impl Strip {
    fn of(units: &[Unit]) -> Self {
        let rows = 0..LINE_HEIGHT;
        let row = |y: usize| units.iter().flat_map(move |u| &u.pixels[y * u.width..(y + 1) * u.width]);
        let (mut spans, mut width) = (Vec::new(), 0);
        for unit in units {
            spans.extend(unit.spans.iter().map(|(from, to)| (from + width, to + width)));
            width += unit.width;
        }
        let words = units.iter().flat_map(|unit| unit.words.iter().copied()).collect();
        Self { words, spans, width, pixels: rows.flat_map(row).copied().collect() }
    }
}

/// Sets the units of a picture side by side.
pub(super) fn strips(units: &[Unit]) -> Vec<Strip> {
    let mut strips = Vec::new();
    let (mut first, mut width) = (0, 0);
    for (i, unit) in units.iter().enumerate() {
        width += unit.width;
        let full = units.get(i + 1).is_none_or(|next| width + next.width > LONGEST_STRIP);
        if full || (width >= SHORTEST_STRIP && ends_a_strip(unit)) {
            strips.push(Strip::of(&units[first..=i]));
            (first, width) = (i + 1, 0);
        }
    }
    strips
}

/// Whether a strip ends with this unit: a hash of its pixels (FNV-1a, 64 bits) that is the same everywhere.
fn ends_a_strip(unit: &Unit) -> bool {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = unit.pixels.iter().fold(0xcbf2_9ce4_8422_2325, step);
    (hash >> 32).is_multiple_of(ENDS)
}

/// Whether `next` goes on the line of `last`.
fn follows(last: &Area, next: &Area) -> bool {
    let gap = next.x - (last.x + last.width);
    let shared = (last.y + last.height).min(next.y + next.height) - last.y.max(next.y);
    let (low, high) = (last.height.min(next.height), last.height.max(next.height));
    (0..=NEIGHBOUR).contains(&gap) && shared * 10 >= low * 8 && high <= low * 2 + 2
}

/// Draws a line, in parts if it is long.
fn draw(plane: &Plane, found: &[Candidate], line: &[usize]) -> Vec<Unit> {
    let top = line.iter().map(|i| found[*i].rect.y).min().unwrap_or(0);
    let bottom = line.iter().map(|i| found[*i].rect.y + found[*i].rect.height).max().unwrap_or(0);
    let mut parts: Vec<(Vec<usize>, Vec<Cut>, usize)> = Vec::new();
    for &i in line {
        let cut = cut(plane, &found[i], top, bottom);
        let room = cut.width + GAP;
        match parts.last_mut() {
            Some((words, cuts, width)) if *width + room <= LONGEST => {
                words.push(i);
                cuts.push(cut);
                *width += room;
            }
            _ => parts.push((vec![i], vec![cut], room)),
        }
    }
    parts.into_iter().map(|(words, cuts, width)| compose(words, &cuts, width.next_multiple_of(WIDTH_STEP))).collect()
}

fn compose(words: Vec<usize>, cuts: &[Cut], width: usize) -> Unit {
    let mut pixels = vec![u8::MAX; LINE_HEIGHT * width];
    let mut spans = Vec::with_capacity(cuts.len());
    let mut x = 0;
    for cut in cuts {
        for (y, row) in cut.pixels.chunks_exact(cut.width).enumerate() {
            pixels[y * width + x + GAP / 2..][..cut.width].copy_from_slice(row);
        }
        spans.push((x, x + cut.width + GAP));
        x += cut.width + GAP;
    }
    Unit { words, spans, width, pixels }
}

/// A word brought to the height of the line.
struct Cut {
    width: usize,
    pixels: Vec<u8>,
}

/// Cuts a word out of a line that reaches from `top` to `bottom`, dark on white at full contrast.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "pixel places"
)]
fn cut(plane: &Plane, word: &Candidate, top: i32, bottom: i32) -> Cut {
    let rect = &word.rect;
    let frame = ((bottom - top) as f32 / FILL).max(10.0);
    let scale = LINE_HEIGHT as f32 / frame;
    let first = (top + bottom) as f32 / 2.0 - frame / 2.0;
    // One pixel around the strokes is background; what is further out may belong to something else.
    let columns = Samples::new(rect.x, rect.width, rect.x as f32, scale, (rect.width as f32 * scale).ceil() as usize);
    let rows = Samples::new(rect.y, rect.height, first, scale, LINE_HEIGHT);
    let tone = Tone::of(plane, word);
    let mut pixels = Vec::with_capacity(columns.0.len() * LINE_HEIGHT);
    for &(y, down) in &rows.0 {
        for &(x, right) in &columns.0 {
            let mix = |y: i32| f32::from(plane.at(x, y)) * (1.0 - right) + f32::from(plane.at(x + 1, y)) * right;
            pixels.push(tone.apply(mix(y) * (1.0 - down) + mix(y + 1) * down));
        }
    }
    Cut { width: columns.0.len(), pixels }
}

/// For each pixel of a line: the pixel of the picture before it, and how far it is towards the next.
struct Samples(Vec<(i32, f32)>);

impl Samples {
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "pixel places")]
    fn new(start: i32, length: i32, origin: f32, scale: f32, count: usize) -> Self {
        let (low, high) = ((start - 1) as f32, (start + length) as f32);
        let place = |i: usize| (origin + (i as f32 + 0.5) / scale - 0.5).clamp(low, high);
        Self((0..count).map(place).map(|p| (p.floor() as i32, p - p.floor())).collect())
    }
}

/// Maps the background of a word to white and what differs most from it to black.
struct Tone {
    background: f32,
    range: f32,
}

impl Tone {
    fn of(plane: &Plane, word: &Candidate) -> Self {
        let Area { x, y, width, height } = word.rect;
        let places = (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y)));
        let background = word.background;
        let far = places.map(|(x, y)| plane.at(x, y)).max_by_key(|v| v.abs_diff(background)).unwrap_or(background);
        let range = f32::from(far) - f32::from(background);
        Self { background: f32::from(background), range: if range == 0.0 { 1.0 } else { range } }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
    fn apply(&self, value: f32) -> u8 {
        (255.0 - 255.0 * ((value - self.background) / self.range).clamp(0.0, 1.0)).round() as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(x: i32, y: i32) -> Candidate {
        Candidate { rect: Area::new(x, y, 6, 9), background: 200 }
    }

    fn flat() -> Plane {
        Plane { width: 200, height: 60, values: vec![200; 200 * 60] }
    }

    #[test]
    fn neighbours_are_read_together_and_rows_apart() {
        let found = [word(10, 10), word(30, 10), word(90, 10), word(10, 30)];
        let mut groups: Vec<Vec<usize>> = units(&flat(), &found).into_iter().map(|u| u.words).collect();
        groups.sort();
        assert_eq!(groups, [vec![0, 1], vec![2], vec![3]]);
    }

    #[test]
    fn spans_follow_each_other_inside_the_line() {
        let unit = &units(&flat(), &[word(10, 10), word(30, 10)])[0];
        assert_eq!(unit.spans[0].1, unit.spans[1].0);
        assert!(unit.spans[1].1 <= unit.width);
        assert_eq!(unit.pixels.len(), LINE_HEIGHT * unit.width);
    }

    /// A unit of one word; its shade stands for what it shows.
    fn unit(shade: u8) -> Unit {
        let width = 80 + usize::from(shade % 5) * 16;
        Unit { words: vec![shade.into()], spans: vec![(0, width)], width, pixels: vec![shade; LINE_HEIGHT * width] }
    }

    #[test]
    fn each_unit_is_in_one_strip_and_strips_are_neither_short_nor_long() {
        let units: Vec<Unit> = (0..100).map(unit).collect();
        let strips = strips(&units);
        let words: Vec<usize> = strips.iter().flat_map(|s| s.words.clone()).collect();
        assert_eq!(words, (0..100).collect::<Vec<_>>());
        for (i, strip) in strips.iter().enumerate() {
            assert_eq!(strip.pixels.len(), LINE_HEIGHT * strip.width);
            assert!(strip.spans.last().unwrap().1 <= strip.width && strip.width <= LONGEST_STRIP);
            assert!(strip.width >= SHORTEST_STRIP || i + 1 == strips.len());
        }
    }

    #[test]
    fn a_change_of_one_unit_leaves_most_strips_as_they_are() {
        let before: Vec<Unit> = (0..100).map(unit).collect();
        for changed in 0..100 {
            let mut after = before.clone();
            after[changed] = unit(200);
            let (old, new) = (strips(&before), strips(&after));
            let fresh = new.iter().filter(|strip| !old.contains(strip)).count();
            assert!((1..=6).contains(&fresh), "{fresh} of {} strips after a change at {changed}", new.len());
        }
    }

    #[test]
    fn light_text_and_dark_text_are_drawn_alike() {
        let mut light = flat();
        let mut dark = flat();
        for i in 12..18 {
            light.values[i * 200 + 12] = 255;
            dark.values[i * 200 + 12] = 145;
        }
        assert_eq!(units(&light, &[word(10, 10)])[0].pixels, units(&dark, &[word(10, 10)])[0].pixels);
    }
}
