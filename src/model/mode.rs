//! The two interaction modes of ScratchWorld (paper, section 3.3).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an agent acts on the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Mouse and keyboard on pixels (paper, appendix D).
    Primitive,
    /// Operations on blocks (paper, appendix E and prompt P.2).
    Composite,
}

impl Mode {
    /// The name used in routes, files and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Primitive => "primitive",
            Self::Composite => "composite",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
