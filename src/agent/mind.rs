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
    /// How many actions are allowed.
    pub steps: u32,
    /// What the observation showed, if the agent wanted one.
    pub observation: Option<&'a Value>,
    /// What became of the action before.
    pub last: Option<&'a ActionReply>,
}

/// Why an agent can't go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// Its model or program failed.
    #[error("the agent failed: {0}")]
    Failed(String),
}

/// Decides on actions. One value plays one attempt.
#[async_trait]
pub trait Agent: Send {
    /// The options of the observation that it wants before its next decision; `None` for none.
    fn look(&self) -> Option<Map<String, Value>>;

    /// The next action; `done` and `failed` end the attempt.
    ///
    /// # Errors
    /// When the agent can't go on.
    async fn decide(&mut self, view: View<'_>) -> Result<ActionCall, AgentError>;
}
