//! What was seen, and how much of it there is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Element, SettleReason};

/// Whether text was read from the picture. It affects the list, so it is always given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// It was.
    Read,
    /// It was switched off, or rows of text were not asked for.
    Off,
    /// It was asked for, but this testbed runs without text recognition.
    Unavailable,
}

/// One look at the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observation {
    /// Name of the observation, unique in its session. Actions may say that they were decided on it.
    pub id: String,
    /// Number of the observation within its session, from 1.
    pub number: u64,
    /// The picture in base64; unless asked otherwise the whole viewport as PNG, 1280x720 pixels. Absent when
    /// switched off.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub screenshot: String,
    /// What the picture is and how its pixels lie in the viewport; absent when switched off.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub picture: Option<Picture>,
    /// The elements by index; absent when switched off, or when only changes are listed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub elements: Option<Vec<Element>>,
    /// What changed since another observation, when that was asked for and possible.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub changes: Option<ElementChanges>,
    /// The same elements as a text table, for prompts; changes begin with `+`, `~` or `-`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub table: Option<String>,
    /// Whether text was read from the picture.
    pub reading: Reading,
    /// Whether the page was at rest when it was looked at.
    pub settle: SettleReason,
    /// How much each part takes.
    pub sizes: Sizes,
}

/// A picture and its place. A pixel (px, py) of it is the viewport's pixel (left + px / scale, top + py / scale);
/// actions take viewport pixels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Picture {
    /// `image/png`, `image/jpeg` or `image/webp`.
    pub media_type: String,
    /// Width in pixels of the picture.
    pub width: u32,
    /// Height in pixels of the picture.
    pub height: u32,
    /// The viewport pixel at its left edge.
    pub left: i32,
    /// The viewport pixel at its top edge.
    pub top: i32,
    /// Pixels of the picture for one of the viewport.
    pub scale: f64,
}

/// What is different from an earlier observation. Everything else is as it was, under the same index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ElementChanges {
    /// Id of the observation that it is compared with.
    pub since: String,
    /// Elements that were not listed before, under new indexes.
    pub added: Vec<Element>,
    /// Elements that say something else or stand elsewhere, under the indexes they had.
    pub changed: Vec<Element>,
    /// Indexes that are no longer valid.
    pub removed: Vec<usize>,
}

/// How much each part of an observation takes, in bytes of the reply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sizes {
    /// The picture's file; in base64 it takes a third more.
    pub picture_bytes: usize,
    /// The rows of `elements` or `changes`.
    pub elements: ListSize,
    /// The text of `table`.
    pub table_bytes: usize,
}

/// How much a list takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListSize {
    /// Rows listed; removed indexes count too.
    pub listed: usize,
    /// Elements on the page in all, listed or not; 0 when the list is switched off.
    pub present: usize,
    /// Bytes as JSON.
    pub bytes: usize,
}
