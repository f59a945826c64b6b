//! Which generation of the Scratch editor is meant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A generation of the Scratch editor. They differ in layout and in how drags connect, so that what was measured in one
/// is not compared with what was measured in the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumIter, strum::EnumMessage, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum EditorGeneration {
    /// The editor of today, in which everything works.
    #[default]
    Current,
    /// The one in which the published single drags were made: scratch-gui 5.
    Reference,
}

impl EditorGeneration {
    /// Whether it is the default one, which records leave out.
    pub const fn is_current(&self) -> bool {
        matches!(self, Self::Current)
    }
}
