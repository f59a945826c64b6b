//! What a text can't say of a project. Each is found while the text is printed, with its place; docs/PROJECT-TEXT.md lists them.

use std::fmt;

/// Something of a project that its text leaves out or says otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The sprite or `Stage`; empty for the project as a whole.
    pub target: String,
    /// The line of notation that stands for the block, where it is one of a script.
    pub line: Option<String>,
    pub kind: LossKind,
}

/// Kinds of losses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LossKind {
    /// The place for a condition holds a plain value, which is written as empty.
    #[error("a condition holds the value {0:?}, and only <…> can stand there")]
    ConditionValue(String),
    /// A slot without any value is written as one with an empty text, which Scratch reads otherwise.
    #[error("the slot {slot} of {opcode} holds nothing, and a text would hold an empty value")]
    NoValue { opcode: String, slot: String },
    /// A plain value that is `true`, `false` or `null` in the file: Scratch takes the text of that name for another one.
    #[error("the value {0} is no text in the file, and the text of that name counts otherwise")]
    TypedValue(String),
    /// A colour that is written otherwise than `#rrggbb`: Scratch loads such a project only as long as the colour is a block of its own.
    #[error("{0:?} is no colour such as #00a651")]
    Colour(String),
    /// No block of the editor, nor of one of its extensions.
    #[error("{0} is no block that can be built")]
    UnknownBlock(String),
    /// A block has a slot or choice that the editor's block of that kind lacks.
    #[error("{opcode} has no slot or choice {slot}")]
    UnknownSlot { opcode: String, slot: String },
    /// A block lacks a choice.
    #[error("{opcode} lacks its choice {field}")]
    NoChoice { opcode: String, field: String },
    /// A value or stack where the editor allows none such.
    #[error("{inner} can't stand in the slot {slot} of {opcode}")]
    Misfit { opcode: String, slot: String, inner: String },
    /// A block that nothing can follow is followed, or one that begins a script stands in it.
    #[error("{below} can't stand below {opcode}")]
    NotBelow { opcode: String, below: String },
    /// A variable or list that is not declared; Scratch makes one when the project is loaded.
    #[error("the {kind} {name:?} is declared nowhere")]
    Undeclared { kind: &'static str, name: String },
    /// A reference to a variable has the id of a list, or the other way round.
    #[error("{name:?} is used as a {kind} and declared as something else")]
    OtherKind { kind: &'static str, name: String },
    /// The form that would say which one is meant is another one's name.
    #[error("another one is named like the {kind} {name:?} would be written")]
    Unnameable { kind: &'static str, name: String },
    /// Two blocks of one's own that the notation can't tell apart.
    #[error("two blocks of this sprite read alike: {0:?} and {1:?}")]
    SameWords(String, String),
    /// A block of one's own whose words or parameters can't be read back.
    #[error("the block of one's own {0:?} can't be written: {1}")]
    Procedure(String, &'static str),
    /// Two sprites have one name; the second is written with a number.
    #[error("a second sprite is named {0:?}, and is written as {1:?}")]
    SameSprite(String, String),
    /// A message that no receiver of its name gets, because it is not declared.
    #[error("the message {0:?} is declared nowhere, so that nothing sends it")]
    Message(String),
    /// The project does not contain a costume's picture or a sound.
    #[error("the project does not contain {0}")]
    NoAsset(String),
    /// A variable or item holds what Scratch has no notation for.
    #[error("{0:?} holds a list or an object in place of a value")]
    NestedValue(String),
    /// A monitor that shows nothing which is declared, or whose choice can't be written.
    #[error("a monitor can't be written: {0}")]
    Monitor(String),
}

impl LossKind {
    /// A stable name of the kind.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ConditionValue(_) => "condition_value",
            Self::NoValue { .. } => "no_value",
            Self::TypedValue(_) => "typed_value",
            Self::Colour(_) => "colour",
            Self::UnknownBlock(_) => "unknown_block",
            Self::UnknownSlot { .. } => "unknown_slot",
            Self::NoChoice { .. } => "no_choice",
            Self::Misfit { .. } => "misfit",
            Self::NotBelow { .. } => "not_below",
            Self::Undeclared { .. } => "undeclared",
            Self::OtherKind { .. } => "other_kind",
            Self::Unnameable { .. } => "unnameable",
            Self::SameWords(..) => "same_words",
            Self::Procedure(..) => "procedure",
            Self::SameSprite(..) => "same_sprite",
            Self::Message(_) => "message",
            Self::NoAsset(_) => "no_asset",
            Self::NestedValue(_) => "nested_value",
            Self::Monitor(_) => "monitor",
        }
    }
}

impl Loss {
    /// A stable name of the kind of loss.
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.target.is_empty() {
            write!(out, "{}: ", self.target)?;
        }
        if let Some(line) = &self.line {
            write!(out, "`{line}`: ")?;
        }
        write!(out, "{}", self.kind)
    }
}
