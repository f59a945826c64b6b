//! How a planner is shown the editor, and what the coordinates of its models mean. All of it is part of a run's record.

use serde::{Deserialize, Serialize};

use crate::agent::Observing;
use crate::perceive::Convention;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PlannerStyle {
    /// What it is shown, besides the picture.
    pub observing: Observing,
    /// Whether the worker gets the element list; else it sees pictures only.
    pub elements: bool,
    /// What coordinates mean that the model of the role main gives itself.
    pub convention: Convention,
    /// What coordinates of the grounding model mean.
    pub ground_convention: Convention,
}
