//! What a patch made of a project, read from both: which blocks are new, changed or gone. And marks, which findings are made of.

use serde_json::Value;

use super::{Code, Finding};
use crate::patches::effects::{Line, Program};
use crate::project::view::target;

/// Something that was found at a place. Two of them are the same if they are about the same, wherever that is said.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    code: Code,
    sprite: String,
    /// The block it is at.
    block: String,
    /// What it is about: a block, a variable or a message.
    about: String,
    message: String,
}

impl Mark {
    /// One about a block.
    pub(super) fn at(code: Code, sprite: &str, block: &str, message: String) -> Self {
        Self { code, sprite: sprite.to_owned(), block: block.to_owned(), about: block.to_owned(), message }
    }

    /// One about a statement; the message is completed by where it is.
    pub(super) fn of_line(code: Code, line: &Line<'_>, message: &str) -> Self {
        let block = line.statement.block.id;
        Self::at(code, &line.sprite, block, format!("{message} (block {block} of {})", line.sprite))
    }

    /// The same, about something else than its block.
    pub(super) fn about(self, about: &str) -> Self {
        Self { about: about.to_owned(), ..self }
    }

    /// Whether it is at this block.
    pub(super) fn is_at(&self, sprite: &str, block: &str) -> bool {
        self.sprite == sprite && self.block == block
    }

    /// What is said of it.
    pub(super) fn of(&self, edit: Option<usize>) -> Finding {
        Finding { code: self.code, edit, message: self.message.clone() }
    }

    fn key(&self) -> (Code, &str, &str) {
        (self.code, &self.sprite, &self.about)
    }
}

impl PartialEq for Mark {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Mark {}

impl PartialOrd for Mark {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Mark {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// A project before and after.
pub(super) struct Change<'a> {
    pub(super) before: Program<'a>,
    pub(super) after: Program<'a>,
}

impl<'a> Change<'a> {
    pub(super) fn between(before: &'a Value, after: &'a Value) -> Self {
        Self { before: Program::of(before), after: Program::of(after) }
    }

    /// Whether a statement was not there before.
    pub(super) fn is_new(&self, line: &Line<'_>) -> bool {
        raw(self.before.json, &line.sprite, line.statement.block.id).is_none()
    }

    /// Whether a statement is new, is another one, or holds something else in its own slots and fields.
    pub(super) fn is_touched(&self, line: &Line<'_>) -> bool {
        let of = |json: &'a Value| {
            let block = raw(json, &line.sprite, line.statement.block.id)?;
            Some((&block["opcode"], &block["inputs"], &block["fields"]))
        };
        of(self.before.json) != of(self.after.json)
    }
}

/// A block as the file has it.
fn raw<'a>(json: &'a Value, sprite: &str, block: &str) -> Option<&'a Value> {
    target(json, sprite)?.get("blocks")?.get(block)
}
