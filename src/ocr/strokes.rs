//! Locates words: thin strokes that differ from their surroundings, grouped by the gaps between them.
//!
//! A screenshot has no noise, no slant and flat backgrounds, so strokes show up exactly: a pixel belongs to a
//! light stroke when a morphological opening takes it away, to a dark one when a closing does. This finds
//! every word of the editor in a few milliseconds, single digits in their white fields included, where the
//! detection model needs 0.2 s on two cores and misses most of those digits.
//!
//! Limits: letters higher than 40 pixels, or with strokes wider than 4, and text on a patterned picture are
//! not found. What only looks like writing (icons) is found too; reading rejects it (see [`super::engine`]).

use super::area::Area;
use super::pixels::Plane;

/// Side of the square of the opening and closing, in pixels: strokes up to one pixel less are found.
const STROKE: usize = 5;
/// How much lighter or darker than its surroundings a stroke is at least, of 255.
const CONTRAST: u8 = 30;
/// Height of a word in pixels.
const HEIGHT: std::ops::RangeInclusive<i32> = 6..=40;
/// Higher than this, in pixels, a lone shape is taken for an icon and not for a letter.
const LONE_LETTER: i32 = 14;

/// A place where a word may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    /// The strokes, without any margin.
    pub rect: Area,
    /// Grey value around the strokes.
    pub background: u8,
}

/// A set of stroke pixels.
#[derive(Debug, Clone, Copy)]
struct Shape {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
    pixels: i32,
    /// Sum of the grey values.
    grey: i64,
    pieces: i32,
}

impl Shape {
    const fn height(&self) -> i32 {
        self.bottom - self.top
    }

    const fn width(&self) -> i32 {
        self.right - self.left
    }

    const fn rect(&self) -> Area {
        Area::new(self.left, self.top, self.width(), self.height())
    }

    fn join(&mut self, other: &Self) {
        self.left = self.left.min(other.left);
        self.top = self.top.min(other.top);
        self.right = self.right.max(other.right);
        self.bottom = self.bottom.max(other.bottom);
        self.pixels += other.pixels;
        self.grey += other.grey;
        self.pieces += other.pieces;
    }

    /// Whether two shapes stand beside each other like letters of one word, or one is a dot of the other.
    fn belongs_with(&self, other: &Self) -> bool {
        let gap = self.left.max(other.left) - self.right.min(other.right);
        let shared = self.bottom.min(other.bottom) - self.top.max(other.top);
        let (low, high) = (self.height().min(other.height()), self.height().max(other.height()));
        // The space between words is about a third of the letters' height, the gap inside them a tenth.
        if gap > (high / 4).max(2) {
            return false;
        }
        if low * 2 >= high || (high <= 14 && low >= 3) {
            return shared * 2 >= low;
        }
        low <= 4 && (shared > 0 || (gap < 0 && shared >= -3))
    }
}

/// The places where words may be, from top to bottom and left to right.
pub(super) fn candidates(plane: &Plane) -> Vec<Candidate> {
    let light = filter(&filter(&plane.values, plane, Ord::min), plane, Ord::max);
    let dark = filter(&filter(&plane.values, plane, Ord::max), plane, Ord::min);
    let pairs = |other: &[u8]| -> Vec<bool> {
        plane.values.iter().zip(other).map(|(a, b)| a.abs_diff(*b) > CONTRAST).collect()
    };
    let mut found: Vec<(Shape, u8)> = Vec::new();
    for (mask, sign) in [(pairs(&light), 1), (pairs(&dark), -1)] {
        for word in words(shapes(&mask, plane)) {
            let background = surroundings(plane, &word);
            // Between light letters the background makes dark strokes, and the other way round.
            let stroke = word.grey / i64::from(word.pixels.max(1));
            if (stroke - i64::from(background)) * sign > i64::from(CONTRAST) {
                found.push((word, background));
            }
        }
    }
    without_nested(found)
}

/// Drops what lies mostly inside something larger: counters of letters, spots of icons.
fn without_nested(mut found: Vec<(Shape, u8)>) -> Vec<Candidate> {
    found.sort_by_key(|(s, _)| (-s.rect().pixels(), s.top, s.left));
    let mut kept: Vec<Candidate> = Vec::new();
    for (shape, background) in found {
        let rect = shape.rect();
        if !kept.iter().any(|k| k.rect.overlap(&rect) * 10 >= rect.pixels() * 7) {
            kept.push(Candidate { rect, background });
        }
    }
    kept.sort_by_key(|c| (c.rect.y, c.rect.x));
    kept
}

/// One pass of a square minimum or maximum filter.
fn filter(values: &[u8], plane: &Plane, pick: impl Fn(u8, u8) -> u8 + Copy) -> Vec<u8> {
    let (width, height) = (plane.width, plane.height);
    let merge = |out: &mut [u8], other: &[u8]| out.iter_mut().zip(other).for_each(|(o, v)| *o = pick(*o, *v));
    let mut rows = values.to_vec();
    for (out, row) in rows.chunks_exact_mut(width).zip(values.chunks_exact(width)) {
        for d in 1..=(STROKE / 2).min(width - 1) {
            merge(&mut out[..width - d], &row[d..]);
            merge(&mut out[d..], &row[..width - d]);
        }
    }
    let mut out = rows.clone();
    for d in 1..=(STROKE / 2).min(height - 1) {
        let kept = (height - d) * width;
        merge(&mut out[..kept], &rows[d * width..]);
        merge(&mut out[d * width..], &rows[..kept]);
    }
    out
}

/// Sets of things that belong together, by the index of one of them.
struct Sets(Vec<usize>);

impl Sets {
    fn of(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }

    fn joined(mut self, shapes: &[Shape]) -> Vec<Shape> {
        let mut joined: Vec<Option<Shape>> = vec![None; shapes.len()];
        for (i, shape) in shapes.iter().enumerate() {
            match &mut joined[self.root(i)] {
                Some(set) => set.join(shape),
                empty => *empty = Some(*shape),
            }
        }
        joined.into_iter().flatten().collect()
    }
}

/// The connected shapes of a mask; pixels that touch by a corner are connected.
fn shapes(mask: &[bool], plane: &Plane) -> Vec<Shape> {
    let runs = runs(mask, plane);
    let mut sets = Sets::of(runs.len());
    let (mut above, mut row_start) = (0, 0);
    for i in 0..runs.len() {
        let run = &runs[i];
        if i > 0 && runs[i - 1].top != run.top {
            (above, row_start) = (row_start, i);
        }
        while above < row_start && (runs[above].bottom < run.top || (runs[above].right < run.left)) {
            above += 1;
        }
        for other in (above..row_start).take_while(|o| runs[*o].left <= run.right) {
            sets.unite(other, i);
        }
    }
    let mut joined = sets.joined(&runs);
    for shape in &mut joined {
        shape.pieces = 1;
    }
    joined
}

/// The runs of marked pixels in each row.
fn runs(mask: &[bool], plane: &Plane) -> Vec<Shape> {
    let mut runs = Vec::new();
    for (y, row) in mask.chunks_exact(plane.width).enumerate() {
        let mut x = 0;
        while let Some(start) = row[x..].iter().position(|m| *m).map(|d| x + d) {
            let end = row[start..].iter().position(|m| !*m).map_or(row.len(), |d| start + d);
            let grey = plane.values[y * plane.width + start..y * plane.width + end].iter().map(|v| i64::from(*v)).sum();
            let [left, right, top] = [start, end, y].map(|v| i32::try_from(v).unwrap_or(i32::MAX));
            runs.push(Shape { left, top, right, bottom: top + 1, pixels: right - left, grey, pieces: 1 });
            x = end;
        }
    }
    runs
}

/// Groups letters to words and leaves out what cannot be one.
fn words(mut letters: Vec<Shape>) -> Vec<Shape> {
    letters.retain(|s| s.height() <= *HEIGHT.end() && s.width() <= 4 * HEIGHT.end());
    letters.sort_by_key(|s| (s.left, s.top));
    let mut sets = Sets::of(letters.len());
    for i in 0..letters.len() {
        let reach = letters[i].right + HEIGHT.end() / 4;
        for j in (i + 1..letters.len()).take_while(|j| letters[*j].left <= reach) {
            if letters[i].belongs_with(&letters[j]) {
                sets.unite(i, j);
            }
        }
    }
    let mut words = sets.joined(&letters);
    words.retain(looks_like_a_word);
    words
}

fn looks_like_a_word(word: &Shape) -> bool {
    // Frames are mostly empty; letters fill a fifth of their box and more.
    let filled = i64::from(word.pixels) * 8 >= word.rect().pixels();
    let icon = word.pieces == 1 && word.height() > LONE_LETTER;
    HEIGHT.contains(&word.height()) && word.width() >= 2 && word.pixels >= 8 && filled && !icon
}

/// The middle grey value of the pixels around a word.
fn surroundings(plane: &Plane, word: &Shape) -> u8 {
    let (left, top, right, bottom) = (word.left - 2, word.top - 2, word.right + 1, word.bottom + 1);
    let across = (left..=right).flat_map(|x| [plane.at(x, top), plane.at(x, bottom)]);
    let down = (top..=bottom).flat_map(|y| [plane.at(left, y), plane.at(right, y)]);
    let mut ring: Vec<u8> = across.chain(down).collect();
    let middle = ring.len() / 2;
    *ring.select_nth_unstable(middle).1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture from rows of text: `#` is 255 on a background of 60.
    fn plane(rows: &[&str]) -> Plane {
        let values: Vec<u8> = rows.iter().flat_map(|r| r.bytes().map(|b| if b == b'#' { 255 } else { 60 })).collect();
        Plane { width: rows[0].len(), height: rows.len(), values }
    }

    fn turned(mut plane: Plane) -> Plane {
        plane.values.iter_mut().for_each(|v| *v = 255 - *v);
        plane
    }

    const LETTERS: [&str; 12] = [
        "..........................",
        "..........................",
        "..........................",
        "...###..#..........###....",
        "...#..#.#..........#..#...",
        "...#..#.#..........#..#...",
        "...#..#.###........###....",
        "...###..#..#.......#..#...",
        "...#....###........###....",
        "..........................",
        "..........................",
        "..........................",
    ];

    #[test]
    fn close_letters_make_a_word_and_a_gap_parts_words() {
        let found: Vec<Area> = candidates(&plane(&LETTERS)).iter().map(|c| c.rect).collect();
        assert_eq!(found, [Area::new(3, 3, 9, 6), Area::new(19, 3, 4, 6)]);
    }

    #[test]
    fn dark_on_light_is_found_alike() {
        let light = candidates(&plane(&LETTERS));
        let dark = candidates(&turned(plane(&LETTERS)));
        assert_eq!(light.iter().map(|c| c.rect).collect::<Vec<_>>(), dark.iter().map(|c| c.rect).collect::<Vec<_>>());
        assert_eq!((light[0].background, dark[0].background), (60, 195));
    }

    #[test]
    fn a_flat_picture_has_no_words() {
        let flat = Plane { width: 9, height: 3, values: vec![7; 27] };
        assert!(candidates(&flat).is_empty());
        let dot = Plane { width: 1, height: 1, values: vec![0] };
        assert!(candidates(&dot).is_empty());
    }
}
