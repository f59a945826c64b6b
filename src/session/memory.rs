//! What a session remembers between calls: the numbering that actions refer to.

use serde::{Deserialize, Serialize};

use crate::model::{Element, Point};

/// The element list of the last primitive observation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observed {
    /// Number of the observation within its session, from 1.
    pub number: u64,
    /// The list that the agent was shown.
    pub elements: Vec<Element>,
    /// For each element the point that an index stands for.
    pub points: Vec<Point>,
}

/// The block numbering of the last composite observation or action.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockIndex {
    /// Identifier of the editing target that the numbers belong to.
    pub target: String,
    /// Block ids in the order of their numbers; the first has number 1.
    pub blocks: Vec<String>,
}

/// What one session remembers. All of it is forgotten when a project is loaded or the page is replaced.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// Observations made so far; never reset, so that numbers stay unique.
    pub observations: u64,
    /// The last element list, if it still stands.
    pub observed: Option<Observed>,
    /// The last block numbering, if it still stands.
    pub blocks: Option<BlockIndex>,
}

impl Memory {
    /// Forgets all numbering.
    pub fn forget(&mut self) {
        self.observed = None;
        self.blocks = None;
    }
}
