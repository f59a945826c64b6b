//! What the page tells of itself: what can be seen on it, and whether it has come to rest.

use serde::{Deserialize, Serialize};

use super::PageFn;
use crate::page_fn;
use crate::perceive::Seen;

/// Everything that can be operated or read in the viewport, from one pass over the page.
pub const LIST_ELEMENTS: PageFn<(), ElementsSeen> = page_fn!("list-elements");

/// Waits until the editor has reacted to what was done to it.
pub const SETTLE: PageFn<SettleLimit, Settled> = page_fn!("settle");

/// Result of [`LIST_ELEMENTS`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementsSeen {
    /// In the order of the list: elements by kind, then text.
    pub elements: Vec<Seen>,
}

/// Argument of [`SETTLE`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SettleLimit {
    /// Milliseconds after which waiting ends, whatever is still going on.
    pub deadline_ms: f64,
}

/// Why waiting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettleReason {
    /// Nothing happened for a whole turn and nothing was pending.
    Quiet,
    /// The limit was reached first.
    Deadline,
}

/// How the page came to rest; result of [`SETTLE`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settled {
    /// Why waiting ended.
    pub reason: SettleReason,
    /// Milliseconds spent waiting.
    pub waited_ms: f64,
    /// What was still going on at the deadline: names such as `images` or `blockly_events`.
    pub pending: Vec<String>,
}
