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
    /// Those that the agent was shown, and one after an action as often as pictures take no more than a twenty-fifth of the
    /// attempt's time: each for an agent that thinks, some of them for one that does not. The last one is among them.
    Sampled,
    /// Those that the agent was shown.
    #[default]
    Agent,
    /// None.
    None,
}

impl KeptPictures {
    /// Whether pictures are taken for the record alone.
    pub const fn films(self) -> bool {
        matches!(self, Self::All | Self::Sampled)
    }
}
