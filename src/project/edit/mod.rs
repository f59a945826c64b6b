//! Atomic edits of a project's blocks, as faults are injected and repaired by them (ScratchEval, section 3: remove, add and modify,
//! each of one block): application, all or nothing, and the inverse of what was applied.
//!
//! `apply` carries edits out, one of them in `editing` and `filling`; `inverse` finds those that undo them; `blocks`, `slots` and `scope`
//! are the JSON underneath. `set` compares patches by what they come to, which `difference` and `placing` read from two projects.
//! Variables, lists, costumes, sounds, sprites, monitors and initial values are out of reach, except that a message which an edit names
//! is declared. Which edit is worth making, and what it does to the program, is not known here.

mod apply;
mod blocks;
mod canonical;
mod difference;
mod editing;
mod error;
mod filling;
#[cfg(test)]
pub(crate) mod fixture;
mod inverse;
mod placing;
mod scope;
mod set;
#[cfg(test)]
mod set_tests;
mod slots;
#[cfg(test)]
mod tests;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

pub use apply::apply;
pub use blocks::{drop_lost_comments, remove_tree};
pub use canonical::canonical;
pub use difference::edit_set;
pub use error::{EditError, Stage};
pub use inverse::inverse;
pub(crate) use scope::undeclare;
pub use set::{Anchor, At, Canonical, Content, EditSet, NormalEdit, Step, edit_distance};

use crate::view::{Block, Slot, TargetView};

/// Edits in the order in which they are made; ids of added blocks may be used by later ones.
pub type Patch = Vec<Edit>;

/// One edit of one block. A target is named by its name, the stage by `Stage`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Takes a block away with all that is in its slots and mouths. What is above it gets what is below it; a hat leaves its stack.
    Remove {
        sprite_id: String,
        block_id: String,
        /// Put what is in its first mouth, or for a reporter in its first slot, in its place.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        splice: bool,
    },
    /// Puts a new block below another, into a slot or mouth of it, or at the beginning of a script.
    Add {
        sprite_id: String,
        /// The block above, or the one with the slot; none for a new script.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<String>,
        /// The slot or mouth of `parent` that it goes into; without, it goes below `parent`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<String>,
        /// Where a new script lies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<(Number, Number)>,
        /// What comes below it; left out, what was there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
        block: Box<NewBlock>,
        /// Ids of blocks that the edit makes, each with the one before which it stands in the file, or null for the end. Left out, a
        /// block stands after the one above it and all that that holds, and a first block at the end.
        #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
        #[schemars(skip)]
        order: IndexMap<String, Option<String>>,
    },
    /// Changes the opcode, a field or a slot of a block.
    Modify {
        sprite_id: String,
        block_id: String,
        /// `opcode`, `fields/NAME` or `inputs/NAME`.
        path: String,
        value: Operand,
    },
}

/// A block to add. Slots that are left out show what the palette has there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBlock {
    pub id: String,
    pub opcode: String,
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub fields: IndexMap<String, Operand>,
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub inputs: IndexMap<String, Operand>,
    /// Ids of the menus in its slots, by slot; made up where left out.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(skip)]
    pub menus: IndexMap<String, String>,
}

/// What a field or slot holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Operand {
    /// A block that is there: in a mouth with what follows it, up to what comes below the edited block.
    Block(Adopted),
    /// A variable, list or message: its name and its id.
    Named(String, String),
    /// A value, or the choice of a menu.
    Literal(Literal),
}

/// A block that is there, by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Adopted {
    pub block: String,
}

/// A plain value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Literal {
    Text(String),
    Number(Number),
    Bool(bool),
}

impl NewBlock {
    /// A copy of a block without what lies in its mouths, under a new id; `None` where a reporter lies in a slot, or a mouth is filled.
    pub fn copy(target: TargetView<'_>, block: &Block<'_>, id: String) -> Option<Self> {
        let value = |name: String, id: Option<&str>| match id {
            Some(id) => Operand::Named(name, id.to_owned()),
            None => Operand::Literal(Literal::Text(name)),
        };
        let mut new = Self { id, opcode: block.opcode.to_owned(), ..Self::default() };
        for field in block.fields() {
            new.fields.insert(field.name.to_owned(), value(field.value, field.id));
        }
        for input in block.inputs() {
            let held = match input.value? {
                Slot::Primitive(primitive) => value(primitive.value, primitive.id),
                Slot::Block(held) => {
                    let menu = target.block(held).filter(|held| held.shadow)?;
                    value(menu.fields().next()?.value, None)
                }
            };
            new.inputs.insert(input.name.to_owned(), held);
        }
        Some(new)
    }
}

impl Literal {
    /// As the project's file has it.
    pub fn json(&self) -> Value {
        match self {
            Self::Text(text) => Value::String(text.clone()),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Bool(flag) => Value::Bool(*flag),
        }
    }

    /// The value in a file, if it is a plain one.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Number(number) => Some(Self::Number(number.clone())),
            Value::Bool(flag) => Some(Self::Bool(*flag)),
            _ => None,
        }
    }
}

impl Edit {
    /// The target that it is in.
    pub fn sprite_id(&self) -> &str {
        let (Self::Remove { sprite_id, .. } | Self::Add { sprite_id, .. } | Self::Modify { sprite_id, .. }) = self;
        sprite_id
    }

    /// The block that it removes, adds or changes.
    pub fn block_id(&self) -> &str {
        match self {
            Self::Remove { block_id, .. } | Self::Modify { block_id, .. } => block_id,
            Self::Add { block, .. } => &block.id,
        }
    }
}
