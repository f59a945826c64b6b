//! What pointer and editor did during a drag, from trusted input events and the previews of the workspace.

use serde::{Deserialize, Serialize};

use super::super::regions::Link;
use crate::page::PageFn;
use crate::page_fn;

/// Begins or ends a record of a drag.
pub(in super::super) const DRAG_WATCH: PageFn<Watch, Watched> = page_fn!("drag", "drag-watch").in_every_editor();

/// Arguments of `drag-watch.js`.
#[derive(Debug, Clone, Copy, Serialize)]
pub(in super::super) struct Watch {
    /// Whether a record begins; else the current one ends.
    pub(in super::super) watch: bool,
}

/// Result of `drag-watch.js`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Watched {
    pub(in super::super) steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pointer {
    /// The button went down.
    Press,
    Move,
    /// The button went up.
    Release,
}

/// An event with the state that it led to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub kind: Pointer,
    /// Where, in pixels of the viewport.
    pub x: f64,
    pub y: f64,
    /// Whether the event came from the browser and not from a script.
    pub trusted: bool,
    /// What the editor did then; unknown of the last event.
    pub after: Option<State>,
}

/// What the editor does between two events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Id of the block in the air.
    pub block: Option<String>,
    pub opcode: Option<String>,
    /// Whether it comes from the palette.
    pub palette: bool,
    /// Whether the canvas is dragged instead.
    pub canvas: bool,
    /// What the preview says would be linked.
    pub preview: Vec<Link>,
}
