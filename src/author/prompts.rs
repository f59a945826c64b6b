//! The prompts, from `assets/prompts`. Their wording is ours; what they tell of tasks is filled in.

use serde::Serialize;

use super::AuthorError;
use super::template::fill;

/// One prompt with its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prompt {
    name: &'static str,
    text: &'static str,
}

macro_rules! prompt {
    ($name:literal) => {
        Prompt { name: $name, text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/prompts/", $name)) }
    };
}

/// What the model is told first.
pub(super) const SYSTEM: Prompt = prompt!("system.md");
/// Asks for ideas.
pub(super) const IDEAS: Prompt = prompt!("ideas.md");
/// Asks for more of them.
pub(super) const MORE_IDEAS: Prompt = prompt!("more-ideas.md");
/// Tells what is wrong with an answer that should be JSON.
pub(super) const REPAIR: Prompt = prompt!("repair.md");
/// Asks for the files of a task.
pub(super) const DRAFT: Prompt = prompt!("draft.md");
/// Tells what is wrong with them.
pub(super) const PROBLEMS: Prompt = prompt!("problems.md");

/// How projects are written, as people are told it.
pub(super) const NOTATION: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/PROJECT-TEXT.md"));
/// How judges are written, as people are told it.
pub(super) const JUDGING: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/JUDGING.md"));

impl Prompt {
    /// The prompt with values in its places.
    pub fn fill(self, values: impl Serialize) -> Result<String, AuthorError> {
        fill(self.name, self.text, values)
    }
}
