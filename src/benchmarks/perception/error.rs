//! Why a set of perception items can't be made, read or scored.

use std::path::{Path, PathBuf};

use crate::action::ActionError;
use crate::compile::BuildError;
use crate::model::{Blame, Coded};
use crate::page::PageError;
use crate::taskset::TasksetError;

/// Errors of perception items.
#[derive(Debug, thiserror::Error)]
pub enum PerceptionError {
    /// A file of a set is missing or broken.
    #[error("{} can't be read: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: String },
    /// A file of answers is missing or broken.
    #[error("the answers in {} can't be read: {reason}", path.display())]
    UnreadableAnswers { path: PathBuf, reason: String },
    #[error("item `{id}` is answered twice")]
    AnsweredTwice { id: String },
    #[error("writing {} failed", path.display())]
    Unwritable { path: PathBuf, source: std::io::Error },
    /// The destination of a set exists already.
    #[error("{} is there already", path.display())]
    Taken { path: PathBuf },
    /// The set's format is newer than this program.
    #[error("{} has format {found}, and this program knows format {known}", path.display())]
    NewerFormat { path: PathBuf, found: u32, known: u32 },
    /// The folder that is to be imported is not laid out like the published one.
    #[error("{} has no {part}", path.display())]
    NotPublished { path: PathBuf, part: &'static str },
    #[error("there is no item `{id}` in the set")]
    UnknownItem { id: String },
    /// The scenes gave too few items of some kinds.
    #[error("after {scenes} scenes there are still too few items of: {tags}")]
    TooFew {
        scenes: usize,
        /// Names of the kinds, with what is missing.
        tags: String,
    },
    #[error(transparent)]
    Tasks(#[from] TasksetError),
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A page function refused, or the page broke.
    #[error(transparent)]
    Page(#[from] PageError),
    /// The page did not settle.
    #[error(transparent)]
    Action(#[from] ActionError),
}

impl PerceptionError {
    /// For files that can't be read or understood.
    pub(super) fn unreadable(path: &Path, reason: &impl ToString) -> Self {
        Self::Unreadable { path: path.to_owned(), reason: reason.to_string() }
    }

    /// For files that can't be written.
    pub(super) fn unwritable(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Unwritable { path: path.to_owned(), source }
    }

    /// The same for a file of answers.
    pub fn of_answers(self) -> Self {
        match self {
            Self::Unreadable { path, reason } => Self::UnreadableAnswers { path, reason },
            error => error,
        }
    }
}

impl Coded for PerceptionError {
    fn code(&self) -> &str {
        match self {
            Self::Unreadable { .. } => "unreadable_set",
            Self::UnreadableAnswers { .. } => "unreadable_answers",
            Self::AnsweredTwice { .. } => "answered_twice",
            Self::Unwritable { .. } => "unwritable_set",
            Self::Taken { .. } => "set_exists",
            Self::NewerFormat { .. } => "newer_set",
            Self::NotPublished { .. } => "not_a_published_set",
            Self::UnknownItem { .. } => "unknown_item",
            Self::TooFew { .. } => "too_few_items",
            Self::Tasks(error) => error.code(),
            Self::Build(error) => error.code(),
            Self::Page(PageError::Refused { code, .. }) => code,
            Self::Page(_) => "page_failed",
            Self::Action(_) => "action_failed",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Unreadable { .. } => "`scratchbed perception build` or `import` makes a set",
            Self::UnreadableAnswers { .. } => {
                "it has one object a line: {\"id\": \"1\", \"response\": \"YES\"}, or \"error\" instead of \"response\""
            }
            Self::AnsweredTwice { .. } => "leave one line of each item",
            Self::Taken { .. } => "name another folder, or replace it with --force",
            Self::NewerFormat { .. } => "it was made by a newer scratchbed",
            Self::NotPublished { .. } => "name the folder that has tasks/ and screenshots_final/ in it",
            Self::UnknownItem { .. } => "`scratchbed perception list` shows them",
            Self::TooFew { .. } => "ask for fewer items, or for another seed",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Unwritable { .. } | Self::Build(_) | Self::Page(_) | Self::Action(_) => Blame::Testbed,
            _ => Blame::Input,
        }
    }
}
