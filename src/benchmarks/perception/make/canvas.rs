//! What lies on the canvas, as `canvas-facts.js` reports it; lengths are in pixels of the page unless noted otherwise.

use serde::{Deserialize, Serialize};

use crate::page::PageFn;
use crate::page_fn;

pub(super) const CANVAS_FACTS: PageFn<FactsRequest, Canvas> = page_fn!("perception", "canvas-facts").in_every_editor();
/// Adds, edits and moves blocks, then scrolls.
pub(super) const ARRANGE_CANVAS: PageFn<Arrangement, View> = page_fn!("perception", "arrange-canvas").in_every_editor();
/// Sets up the editor around the canvas for a picture.
pub(super) const OPEN_CANVAS: PageFn<EditorSettings, View> = page_fn!("perception", "open-canvas").in_every_editor();

/// Arguments of `open-canvas.js`.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct EditorSettings {
    /// Whether the stage is small.
    pub(super) small_stage: bool,
    /// Category that the palette shows.
    pub(super) category: &'static str,
    pub(super) scale: f64,
}

/// Zoom and scroll of the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct View {
    /// Pixels of a workspace unit.
    pub(super) scale: f64,
    /// Pixels that the origin of the workspace is scrolled to the right.
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Arguments of `canvas-facts.js`.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct FactsRequest {
    /// Whether to find out what can be seen, which takes longer than the layout alone.
    pub(super) sight: bool,
}

/// Arguments of `arrange-canvas.js`.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Arrangement {
    /// Types of blocks to add.
    pub(super) add: Vec<String>,
    /// What to type or choose.
    pub(super) fields: Vec<FieldEdit>,
    /// What to pull off and put elsewhere, lowest first.
    pub(super) places: Vec<Placement>,
    pub(super) view: View,
}

/// A value for a field.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FieldEdit {
    pub(super) block: String,
    pub(super) slot: String,
    /// What the field should show.
    pub(super) text: String,
}

/// A place for a block with all blocks attached to it, in workspace units.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Placement {
    pub(super) block: String,
    pub(super) x: f64,
    pub(super) y: f64,
}

/// The canvas with its blocks.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Canvas {
    /// The part of the page where blocks can be seen.
    pub(super) view: Sides,
    /// Pixels of a workspace unit.
    pub(super) scale: f64,
    /// All blocks of the sprite but default ones, in the order of scripts.
    pub(super) blocks: Vec<Block>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// A box by its edges.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sides {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// One block with its default blocks.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Block {
    pub(super) id: String,
    pub(super) opcode: String,
    /// The block above or around, by its place in the list.
    pub(super) parent: Option<usize>,
    /// Whether it hangs below its parent, not in it.
    pub(super) follows: bool,
    pub(super) next: Option<usize>,
    /// Its upper left corner in workspace units.
    pub(super) at: Point,
    /// Its own box, without what hangs below it; for a C-block with its mouths.
    #[serde(rename = "box")]
    pub(super) sides: Sides,
    /// The box with all blocks attached to it.
    pub(super) stack: Sides,
    /// Where it joins the block above, if it can.
    pub(super) up: Option<Point>,
    /// Where blocks join it below or in its mouths.
    pub(super) downs: Vec<Point>,
    /// Square pixels of its own within the view.
    pub(super) area: f64,
    /// How many of them are seen.
    pub(super) seen: f64,
    /// How many of them are seen with more of the block all around.
    pub(super) patch: f64,
    pub(super) labels: Vec<Label>,
    /// What can be typed or chosen on it.
    pub(super) fields: Vec<Field>,
}

/// Words on a block.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Label {
    pub(super) text: String,
    /// For each letter `1` if it is seen, `0` if not, `?` if it is cut.
    pub(super) seen: String,
}

/// Something to type or choose.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Field {
    /// The slot that it is in, or its own name.
    pub(super) slot: String,
    /// Type of the default block that it is on; `None` if it is on the block itself.
    pub(super) holder: Option<String>,
    pub(super) dropdown: bool,
    pub(super) text: String,
    /// Whether it shows all of that.
    pub(super) whole: bool,
    /// As in [`Label`].
    pub(super) seen: String,
    /// What a dropdown offers.
    pub(super) options: Vec<String>,
}

impl Sides {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Whether both have points in common when this one is grown by `margin` on each side.
    pub(super) fn meets(&self, other: &Self, margin: f64) -> bool {
        self.left - margin < other.right
            && other.left < self.right + margin
            && self.top - margin < other.bottom
            && other.top < self.bottom + margin
    }

    /// Whether the other lies in it, up to half a pixel.
    pub(super) fn holds(&self, other: &Self) -> bool {
        let slack = 0.5;
        self.left - slack <= other.left
            && self.top - slack <= other.top
            && other.right <= self.right + slack
            && other.bottom <= self.bottom + slack
    }

    /// How far both reach over each other from left to right; negative for a gap.
    pub(super) fn shared_width(&self, other: &Self) -> f64 {
        self.right.min(other.right) - self.left.max(other.left)
    }
}

impl Canvas {
    /// The blocks attached to a block below it or in it, itself included.
    pub(super) fn stack_of(&self, first: usize) -> Vec<usize> {
        let is_in = |mut block: usize| loop {
            if block == first {
                return true;
            }
            match self.blocks[block].parent {
                Some(parent) => block = parent,
                None => return false,
            }
        };
        (0..self.blocks.len()).filter(|block| is_in(*block)).collect()
    }

    /// The blocks any of which might be seen.
    pub(super) fn in_view(&self) -> impl Iterator<Item = (usize, &Block)> {
        let margin = 2.0;
        self.blocks.iter().enumerate().filter(move |(_, block)| self.view.meets(&block.sides, margin))
    }
}
