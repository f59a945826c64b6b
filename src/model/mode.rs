//! The two interaction modes of ScratchWorld (paper, section 3.3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an agent acts on the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumIter, strum::EnumMessage, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Mode {
    /// Mouse and keyboard on pixels (paper, appendix D).
    Primitive,
    /// Operations on blocks (paper, appendix E and prompt P.2).
    Composite,
}
