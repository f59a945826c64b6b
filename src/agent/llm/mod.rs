//! An agent that asks a language model: what it is sent, how its answers are read, what it is told of its mistakes.
//!
//! `style` says how, as two named protocols and their switches; `prompts` makes the system message from the registry and
//! `blocks` its part about blocks; `turn_text` makes what is sent each turn; `history` keeps the conversation within
//! bounds; `answer` reads calls from text and `tool_answer` from tool calls; `agent` is the loop. Models are asked through [`Model`]: behind an endpoint, or,
//! with `answers`, from what they answered before.

mod agent;
mod answer;
mod answers;
mod blocks;
mod history;
mod prompts;
mod style;
mod tool_answer;
pub(super) mod turn_text;

use async_trait::async_trait;

pub use agent::LlmAgent;
pub(super) use agent::to_page;
pub use answer::{Fault, read_call};
pub(in crate::agent) use answer::{call_of, looked_at};
pub use answers::{AnswerStore, Answered, Remembering};
pub(in crate::agent) use prompts::system_values;
pub use prompts::{Prompts, PromptsError};
pub use style::{Answers, History, Protocol, Style};
pub(in crate::agent) use turn_text::{look, question};

use super::model::{Answer, Message, ModelClient, ModelError, Request};

/// What answers.
#[async_trait]
pub trait Model: Send + Sync {
    /// The answer to a request.
    ///
    /// # Errors
    /// When there is none after all tries.
    async fn send(&self, request: &Request) -> Result<Answer, ModelError>;

    /// The answer to the last message, in text.
    ///
    /// # Errors
    /// When there is none after all tries.
    async fn ask(&self, messages: &[Message]) -> Result<Answer, ModelError> {
        self.send(&Request::from(messages)).await
    }
}

#[async_trait]
impl Model for ModelClient {
    async fn send(&self, request: &Request) -> Result<Answer, ModelError> {
        Self::send(self, request).await
    }
}
