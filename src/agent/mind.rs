//! The trait of all agents: what to look at, and what to do next.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::memory::MemoryState;
use super::model::{ModelRole, Usage};
use super::observing::Observing;
use super::turn::Turn;
use crate::model::{ActionCall, ActionReply};

/// What an agent knows when it decides.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub instruction: &'a str,
    /// Number of the action to decide, from 1.
    pub step: u32,
    /// How many decisions are allowed; `done` may be the last of them.
    pub steps: u32,
    /// What the observation showed, if the agent wanted one.
    pub observation: Option<&'a Value>,
    /// The result of the action before.
    pub last: Option<&'a ActionReply>,
}

/// What an agent decided.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    Act(ActionCall),
    /// Nothing that can be carried out. It counts as a step.
    Wasted,
}

impl From<ActionCall> for Decision {
    fn from(call: ActionCall) -> Self {
        Self::Act(call)
    }
}

/// Why an agent can't go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// Its program failed.
    #[error("the agent failed: {0}")]
    Failed(String),
    /// Its model gave several answers in a row that can't be read.
    #[error("malformed: {0}")]
    Malformed(String),
    /// Its model refused to answer.
    #[error("refused: {0}")]
    Refused(String),
    /// The conversation is longer than its model takes.
    #[error("context: {0}")]
    Context(String),
    /// Several answers in a row were cut off at the longest length.
    #[error("cut: {0}")]
    Cut(String),
    /// It has used as much of its model as one attempt may.
    #[error("{0}")]
    CapReached(String),
    /// The provider of its model gave no answer, for all requests. This says nothing of the agent.
    #[error("{0}")]
    Provider(String),
}

/// What an agent knows about its own mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Actions without the intended effect.
    pub misses: u32,
    /// How often it tried something again in another way.
    pub replans: u32,
}

/// What an agent's model has cost so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spent {
    /// Requests, those that failed included.
    pub calls: u32,
    pub usage: Usage,
    /// The same by the roles of several models.
    pub roles: BTreeMap<ModelRole, Share>,
    /// Time that went into failed requests and the waits after them: it is the provider's, not the agent's.
    pub waited: Duration,
    /// Why the model may not be asked any more, once the run's budget is spent: the attempt is owed.
    pub exhausted: Option<String>,
}

/// What one of several models has cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    pub calls: u32,
    pub usage: Usage,
}

impl Spent {
    /// Adds requests that used this, of a model in this role.
    pub(super) fn add(&mut self, role: Option<ModelRole>, calls: u32, usage: Usage) {
        self.calls += calls;
        self.usage += usage;
        if let Some(role) = role {
            let share = self.roles.entry(role).or_default();
            share.calls += calls;
            share.usage += usage;
        }
    }
}

/// Something that an agent found out, for the folder of the attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// The name of the file.
    pub name: &'static str,
    pub value: Value,
}

/// Decides on actions. One value plays one attempt.
#[async_trait]
pub trait Agent: Send {
    /// The options of the observation that it wants before its next decision; `None` for none.
    fn look(&self) -> Option<Map<String, Value>>;

    /// In whose terms it sees and acts, throughout the attempt.
    fn observing(&self) -> Observing {
        Observing::Native
    }

    /// The next action; `done` and `failed` end the attempt.
    ///
    /// # Errors
    /// When the agent can't go on.
    async fn decide(&mut self, view: View<'_>) -> Result<Decision, AgentError>;

    /// How many actions it may take instead of as many as the task allows: only for one that is not scored.
    fn allowance(&self) -> Option<u32> {
        None
    }

    /// Its mistakes so far, if it notices them.
    fn tally(&self) -> Option<Tally> {
        None
    }

    fn spent(&self) -> Spent {
        Spent::default()
    }

    /// Whether its decisions wait for a provider: that time is not the agent's, and known afterwards only.
    fn waits_for_provider(&self) -> bool {
        false
    }

    /// Tells it what agents of its run have learned so far, before its first look.
    fn recall(&mut self, _memory: MemoryState) {}

    /// Whether it wants to learn from the attempt once that is over.
    fn learns(&self) -> bool {
        false
    }

    /// Learns from the attempt, with a last look at what it made: after the last action and before judging, once, and
    /// without being told the verdict. An attempt that the testbed, the provider or the agent itself broke off teaches
    /// nothing.
    ///
    /// # Errors
    /// When it can't. The attempt is judged all the same, and that is noted.
    async fn learn(&mut self, _view: View<'_>) -> Result<(), AgentError> {
        Ok(())
    }

    /// What it leaves to the next attempt; `None` where it has changed nothing.
    fn take_memory(&mut self) -> Option<MemoryState> {
        None
    }

    /// What it found out, for the folder of the attempt.
    fn take_notes(&mut self) -> Vec<Note> {
        Vec::new()
    }

    /// What its model was asked since the last call, for the record.
    fn take_turns(&mut self) -> Vec<Turn> {
        Vec::new()
    }
}
