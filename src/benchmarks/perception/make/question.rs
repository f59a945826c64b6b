//! A question that a picture answers, with its answer and what that was derived from.

use serde_json::Value;

use super::Tag;
use super::canvas::Canvas;
use super::{connection, existence, field};

/// A question with its answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    pub(super) tag: Tag,
    pub(super) instruction: String,
    pub(super) truth: String,
    /// What the answer was derived from; no model is shown this.
    pub(super) derivation: Value,
}

impl Question {
    /// A question whose kind decides the answer.
    pub(super) fn yes_no(tag: Tag, instruction: String, derivation: Value) -> Self {
        Self { tag, instruction, truth: tag.truth().unwrap_or_default().to_owned(), derivation }
    }
}

/// All questions that a picture of this canvas answers, in an order that depends on the canvas alone.
pub(super) fn questions(canvas: &Canvas) -> Vec<Question> {
    let mut all = connection::questions(canvas);
    all.extend(existence::questions(canvas));
    all.extend(field::questions(canvas));
    all
}
