//! One exchange with an agent's model, as it is recorded.

use super::model::{Answer, Message, ModelRole};
use crate::model::ActionCall;

/// A request to a model, with what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// Number of the action to decide, from 1.
    pub step: u32,
    /// Which of its agent's models was asked; absent where there is only one.
    pub role: Option<ModelRole>,
    /// What it was made for: `act` when it decides on an action.
    pub purpose: &'static str,
    /// All messages of the request.
    pub sent: Vec<Message>,
    /// The answer, or why there is none.
    pub answer: Result<Answer, String>,
    /// Seconds from the first request to the answer.
    pub seconds: f64,
    /// The action that was read from the answer, or why none could be; `None` without an answer.
    pub read: Option<Result<ActionCall, String>>,
}
