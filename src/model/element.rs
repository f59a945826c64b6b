//! One row of the element list that primitive-mode agents see (paper, appendix M).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Rect;

/// The fixed viewport, width and height in CSS pixels, at a device pixel ratio of 1 (paper, section 4).
pub const VIEWPORT: (u32, u32) = (1280, 720);

// The names are the paper's where it has one.
/// What kind of thing an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ElementType {
    /// The block workspace.
    Canvas,
    /// A text, number, choice or check box field, of the page or of a block.
    Inputs,
    /// A sprite tile, or the stage tile.
    Sprites,
    /// A block on the canvas or in the palette.
    Blocks,
    /// A button in the palette such as "Make a Variable".
    FlyoutButtons,
    /// A row of the category menu.
    CategoryMenu,
    /// The green flag.
    GreenFlag,
    /// The stop button.
    StopButton,
    /// The stage picture.
    Stage,
    /// Code, Costumes and Sounds.
    Tabs,
    /// Any other button.
    Buttons,
    /// An item of an open menu or dropdown.
    MenuItems,
    /// An open dialog.
    Dialogs,
    /// A comment on the canvas.
    Comments,
    /// A variable, list or value shown on the stage.
    Monitors,
    /// Text that belongs to no element above, reported by the page or read from the picture.
    Text,
}

/// One interactive element or piece of text on the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// Its number, by which actions name it: its place in a full list, from 0; in a list of changes an element
    /// keeps the number that it had.
    pub index: usize,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ElementType,
    /// What it says or is called.
    pub text: String,
    /// Where it is.
    pub position: Rect,
}
