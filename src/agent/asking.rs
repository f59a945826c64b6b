//! Asking an agent's model: what it costs, and the record of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::llm::Model;
use super::model::{Answer, ModelError, ModelRole, Request, Usage};
use super::{AgentError, Spent, Turn};
use crate::model::ActionCall;

/// What a request is made for when it decides on an action.
pub const ACT: &str = "act";

/// A model as one attempt asks it.
pub(super) struct Asking {
    model: Arc<dyn Model>,
    spent: Spent,
    turns: Vec<Turn>,
}

impl Asking {
    pub(super) fn new(model: Arc<dyn Model>) -> Self {
        Self { model, spent: Spent::default(), turns: Vec::new() }
    }

    /// Asks once, at the decision of this number and for this purpose. What came of it is recorded in any case.
    ///
    /// # Errors
    /// When there is no answer, or nothing more may be spent.
    pub(super) async fn ask(
        &mut self,
        step: u32,
        purpose: &'static str,
        request: Request,
    ) -> Result<Answer, AgentError> {
        self.ask_as(None, step, purpose, request).await
    }

    /// The same of another model, in its role.
    ///
    /// # Errors
    /// When there is no answer, or nothing more may be spent.
    pub(super) async fn ask_as(
        &mut self,
        other: Option<(ModelRole, Arc<dyn Model>)>,
        step: u32,
        purpose: &'static str,
        request: Request,
    ) -> Result<Answer, AgentError> {
        let (role, model) = other.map_or_else(|| (None, Arc::clone(&self.model)), |(role, model)| (Some(role), model));
        let began = Instant::now();
        let asked = model.send(&request).await;
        let (took, sent) = (began.elapsed(), request.messages);
        let seconds = took.as_secs_f64();
        let mut turn = Turn { step, role, purpose, sent, answer: Err(String::new()), seconds, read: None };
        match asked {
            Ok(answer) => {
                self.spent.add(role, answer.tries, answer.usage);
                self.spent.waited += Duration::try_from_secs_f64(answer.waited_s).unwrap_or_default();
                turn.answer = Ok(answer.clone());
                self.turns.push(turn);
                Ok(answer)
            }
            Err(error) => {
                self.spent.add(role, error.tries(), Usage::default());
                self.spent.waited += took;
                if let ModelError::BudgetExhausted(reason) = &error {
                    self.spent.exhausted = Some(reason.clone());
                }
                turn.answer = Err(error.to_string());
                self.turns.push(turn);
                Err(class_of(&error))
            }
        }
    }

    /// Records what was read from the last answer: an action, or why none could be.
    pub(super) fn note_read(&mut self, read: Result<ActionCall, String>) {
        if let Some(turn) = self.turns.last_mut() {
            turn.read = Some(read);
        }
    }

    pub(super) fn spent(&self) -> Spent {
        self.spent.clone()
    }

    pub(super) fn take_turns(&mut self) -> Vec<Turn> {
        std::mem::take(&mut self.turns)
    }
}

/// Whose fault a missing answer is: a conversation that is too long is the agent's, all else the provider's.
fn class_of(error: &ModelError) -> AgentError {
    match error {
        ModelError::CapReached(reason) => AgentError::CapReached(reason.clone()),
        _ if error.is_context() => AgentError::Context(error.to_string()),
        _ => AgentError::Provider(error.to_string()),
    }
}
