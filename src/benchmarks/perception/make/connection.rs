//! Whether a block is connected to the one directly above it.

use serde_json::json;

use super::Tag;
use super::canvas::{Block, Canvas, Point};
use super::question::Question;
use super::reference::references;
use super::sight::{Sight, sight_of};

/// Pixels to the nearest place where a block could join, from which on it lies well apart.
const FAR: f64 = 60.0;
/// Pixels around it that must be free then.
const FREE: f64 = 10.0;
/// Pixels within which it might be taken for connected.
const NEAR: f64 = 32.0;
/// Pixels of a gap up to which it might be, too.
const NARROW: f64 = 15.0;
/// Pixels of a gap, or of a step to the side, that an eye sees.
const GAP: f64 = 4.0;
const STEP: f64 = 12.0;
/// Pixels that a block must lie below the upper edge of another one to have it above.
const BELOW: f64 = 10.0;
/// Pixels to the side within which a block counts as above another one.
const BESIDE: f64 = 40.0;

/// The questions about connections that this canvas answers.
pub(super) fn questions(canvas: &Canvas) -> Vec<Question> {
    canvas.in_view().filter_map(|(at, block)| question(canvas, at, block)).flatten().collect()
}

fn question(canvas: &Canvas, at: usize, block: &Block) -> Option<Vec<Question>> {
    let up = block.up?;
    if sight_of(canvas, block) != Sight::Clear {
        return None;
    }
    let (tag, derivation) = match block.parent {
        // In a mouth the block around is above it in one sense, and beside it in another.
        Some(_) if !block.follows => return None,
        Some(upper) => {
            let upper = &canvas.blocks[upper];
            let derivation = json!({"block": block.opcode, "above": upper.opcode});
            (sight_of(canvas, upper) == Sight::Clear).then_some((Tag::ConnectionYes, derivation))?
        }
        None => apart(canvas, at, up)?,
    };
    let ask = |reference: String| format!("Is the {reference} directly connected to the block directly above it?");
    let references = references(canvas, at).into_iter();
    Some(references.map(|reference| Question::yes_no(tag, ask(reference), derivation.clone())).collect())
}

/// How far apart a loose block is, if a picture shows it.
fn apart(canvas: &Canvas, at: usize, up: Point) -> Option<(Tag, serde_json::Value)> {
    let block = &canvas.blocks[at];
    let own = canvas.stack_of(at);
    let others: Vec<&Block> = canvas
        .in_view()
        .filter(|(other, block)| !own.contains(other) && block.seen > 0.0)
        .map(|(_, other)| other)
        .collect();
    let is_above = |other: &&&Block| {
        other.sides.top < block.sides.top - BELOW
            && other.sides.shared_width(&block.sides) > -BESIDE
            && matches!(sight_of(canvas, other), Sight::Clear | Sight::Occluded)
    };
    others.iter().find(is_above)?;
    let offset = |down: &Point| (up.x - down.x, up.y - down.y);
    let joints = others.iter().flat_map(|other| other.downs.iter().map(move |down| (*other, offset(down))));
    let (nearest, (dx, dy)) = joints.min_by(|(_, a), (_, b)| a.0.hypot(a.1).total_cmp(&b.0.hypot(b.1)))?;
    let derivation =
        json!({"block": block.opcode, "nearest": nearest.opcode, "right_px": dx.round(), "down_px": dy.round()});
    let distance = dx.hypot(dy);
    if distance >= FAR && !others.iter().any(|other| other.sides.meets(&block.stack, FREE)) {
        return Some((Tag::ConnectionNoEasy, derivation));
    }
    let can_be_seen = dx.abs() >= STEP || dy >= GAP;
    (distance <= NEAR && dy <= NARROW && can_be_seen).then_some((Tag::ConnectionNoHard, derivation))
}

#[cfg(test)]
mod tests {
    use super::super::fakes::{block, canvas, joined};
    use super::*;

    /// What is asked of the lower of two blocks that lies this far right and down of its place under the upper one.
    fn asked(right: f64, down: f64, connected: bool) -> Vec<Tag> {
        let top = 232.0 + down;
        let mut blocks = vec![
            block("event_whenflagclicked", (350.0, 200.0, 430.0, 232.0)),
            block("looks_hide", (350.0 + right, top, 400.0 + right, top + 32.0)),
        ];
        blocks[0].up = None;
        if connected {
            blocks = joined(blocks, 0, 1);
        }
        questions(&canvas(blocks)).into_iter().map(|question| question.tag).collect()
    }

    #[test]
    fn attached_blocks_are_connected() {
        assert_eq!(asked(0.0, 0.0, true), [Tag::ConnectionYes]);
    }

    #[test]
    fn the_distance_separates_easy_from_hard() {
        assert_eq!(asked(0.0, 80.0, false), [Tag::ConnectionNoEasy]);
        assert_eq!(asked(0.0, 6.0, false), [Tag::ConnectionNoHard]);
        assert_eq!(asked(20.0, -6.0, false), [Tag::ConnectionNoHard]);
        assert_eq!(asked(0.0, 48.0, false), [], "neither");
        assert_eq!(asked(0.0, 24.0, false), [], "neither");
    }

    #[test]
    fn invisible_gaps_are_not_asked_about() {
        assert_eq!(asked(2.0, 1.0, false), []);
        assert_eq!(asked(300.0, 80.0, false), [], "nothing is above it");
    }
}
