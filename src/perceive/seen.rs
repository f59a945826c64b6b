//! The two inputs of an element list.

use serde::{Deserialize, Serialize};

use crate::model::{ElementType, Point, Rect};

/// An element or text as the page itself reports it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    #[serde(rename = "type")]
    pub kind: ElementType,
    /// What it says or is called.
    pub text: String,
    /// The part of it that shows, in CSS pixels of the page.
    pub position: Rect,
    /// Where a click reaches it, when its middle would reach something else.
    pub point: Option<Point>,
}

/// One word that text recognition read from the picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    pub text: String,
    /// Where they are, in CSS pixels of the page.
    pub position: Rect,
}
