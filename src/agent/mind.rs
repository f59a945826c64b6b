//! The trait of all agents: what to look at, and what to do next.

use async_trait::async_trait;
use serde_json::{Map, Value};

use crate::model::{ActionCall, ActionReply};

/// What an agent knows when it decides.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// What is to be done.
    pub instruction: &'a str,
    /// Number of the action to decide, from 1.
    pub step: u32,
    /// How many decisions are allowed; `done` may be the last of them.
    pub steps: u32,
    /// What the observation showed, if the agent wanted one.
    pub observation: Option<&'a Value>,
    /// What became of the action before.
    pub last: Option<&'a ActionReply>,
}

/// Why an agent can't continue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// Its model or program failed.
    #[error("the agent failed: {0}")]
    Failed(String),
}

/// What an agent knows about its own mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Actions without the intended effect.
    pub misses: u32,
    /// How often it tried something again, in another way.
    pub replans: u32,
}

/// Decides on actions. One value plays one attempt.
#[async_trait]
pub trait Agent: Send {
    /// The options of the observation that it wants before its next decision; `None` for none.
    fn look(&self) -> Option<Map<String, Value>>;

    /// The next action; `done` and `failed` end the attempt.
    ///
    /// # Errors
    /// When the agent can't continue.
    async fn decide(&mut self, view: View<'_>) -> Result<ActionCall, AgentError>;

    /// How many actions it may take instead of as many as the task allows: only for one that is not scored.
    fn allowance(&self) -> Option<u32> {
        None
    }

    /// Its mistakes so far, if it notices them.
    fn tally(&self) -> Option<Tally> {
        None
    }
}
