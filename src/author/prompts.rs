//! The prompts, from `assets/prompts`. Their wording is ours; facts about tasks are filled in.

use crate::agent::Prompt;
use crate::prompt;

pub(super) const SYSTEM: Prompt = prompt!("system.md");
pub(super) const IDEAS: Prompt = prompt!("ideas.md");
/// Asks for more of them.
pub(super) const MORE_IDEAS: Prompt = prompt!("more-ideas.md");
/// Reports what is wrong with an answer that should be JSON.
pub(super) const REPAIR: Prompt = prompt!("repair.md");
/// Asks for the files of a task.
pub(super) const DRAFT: Prompt = prompt!("draft.md");
/// Asks for the judge of a finished task.
pub(super) const JUDGE: Prompt = prompt!("judge.md");
/// Reports what is wrong with them.
pub(super) const PROBLEMS: Prompt = prompt!("problems.md");

/// The manual of project texts.
pub(super) const NOTATION: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/PROJECT-TEXT.md"));
/// The manual of evaluation scripts.
pub(super) const JUDGING: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/JUDGING.md"));
