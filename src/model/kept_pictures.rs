//! Which pictures the record of a session has.

use serde::{Deserialize, Serialize};

/// Which pictures the record of a session has. What an agent is shown does not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::EnumIter, strum::EnumMessage, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum KeptPictures {
    /// Those that the agent was shown, and one after each action.
    All,
    /// Those that the agent was shown.
    #[default]
    Agent,
    /// None.
    None,
}
