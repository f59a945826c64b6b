//! The roles of models where an agent has several.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumMessage, EnumString, IntoStaticStr};

/// What a model of an agent is for.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    Display,
    EnumIter,
    EnumMessage,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ModelRole {
    /// Plans, acts and sums up.
    Main,
    /// Looks back at what was done.
    Reflect,
    /// Finds places in pictures.
    Ground,
    /// Gives texts their vectors.
    Embed,
}
