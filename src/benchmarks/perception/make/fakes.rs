//! Blocks and canvases for tests.

use super::canvas::{Block, Canvas, Field, Label, Point, Sides};

/// A canvas with the usual view.
pub(super) fn canvas(blocks: Vec<Block>) -> Canvas {
    let view = Sides { left: 313.0, top: 93.0, right: 780.0, bottom: 720.0 };
    Canvas { view, scale: 0.675, blocks }
}

/// A block that is all seen and has no words, by left, top, right and bottom.
pub(super) fn block(opcode: &str, (left, top, right, bottom): (f64, f64, f64, f64)) -> Block {
    let sides = Sides { left, top, right, bottom };
    let area = sides.width() * sides.height();
    Block {
        id: format!("{opcode} {left} {top}"),
        opcode: opcode.to_owned(),
        parent: None,
        follows: false,
        next: None,
        at: Point { x: 0.0, y: 0.0 },
        sides,
        stack: sides,
        up: Some(Point { x: left, y: top }),
        downs: vec![Point { x: left, y: bottom }],
        area,
        seen: area,
        patch: area,
        labels: vec![],
        fields: vec![],
    }
}

/// The second block under the first one, by their places in the list.
pub(super) fn joined(mut blocks: Vec<Block>, upper: usize, lower: usize) -> Vec<Block> {
    blocks[lower].parent = Some(upper);
    blocks[lower].follows = true;
    blocks[upper].next = Some(lower);
    blocks
}

/// Words with what is seen of them.
pub(super) fn label(text: &str, seen: &str) -> Label {
    Label { text: text.to_owned(), seen: seen.to_owned() }
}

/// A field that is all seen.
pub(super) fn field(slot: &str, holder: &str, text: &str, options: &[&str]) -> Field {
    Field {
        slot: slot.to_owned(),
        holder: Some(holder.to_owned()),
        dropdown: !options.is_empty(),
        text: text.to_owned(),
        whole: true,
        seen: "1".repeat(text.chars().count()),
        options: options.iter().map(|option| (*option).to_owned()).collect(),
    }
}
