//! A conversation with a model: each question includes the previous exchanges, and each exchange is stored.

use serde::de::DeserializeOwned;
use serde_json::json;

use super::decode::decode;
use super::record::Record;
use crate::agent::model::{Message, ModelClient, Role, Usage};
use crate::author::{AuthorError, prompts};

#[derive(Debug)]
pub(super) struct Conversation<'a> {
    client: &'a ModelClient,
    record: &'a mut Record,
    messages: Vec<Message>,
    /// What it has cost so far.
    pub usage: Usage,
}

impl<'a> Conversation<'a> {
    /// A conversation that begins with the system prompt.
    pub fn new(client: &'a ModelClient, record: &'a mut Record) -> Result<Self, AuthorError> {
        let system = prompts::SYSTEM.fill(json!({}))?;
        Ok(Self { client, record, messages: vec![Message::new(Role::System, system)], usage: Usage::default() })
    }

    pub const fn record(&self) -> &Record {
        self.record
    }

    /// Asks; the answer becomes part of the conversation.
    pub async fn ask(&mut self, question: String) -> Result<String, AuthorError> {
        self.messages.push(Message::new(Role::User, question));
        let answer = self.client.ask(&self.messages).await;
        self.record.exchange(&self.messages, &answer)?;
        let answer = answer?;
        self.usage += answer.usage;
        if answer.is_cut {
            tracing::warn!("the model's answer was cut off at its longest length");
        }
        self.messages.push(Message::new(Role::Assistant, answer.text.as_str()));
        Ok(answer.text)
    }

    /// Asks for JSON, and once more with the parse error if the answer is not JSON.
    pub async fn ask_json<T: DeserializeOwned>(&mut self, question: String, list: &str) -> Result<T, AuthorError> {
        let answer = self.ask(question).await?;
        let error = match decode(&answer, list) {
            Ok(found) => return Ok(found),
            Err(error) => error,
        };
        let answer = self.ask(prompts::REPAIR.fill(json!({ "error": error }))?).await?;
        decode(&answer, list).map_err(|reason| AuthorError::Undecodable { reason })
    }
}
