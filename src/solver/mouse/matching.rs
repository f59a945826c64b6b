//! Matches the expected canvas against the element list: which element is which block, where scripts begin, and what is
//! wrong.
//!
//! Stack blocks are recognised by their kind and their place within the script, which follows from the layout;
//! what is in their slots by the order of reading.

use std::collections::BTreeMap;

use super::groups::{Group, groups};
use super::layout::{BlockPosition, positions};
use super::reading::read;
use super::scene::Scene;
use super::sheet::Sheet;
use crate::model::Rect;
use crate::solver::derive::Id;

/// How far a block may be from where the layout has it, in pixels: both ends of a box are rounded.
const SLACK: f64 = 3.0;

/// How far the left end of a head is from the edge of its block, in units.
const LEFT_END: f64 = 12.0;

/// A field or slot that is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    pub place: Rect,
    pub value: String,
    pub is_menu: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Matched {
    /// Upper left corners of scripts by their first blocks, in pixels; those that are not seen are missing.
    pub origins: BTreeMap<Id, (f64, f64)>,
    /// Upper left corners of all stack blocks of those scripts, in sight or not.
    pub corners: BTreeMap<Id, (f64, f64)>,
    /// Boxes of the blocks that are seen.
    pub boxes: BTreeMap<Id, Rect>,
    /// Fields and slots that are seen, by block and name.
    pub shown: BTreeMap<(Id, String), Shown>,
    /// Differences from the expected canvas.
    pub faults: Vec<String>,
}

/// Matches a sheet against a scene. `scale` is the pixels of a unit; `shift` is where the point is from which scripts are
/// measured, as far as that is known.
pub(super) fn match_canvas(sheet: &Sheet, scene: &Scene, scale: f64, shift: (f64, f64)) -> Matched {
    let mut matcher = Matcher {
        sheet,
        scale,
        canvas: scene.canvas().unwrap_or(Rect::new(0, 0, 0, 0)),
        groups: groups(scene),
        taken: Vec::new(),
    };
    matcher.taken = vec![false; matcher.groups.len()];
    let mut matched = Matched::default();
    let mut scripts: Vec<(Vec<BlockPosition>, (f64, f64))> = sheet
        .scripts
        .iter()
        .map(|script| (positions(sheet, script.root), (script.at.0 + shift.0, script.at.1 + shift.1)))
        .collect();
    // Long scripts are matched first: they are unambiguous, and leave fewer candidates for the others.
    scripts.sort_by_key(|(blocks, _)| std::cmp::Reverse(blocks.len()));
    for (blocks, expected) in &scripts {
        if let Some(origin) = matcher.origin(blocks, *expected) {
            matcher.take(blocks, origin, &mut matched);
        }
    }
    let unknown = matcher.groups.iter().zip(&matcher.taken).filter(|(_, taken)| !**taken);
    matched.faults.extend(unknown.map(|(group, _)| format!("unexpected {}", group.opcode)));
    matched
}

struct Matcher<'a> {
    sheet: &'a Sheet,
    scale: f64,
    canvas: Rect,
    groups: Vec<Group<'a>>,
    /// Which groups belong to a script.
    taken: Vec<bool>,
}

impl Matcher<'_> {
    /// Where a script begins: where most of its blocks are seen, what is written on them included; of equal places
    /// the one nearest to where it is expected.
    fn origin(&self, blocks: &[BlockPosition], expected: (f64, f64)) -> Option<(f64, f64)> {
        let mut best: Option<(i64, f64, (f64, f64))> = None;
        for one in blocks {
            for (group, _) in self.groups.iter().zip(&self.taken).filter(|(_, taken)| !**taken) {
                if group.opcode != self.sheet.nodes[one.id].opcode || self.is_cut(group.place) {
                    continue;
                }
                let (x, y) =
                    (f64::from(group.place.x) - one.x * self.scale, f64::from(group.place.y) - one.y * self.scale);
                let score = self.score(blocks, (x, y));
                let away = (x - expected.0).hypot(y - expected.1);
                if score > 0 && best.is_none_or(|(most, least, _)| score > most || (score == most && away < least)) {
                    best = Some((score, away, (x, y)));
                }
            }
        }
        let (_, _, rough) = best?;
        Some(self.refined(blocks, rough))
    }

    /// The mean over the visible blocks, which is finer than a pixel.
    fn refined(&self, blocks: &[BlockPosition], rough: (f64, f64)) -> (f64, f64) {
        let (mut x, mut y, mut count) = (0.0, 0.0, 0.0);
        for one in blocks {
            if let Some(at) = self.seen_at(one, rough).filter(|at| !self.is_cut(self.groups[*at].place)) {
                let place = self.groups[at].place;
                x += f64::from(place.x) - one.x * self.scale;
                y += f64::from(place.y) - one.y * self.scale;
                count += 1.0;
            }
        }
        if count > 0.0 { (x / count, y / count) } else { rough }
    }

    fn score(&self, blocks: &[BlockPosition], origin: (f64, f64)) -> i64 {
        let one = |one: &BlockPosition| match self.seen_at(one, origin) {
            Some(at) if read(self.sheet, one.id, &self.groups[at], &mut Matched::default()) => 3,
            // A script that is out of sight must not be taken for a similar one that is not, also where others lie.
            Some(_) => -1,
            None if self.must_show(one, origin) => -2,
            None => 0,
        };
        blocks.iter().map(one).sum()
    }

    /// The groups that are where blocks of a script must be.
    fn own(&self, blocks: &[BlockPosition], origin: (f64, f64)) -> Vec<usize> {
        blocks.iter().filter_map(|one| self.seen_at(one, origin)).collect()
    }

    /// The group that is where a block must be, and of its kind.
    fn seen_at(&self, one: &BlockPosition, origin: (f64, f64)) -> Option<usize> {
        let (x, y) = (origin.0 + one.x * self.scale, origin.1 + one.y * self.scale);
        // What is cut off by an edge of the canvas begins there.
        let (x, y) = (x.max(f64::from(self.canvas.x)), y.max(f64::from(self.canvas.y)));
        let opcode = &self.sheet.nodes[one.id].opcode;
        self.groups.iter().zip(&self.taken).position(|(group, taken)| {
            let (dx, dy) = (f64::from(group.place.x) - x, f64::from(group.place.y) - y);
            !taken && group.opcode == *opcode && dx.abs() <= SLACK && dy.abs() <= SLACK
        })
    }

    /// Whether the left end of a block's head is well inside of the canvas.
    fn must_show(&self, one: &BlockPosition, origin: (f64, f64)) -> bool {
        let (x, y) = (origin.0 + one.x * self.scale, origin.1 + one.y * self.scale);
        let (left, top) = (f64::from(self.canvas.x), f64::from(self.canvas.y));
        let (right, bottom) = (left + f64::from(self.canvas.width), top + f64::from(self.canvas.height));
        // The buttons in the corner hide what is below them.
        let corner = x > right - 90.0 && y > bottom - 180.0;
        x >= left && y >= top && x < right - 25.0 && y + one.head * self.scale < bottom - 12.0 && !corner
    }

    /// Whether a block that is not of the script, whose own blocks are `own`, lies over the left end of a block's head:
    /// a script that grows may hide the next one until both are tidied up.
    fn is_covered(&self, one: &BlockPosition, origin: (f64, f64), own: &[usize]) -> bool {
        let x = origin.0 + (one.x + LEFT_END) * self.scale;
        let y = origin.1 + (one.y + one.head / 2.0) * self.scale;
        let within = |from: i32, size: i32, at: f64| at >= f64::from(from) && at <= f64::from(from + size);
        let covers = |place: Rect| within(place.x, place.width, x) && within(place.y, place.height, y);
        self.groups.iter().enumerate().any(|(at, group)| !own.contains(&at) && covers(group.place))
    }

    /// Whether an edge of the canvas cuts a box off where it begins.
    const fn is_cut(&self, place: Rect) -> bool {
        place.x <= self.canvas.x || place.y <= self.canvas.y
    }

    fn take(&mut self, blocks: &[BlockPosition], origin: (f64, f64), matched: &mut Matched) {
        if let Some(first) = blocks.first() {
            matched.origins.insert(first.id, origin);
        }
        let own = self.own(blocks, origin);
        for one in blocks {
            matched.corners.insert(one.id, (origin.0 + one.x * self.scale, origin.1 + one.y * self.scale));
            match self.seen_at(one, origin) {
                Some(at) => {
                    self.taken[at] = true;
                    if !read(self.sheet, one.id, &self.groups[at], matched) {
                        matched.faults.push(format!("another content of {}", self.groups[at].opcode));
                    }
                }
                None if self.must_show(one, origin) && !self.is_covered(one, origin, &own) => {
                    matched.faults.push(format!("no {} where it should be", self.sheet.nodes[one.id].opcode));
                }
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Element, ElementType};
    use crate::solver::derive::{Content, Tree};
    use serde_json::json;

    const SCALE: f64 = 0.5;

    fn block(opcode: &str, slots: &[(&str, &str)]) -> Tree {
        let slots =
            slots.iter().map(|(name, value)| ((*name).to_owned(), Content::Typed((*value).to_owned()))).collect();
        Tree { opcode: opcode.to_owned(), fields: BTreeMap::new(), slots, procedure: None }
    }

    /// A hat, a block that moves and one that waits.
    fn sheet() -> Sheet {
        let mut sheet = Sheet::default();
        let hat = sheet.enter(&block("event_whenflagclicked", &[]), true);
        let go = sheet.enter(&block("motion_movesteps", &[("STEPS", "10")]), true);
        let wait = sheet.enter(&block("control_wait", &[("DURATION", "1")]), true);
        sheet.put_loose(hat, (0.0, 0.0));
        sheet.put_below(go, hat);
        sheet.put_below(wait, go);
        sheet
    }

    fn scene(rows: &[(&str, Rect)]) -> Scene {
        let canvas = [("canvas", Rect::new(300, 100, 400, 500))];
        let elements = canvas.iter().chain(rows).enumerate().map(|(index, (text, position))| {
            let kind = match *text {
                "canvas" => ElementType::Canvas,
                text if text.starts_with("value") => ElementType::Inputs,
                _ => ElementType::Blocks,
            };
            Element { index, kind, text: (*text).to_owned(), position: *position }
        });
        Scene::read(&json!({"elements": elements.collect::<Vec<_>>()}))
    }

    const HAT: (&str, Rect) = ("event_whenflagclicked on canvas: when flag clicked", Rect::new(350, 200, 60, 36));
    const GO: (&str, Rect) = ("motion_movesteps on canvas: move 10 steps", Rect::new(350, 232, 80, 28));
    const TEN: (&str, Rect) = ("value: 10 field: STEPS of motion_movesteps on canvas", Rect::new(380, 236, 20, 16));
    const WAIT: (&str, Rect) = ("control_wait on canvas: wait 1 seconds", Rect::new(350, 256, 80, 28));
    const ONE: (&str, Rect) = ("value: 1 field: DURATION of control_wait on canvas", Rect::new(380, 260, 20, 16));

    #[test]
    fn blocks_and_slots_are_found_where_the_layout_has_them() {
        let matched = match_canvas(&sheet(), &scene(&[HAT, GO, TEN, WAIT, ONE]), SCALE, (0.0, 0.0));
        assert_eq!(matched.faults, Vec::<String>::new());
        assert_eq!(matched.origins[&0], (350.0, 200.0));
        assert_eq!((matched.boxes[&2], matched.shown[&(1, "STEPS".to_owned())].place), (WAIT.1, TEN.1));
    }

    #[test]
    fn missing_unknown_and_displaced_blocks_are_faults() {
        let faults = |rows: &[(&str, Rect)]| match_canvas(&sheet(), &scene(rows), SCALE, (0.0, 0.0)).faults.len();
        assert_eq!(faults(&[HAT, GO, TEN]), 1, "the last block is missing");
        let loose = (WAIT.0, Rect::new(500, 400, 80, 28));
        assert_eq!(faults(&[HAT, GO, TEN, loose]), 2, "it is missing below the others, and strange elsewhere");
        let other = ("value: 12 field: STEPS of motion_movesteps on canvas", TEN.1);
        assert_eq!(faults(&[HAT, GO, other, WAIT, ONE]), 1, "another number");
    }

    #[test]
    fn a_script_out_of_sight_is_not_taken_for_a_similar_one() {
        let mut sheet = sheet();
        let hat = sheet.enter(&block("event_whenflagclicked", &[]), true);
        let go = sheet.enter(&block("motion_movesteps", &[("STEPS", "12")]), true);
        let wait = sheet.enter(&block("control_wait", &[("DURATION", "5")]), true);
        let show = sheet.enter(&block("looks_show", &[]), true);
        sheet.put_loose(hat, (0.0, 900.0));
        for (above, below) in [(hat, go), (go, wait), (wait, show)] {
            sheet.put_below(below, above);
        }
        let matched = match_canvas(&sheet, &scene(&[HAT, GO, TEN, WAIT, ONE]), SCALE, (350.0, 200.0));
        assert_eq!((matched.faults, matched.origins.len()), (vec![], 1));
    }

    #[test]
    fn covered_blocks_are_not_faults_but_missing_ones_are() {
        let mut sheet = sheet();
        let show = sheet.enter(&block("looks_show", &[]), true);
        let say = sheet.enter(&block("looks_say", &[("MESSAGE", "Hi")]), true);
        sheet.put_loose(show, (0.0, 150.0));
        sheet.put_below(say, show);
        let over = ("looks_show on canvas: show", Rect::new(345, 254, 90, 28));
        let said = ("looks_say on canvas: say Hi", Rect::new(345, 278, 90, 28));
        let hi = ("value: Hi field: MESSAGE of looks_say on canvas", Rect::new(380, 282, 20, 16));
        let faults = |rows: &[(&str, Rect)]| match_canvas(&sheet, &scene(rows), SCALE, (350.0, 200.0)).faults;
        // The second script lies over the last block of the first one.
        assert_eq!(faults(&[HAT, GO, TEN, over, said, hi]), Vec::<String>::new());
        let aside = |(text, it): (&'static str, Rect)| (text, Rect::new(it.x + 200, it.y, it.width, it.height));
        assert_eq!(faults(&[HAT, GO, TEN, aside(over), aside(said), aside(hi)]).len(), 1, "one is missing");
    }

    #[test]
    fn blocks_out_of_sight_are_not_faults() {
        let up = |(text, it): (&'static str, Rect)| (text, Rect::new(it.x, it.y - 140, it.width, it.height));
        let matched = match_canvas(&sheet(), &scene(&[up(WAIT), up(ONE)]), SCALE, (0.0, 0.0));
        assert_eq!(matched.faults, Vec::<String>::new());
        assert_eq!(matched.origins[&0], (350.0, 60.0), "the script begins above the canvas");
    }
}
