//! The loop: each request is complete in itself, with the agent's own notes of its last turns.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::answer::read_reply;
use super::learning::{TRAJECTORIES, WORKFLOWS, add, chosen, read_judgement, workflows_in};
use super::path::Path;
use super::prompts::AwmPrompts;
use crate::agent::asking::{ACT, Asking};
use crate::agent::llm::{Model, Style, look, question};
use crate::agent::memory::MemoryState;
use crate::agent::model::{Message, Request, Role};
use crate::agent::{Agent, AgentError, Decision, Note, Observing, Spent, TemplateError, Turn, View};
use crate::model::Mode;

/// What the request for a self-judgement is called in records.
const JUDGE: &str = "judge";
/// What the request for workflows is called in records.
const INDUCE: &str = "induce";

/// Whether and how an agent learns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Learning {
    /// It does not, and does not judge itself either.
    No,
    /// It does; the seed decides from which of many trajectories.
    Seeded(String),
}

/// Asks a model for each action, and afterwards what there was to learn.
pub struct AwmAgent {
    asking: Asking,
    prompts: AwmPrompts,
    mode: Mode,
    style: Style,
    learning: Learning,
    memory: MemoryState,
    path: Path,
    left: Option<MemoryState>,
    notes: Vec<Note>,
}

impl AwmAgent {
    /// An agent for one attempt. Of the style only what the model sees is heeded.
    pub fn new(model: Arc<dyn Model>, prompts: AwmPrompts, mode: Mode, style: Style, learning: Learning) -> Self {
        let (asking, memory, path) = (Asking::new(model), MemoryState::default(), Path::default());
        Self { asking, prompts, mode, style, learning, memory, path, left: None, notes: Vec::new() }
    }

    /// Asks the model whether the attempt was a success.
    async fn judge(&mut self, view: View<'_>) -> Result<bool, AgentError> {
        let seen = question(view, self.mode, &self.style);
        let text = self.prompts.judge(view.instruction, self.mode, &self.path.actions(), &seen.text);
        let asked = Message { text: text.map_err(|error| unusable(&error))?, ..seen };
        let answer = self.asking.ask(view.step, JUDGE, Request::from(&[asked][..])).await?;
        let judgement = read_judgement(&answer.text);
        let is_success = judgement.is_success();
        self.notes.push(judgement.note());
        Ok(is_success)
    }

    /// Has the model write down the workflows in what worked.
    async fn induce(&mut self, step: u32, seed: &str, memory: &MemoryState) -> Result<String, AgentError> {
        let trajectories = chosen(memory.get(TRAJECTORIES), seed)?;
        let text = self.prompts.induce(self.mode, &trajectories.iter().collect::<Vec<_>>());
        let asked = Message::new(Role::User, text.map_err(|error| unusable(&error))?);
        let answer = self.asking.ask(step, INDUCE, Request::from(&[asked][..])).await?;
        workflows_in(&answer.text)
    }
}

#[async_trait]
impl Agent for AwmAgent {
    fn look(&self) -> Option<Map<String, Value>> {
        Some(look(self.mode, &self.style, true))
    }

    fn observing(&self) -> Observing {
        self.style.observing
    }

    async fn decide(&mut self, view: View<'_>) -> Result<Decision, AgentError> {
        let known = self.memory.get(WORKFLOWS);
        let system = self.prompts.system(view.instruction, self.mode, &self.style, known);
        let system = Message::new(Role::System, system.map_err(|error| unusable(&error))?);
        let seen = question(view, self.mode, &self.style);
        let text = self.prompts.turn(&seen.text, view.step, &self.path).map_err(|error| unusable(&error))?;
        let answer = self.asking.ask(view.step, ACT, Request::from(&[system, Message { text, ..seen }][..])).await?;
        let reply = read_reply(&answer.text);
        self.asking.note_read(reply.call.clone().map_err(|fault| fault.to_string()));
        self.path.add(view.step, &reply);
        Ok(reply.call.map_or(Decision::Wasted, Decision::Act))
    }

    fn recall(&mut self, memory: MemoryState) {
        self.memory = memory;
    }

    fn learns(&self) -> bool {
        self.learning != Learning::No
    }

    async fn learn(&mut self, view: View<'_>) -> Result<(), AgentError> {
        let Learning::Seeded(seed) = self.learning.clone() else { return Ok(()) };
        if !self.judge(view).await? {
            return Ok(());
        }
        let mut memory = self.memory.clone();
        memory.put(TRAJECTORIES, add(memory.get(TRAJECTORIES), &self.path.trajectory(view.instruction)));
        // What worked is known from now on, even if no workflows can be had of it this time.
        self.left = Some(memory.clone());
        let workflows = self.induce(view.step, &seed, &memory).await?;
        memory.put(WORKFLOWS, workflows);
        self.left = Some(memory);
        Ok(())
    }

    fn take_memory(&mut self) -> Option<MemoryState> {
        self.left.take()
    }

    fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    fn spent(&self) -> Spent {
        self.asking.spent()
    }

    fn waits_for_provider(&self) -> bool {
        true
    }

    fn take_turns(&mut self) -> Vec<Turn> {
        self.asking.take_turns()
    }
}

fn unusable(error: &TemplateError) -> AgentError {
    AgentError::Failed(error.to_string())
}

#[cfg(test)]
#[path = "agent_tests.rs"]
mod tests;
