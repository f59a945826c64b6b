//! Labels and slots of blocks, as `page/js/notation/fn/notation-catalogue.js` read them from the running editor.
//!
//! The snapshot is part of the program, so that projects can be printed without a browser; a test compares it
//! with the editor.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The blocks of the editor, offered ones first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// Extensions whose blocks are described.
    pub extensions: Vec<String>,
    pub blocks: IndexMap<String, Entry>,
    /// Hashes of all labels that the notation's parser or the editor gives a meaning.
    pub reserved: BTreeSet<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about a block")]
pub struct Entry {
    /// `stack`, `cap`, `hat`, `reporter` or `boolean`.
    pub shape: String,
    /// Its label as the notation's parser hashes it.
    pub hash: String,
    /// Whether the palette offers it.
    pub palette: bool,
    /// Whether the parser needs to know that it has a mouth.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub braces: bool,
    /// What must follow `::` for the parser to see the right shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Its label: words and slots.
    pub parts: Vec<Part>,
    /// Whether an offered block reads the same, so that this one is written by its opcode.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shadowed: bool,
    /// Whether what the project names alike goes before it: variables, lists and blocks of one's own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub yields: bool,
}

/// A word or slot of a label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Part {
    Words(String),
    Field {
        field: String,
        /// `menu`, `variable`, `list`, `broadcast` or `value`.
        kind: String,
        /// Whether it also takes names of the project's things.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        open: bool,
        /// Fixed entries: label and value.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        options: Vec<(String, String)>,
    },
    /// A slot for a value.
    Input {
        input: String,
        /// Whether only predicates fit.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        boolean: bool,
        /// Type of the default in it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shadow: Option<String>,
        /// What the palette puts there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
    },
    Statement {
        statement: String,
    },
}

impl Part {
    /// The name of the slot, choice or mouth; words have none.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Words(_) => None,
            Self::Field { field, .. } => Some(field),
            Self::Input { input, .. } => Some(input),
            Self::Statement { statement } => Some(statement),
        }
    }
}

/// What a slot's default holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotKind<'a> {
    Number,
    Text,
    Colour,
    /// A choice, in the named field of a menu block.
    Menu(&'a str),
    /// Nothing known: the form of what is there decides.
    Unknown,
}

/// A choice with its fixed entries.
#[derive(Debug, Clone, Copy)]
pub struct Menu<'a> {
    pub field: &'a str,
    /// Fixed entries: label and value.
    pub options: &'a [(String, String)],
    /// Whether it also takes names of the project's things.
    pub open: bool,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the snapshot is compiled in and a unit test reads it")]
    serde_json::from_str(include_str!("catalogue.json")).expect("the catalogue's snapshot is valid")
});

impl Catalogue {
    /// The snapshot of the pinned editor.
    pub fn pinned() -> &'static Self {
        &CATALOGUE
    }

    /// What a slot with this default holds.
    pub fn slot_kind(&self, shadow: Option<&str>) -> SlotKind<'_> {
        match shadow {
            Some(
                "math_number"
                | "math_integer"
                | "math_whole_number"
                | "math_positive_number"
                | "math_angle"
                | "note"
                | "matrix",
            ) => SlotKind::Number,
            Some("text") => SlotKind::Text,
            Some("colour_picker") => SlotKind::Colour,
            Some(menu) => self.menu(menu).map_or(SlotKind::Unknown, |menu| SlotKind::Menu(menu.field)),
            None => SlotKind::Unknown,
        }
    }

    /// The one choice of a menu block.
    pub fn menu(&self, opcode: &str) -> Option<Menu<'_>> {
        self.blocks.get(opcode)?.parts.iter().find_map(|part| match part {
            // A message stands for itself, like a name of the project.
            Part::Field { field, kind, open, options } => Some(Menu { field, options, open: *open || kind != "menu" }),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_snapshot_reads_and_writes_back_the_same() {
        let raw: serde_json::Value = serde_json::from_str(include_str!("catalogue.json")).unwrap();
        // The table is too long to be printed on failure.
        assert!(serde_json::to_value(Catalogue::pinned()).unwrap() == raw);
    }

    #[test]
    fn slots_know_what_they_hold() {
        let catalogue = Catalogue::pinned();
        assert_eq!(catalogue.slot_kind(Some("math_angle")), SlotKind::Number);
        assert_eq!(catalogue.slot_kind(Some("motion_goto_menu")), SlotKind::Menu("TO"));
        assert_eq!(catalogue.slot_kind(None), SlotKind::Unknown);
    }
}
