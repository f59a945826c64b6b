//! The words of the tables: in which states things are. The same words are shown to people.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};

/// What may be done with an experiment, an arm, or a lane.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Gate {
    /// Cells are released.
    Open,
    /// No cell is released; what runs goes on.
    Paused,
    /// No cell is released, and what runs asks no model until it goes on.
    Held,
    /// What runs ends, and its workers stop then.
    Draining,
    /// Ended: an arm whose input is wrong, or an experiment that is done.
    Closed,
}

/// The life of a cell.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum CellState {
    /// Owed: nobody works on it.
    Wanted,
    /// A worker may take it up.
    Released,
    Running,
    /// An attempt counts.
    Decided,
    /// Given up after too many failures of the testbed or a provider.
    Dead,
}

/// The life of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum AttemptState {
    Running,
    /// It ended, and its result was taken.
    Done,
    /// Nothing was heard of its worker for too long.
    Lost,
    /// Its result does not count: it came too late, was given back, or taken back by a researcher.
    Void,
}

/// How the end of an attempt counts for its cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Class {
    /// It decides the cell.
    Counts,
    /// The testbed or the judge failed.
    Infra,
    /// The provider failed.
    Provider,
}
