//! In whose terms an agent sees the editor and acts on it.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumMessage, EnumString, IntoStaticStr};

/// What an agent is shown, and what its numbers refer to.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Display, EnumIter, EnumMessage, EnumString, IntoStaticStr,
)]
pub enum Observing {
    /// What the published system shows: its sections about the blocks or its element table, with the small stage.
    #[strum(serialize = "paper")]
    #[serde(rename = "paper")]
    Published,
    /// What this program's own `observe` shows.
    #[strum(serialize = "native")]
    #[serde(rename = "native")]
    Native,
    /// In composite mode: the whole project as Markdown (paper, appendix L), then the blocks of the open sprite with their
    /// numbers.
    #[strum(serialize = "markdown")]
    #[serde(rename = "markdown")]
    Markdown,
}
