//! What a sprite's workspace and palette hold, as the page reports it.

use serde::Deserialize;

use crate::page::PageFn;
use crate::page_fn;

/// All blocks of canvas and palette.
pub(in crate::benchmarks::drag) const SCENE_BLOCKS: PageFn<(), Facts> = page_fn!("drag", "scene-blocks");

/// Left, top, right, bottom.
pub(super) type Edges = [f64; 4];

/// Result of `scene-blocks.js`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::benchmarks::drag) struct Facts {
    /// In the order of scripts.
    pub(super) blocks: Vec<CanvasBlock>,
    /// From top to bottom.
    pub(super) palette: Vec<PaletteBlock>,
    /// The part of the viewport that shows the canvas, in pixels.
    pub(super) canvas: Edges,
    /// The pixel of the workspace's origin when nothing is scrolled.
    pub(super) origin: [f64; 2],
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CanvasBlock {
    pub(super) id: String,
    pub(super) opcode: String,
    /// What is written on it.
    pub(super) text: String,
    /// The block above or around it.
    pub(super) parent: Option<String>,
    /// The input of that block, if it is around.
    pub(super) input: Option<String>,
    pub(super) next: Option<String>,
    /// Whether nothing can be above or around it.
    pub(super) hat: bool,
    /// Whether it goes into slots.
    pub(super) output: bool,
    /// Its box without the blocks below, workspace units.
    pub(super) own: Edges,
    pub(super) stack: Edges,
    pub(super) slots: Vec<Slot>,
}

/// A slot or a mouth.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Slot {
    pub(super) name: String,
    /// Whether it is a slot, not a mouth.
    pub(super) value: bool,
    /// Whether it takes conditions only.
    pub(super) boolean: bool,
    /// Opcode of its default block.
    pub(super) shadow: Option<String>,
    /// What the default block shows, if it is there.
    pub(super) shown: String,
    /// The block in it that is not a default block.
    pub(super) holds: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PaletteBlock {
    pub(super) opcode: String,
    pub(super) text: String,
    pub(super) category: String,
    /// Pixels from the top of its category to its own.
    pub(super) down: f64,
    /// In pixels.
    pub(super) height: f64,
}

impl Facts {
    pub(super) fn block(&self, id: &str) -> Option<&CanvasBlock> {
        self.blocks.iter().find(|block| block.id == id)
    }

    /// The block above or around another.
    pub(super) fn parent(&self, block: &CanvasBlock) -> Option<&CanvasBlock> {
        self.block(block.parent.as_deref()?)
    }

    /// The block below another.
    pub(super) fn next(&self, block: &CanvasBlock) -> Option<&CanvasBlock> {
        self.block(block.next.as_deref()?)
    }

    /// All blocks above and around another, from the nearest on; each with the input that leads to it.
    pub(super) fn ancestors<'a>(&'a self, block: &'a CanvasBlock) -> Vec<(&'a CanvasBlock, Option<&'a str>)> {
        let mut found = Vec::new();
        let mut at = block;
        while let Some(parent) = self.parent(at) {
            found.push((parent, at.input.as_deref()));
            at = parent;
        }
        found
    }

    /// The first block of a block's script.
    pub(super) fn root<'a>(&'a self, block: &'a CanvasBlock) -> &'a CanvasBlock {
        self.ancestors(block).last().map_or(block, |(root, _)| root)
    }

    /// The position of a block among those of its opcode, in the order of scripts.
    pub(super) fn nth(&self, block: &CanvasBlock) -> u32 {
        let same = self.blocks.iter().filter(|other| other.opcode == block.opcode);
        let before = same.take_while(|other| other.id != block.id).count();
        u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
    }
}

impl CanvasBlock {
    /// Its slot or mouth of a name.
    pub(super) fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.name == name)
    }

    /// Whether it is a fixed part of a definition, or the reporter of an argument: such blocks are not asked for.
    pub(super) fn is_of_definition(&self) -> bool {
        self.opcode.starts_with("procedures_") || self.opcode.starts_with("argument_")
    }
}
