//! Tools that a model may call, the calls in its answers, and what goes back to it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Message;

/// A tool as a model is told of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tool {
    pub name: String,
    pub description: String,
    /// JSON Schema of its arguments: an object.
    pub schema: Value,
}

/// A call of a tool, as the model made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// What its result is sent back under.
    pub id: String,
    pub name: String,
    /// The arguments as they came. Models should give an object; a text is JSON that could not be read.
    pub args: Value,
    /// Signatures of the thoughts that led to it, where the provider gives some.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub signatures: Vec<String>,
}

/// A part of an answer with calls. Such answers go back to their model as they came, in order: providers that sign what a
/// model thought refuse anything else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Text(String),
    /// What the model thought.
    Thought(String),
    /// The provider's signature of a thought, or the thought itself, encrypted.
    Signature(String),
    Call(ToolCall),
    /// What only the provider understands.
    Other(Value),
}

impl Part {
    /// The call that it is.
    pub const fn call(&self) -> Option<&ToolCall> {
        match self {
            Self::Call(call) => Some(call),
            _ => None,
        }
    }
}

/// What came of a call, as its model is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    /// [`ToolCall::id`].
    pub id: String,
    /// The tool's name.
    pub name: String,
    pub text: String,
}

impl ToolResult {
    /// The result of a call.
    pub fn of(call: &ToolCall, text: impl Into<String>) -> Self {
        Self { id: call.id.clone(), name: call.name.clone(), text: text.into() }
    }
}

/// A request to a model: what was said, and how it may answer.
#[derive(Debug, Clone, Default)]
pub struct Request {
    pub messages: Vec<Message>,
    /// Tools of which one is to be called; none where the answer is text.
    pub tools: Arc<[Tool]>,
    /// How the provider may keep the beginning of the request for the next one; absent where it is told nothing.
    pub cache: Option<Cache>,
    pub form: AnswerForm,
}

/// What is asked of an answer's form, where it differs from request to request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnswerForm {
    /// The longest answer in tokens; the client's own limit holds where it is less.
    pub max_tokens: Option<u32>,
    /// A JSON schema that providers hold the answer to.
    pub schema: Option<Arc<serde_json::Value>>,
}

/// What of a request comes again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cache {
    /// What all requests of a conversation have in common, for providers that choose a machine by it.
    pub key: String,
    /// Places of messages, in order: the next request begins with all up to such a message. Providers take up to four.
    pub ends: Vec<usize>,
}

impl From<&[Message]> for Request {
    fn from(messages: &[Message]) -> Self {
        Self { messages: messages.to_vec(), ..Self::default() }
    }
}
