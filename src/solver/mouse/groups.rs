//! Groups the rows of the canvas: a stack block, or a loose reporter, with everything in its slots.

use super::scene::{Row, Scene};
use super::words::is_reporter;
use crate::model::Rect;

/// A block that is in no slot, and the rows that follow it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group<'a> {
    pub opcode: &'a str,
    pub label: &'a str,
    pub place: Rect,
    /// Rows of its fields and of the reporters in it, in the order of reading.
    pub inside: Vec<&'a Row>,
}

/// Parts the rows of the canvas.
pub(super) fn groups(scene: &Scene) -> Vec<Group<'_>> {
    let mut all: Vec<Group<'_>> = Vec::new();
    for row in scene.canvas_rows() {
        match row {
            Row::Block(block, place) if begins(&block.opcode, *place, all.last()) => {
                all.push(Group { opcode: &block.opcode, label: &block.label, place: *place, inside: Vec::new() });
            }
            row => {
                if let Some(last) = all.last_mut() {
                    last.inside.push(row);
                }
            }
        }
    }
    all
}

/// Whether a block is in no slot. A reporter in a slot lies on the block before it.
fn begins(opcode: &str, place: Rect, before: Option<&Group<'_>>) -> bool {
    if opcode == "procedures_prototype" {
        return false;
    }
    !is_reporter(opcode) || before.is_none_or(|before| before.place.overlap(&place) * 2 < place.area())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::mouse::scene::SeenBlock;

    #[test]
    fn reporters_are_part_of_the_block_that_they_lie_on() {
        let row = |opcode: &str, place| {
            Row::Block(SeenBlock { opcode: opcode.to_owned(), label: String::new(), on_canvas: true }, place)
        };
        let rows = vec![
            row("looks_say", Rect::new(0, 0, 100, 30)),
            row("operator_join", Rect::new(20, 5, 60, 20)),
            row("data_variable", Rect::new(200, 5, 60, 20)),
        ];
        let scene = Scene { elements: Vec::new(), rows };
        let found: Vec<(&str, usize)> = groups(&scene).iter().map(|it| (it.opcode, it.inside.len())).collect();
        assert_eq!(found, [("looks_say", 1), ("data_variable", 0)]);
    }
}
