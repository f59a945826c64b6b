//! How a question points at one block, so that it has one meaning in the picture.

use super::canvas::{Block, Canvas, Sides};
use super::names::name_of;
use super::sight::{Sight, sight_of};

/// Pixels by which a block must lie further out than all others of its name to be called the outermost.
const APART: f64 = 18.0;

/// How far out a box lies in a direction: by its nearer edge and its far one.
type Outwards = fn(&Sides) -> [f64; 2];

/// The edges of a picture, with how far out a box lies that way.
const DIRECTIONS: [(&str, Outwards); 4] = [
    ("topmost", |sides| [-sides.top, -sides.bottom]),
    ("bottommost", |sides| [sides.top, sides.bottom]),
    ("leftmost", |sides| [-sides.left, -sides.right]),
    ("rightmost", |sides| [sides.left, sides.right]),
];

/// The ways to point at a block that is clearly seen: by its name if no other block of that name can be seen, else by
/// where it lies among them. Empty if no way is unambiguous.
pub(super) fn references(canvas: &Canvas, at: usize) -> Vec<String> {
    let Some(name) = name_of(&canvas.blocks[at].opcode) else { return vec![] };
    let others: Vec<&Block> = canvas
        .in_view()
        .filter(|(other, block)| *other != at && name_of(&block.opcode).as_ref() == Some(&name))
        .map(|(_, block)| block)
        .collect();
    if others.is_empty() {
        return vec![format!("`{name}` block")];
    }
    if others.iter().any(|other| sight_of(canvas, other) != Sight::Clear) {
        return vec![];
    }
    let own = &canvas.blocks[at].sides;
    let is_outermost = |out: Outwards| {
        others.iter().all(|other| {
            let (own, other) = (out(own), out(&other.sides));
            own[0] >= other[0] + APART && own[1] >= other[1] + APART
        })
    };
    DIRECTIONS
        .iter()
        .filter(|(_, out)| is_outermost(*out))
        .map(|(direction, _)| format!("{direction} `{name}` block"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::fakes::{block, canvas};
    use super::*;

    #[test]
    fn a_name_alone_suffices_when_no_other_block_has_it() {
        let canvas = canvas(vec![
            block("looks_hide", (350.0, 200.0, 400.0, 232.0)),
            block("looks_show", (350.0, 300.0, 400.0, 332.0)),
            block("looks_hide", (350.0, 900.0, 400.0, 932.0)),
        ]);
        assert_eq!(references(&canvas, 0), ["`hide` block"], "the other one is out of view");
    }

    #[test]
    fn of_several_the_outermost_can_be_named() {
        let canvas = canvas(vec![
            block("looks_hide", (350.0, 200.0, 400.0, 232.0)),
            block("looks_hide", (352.0, 300.0, 402.0, 332.0)),
            block("looks_hide", (420.0, 400.0, 470.0, 432.0)),
        ]);
        assert_eq!(references(&canvas, 0), ["topmost `hide` block"], "not leftmost by two pixels");
        assert!(references(&canvas, 1).is_empty());
        assert_eq!(references(&canvas, 2), ["bottommost `hide` block", "rightmost `hide` block"]);
    }

    #[test]
    fn a_doubtful_namesake_spoils_it() {
        let mut half = block("looks_hide", (350.0, 300.0, 400.0, 332.0));
        half.seen = half.area / 2.0;
        let canvas = canvas(vec![block("looks_hide", (350.0, 200.0, 400.0, 232.0)), half]);
        assert!(references(&canvas, 0).is_empty());
    }
}
