//! An agent that asks a language model: what it is sent, how its answers are read, what it is told of its mistakes.
//!
//! `style` says how, as two named protocols and their switches; `prompts` makes the system message from the registry and
//! `blocks` its part about blocks; `turn_text` makes what is sent each turn; `history` keeps the conversation within
//! bounds; `answer` reads calls from answers; `agent` is the loop. Models are asked through [`Model`]: behind an endpoint, or,
//! with `answers`, from what they answered before.

mod agent;
mod answer;
mod answers;
mod blocks;
mod history;
mod prompts;
mod style;
pub(super) mod turn_text;

use async_trait::async_trait;

pub use agent::LlmAgent;
pub(super) use agent::to_page;
pub use answer::{Fault, read_call};
pub use answers::{AnswerStore, Answered, Remembering};
pub use prompts::{Prompts, PromptsError};
pub use style::{History, Protocol, Style};

use super::model::{Answer, Message, ModelClient, ModelError};

/// What answers.
#[async_trait]
pub trait Model: Send + Sync {
    /// The answer to the last message.
    ///
    /// # Errors
    /// When there is none after all tries.
    async fn ask(&self, messages: &[Message]) -> Result<Answer, ModelError>;
}

#[async_trait]
impl Model for ModelClient {
    async fn ask(&self, messages: &[Message]) -> Result<Answer, ModelError> {
        Self::ask(self, messages).await
    }
}
