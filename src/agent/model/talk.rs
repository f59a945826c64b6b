//! Requests to models and their answers: settings, messages, token counts.

use std::sync::Arc;
use std::time::Duration;

use genai::adapter::AdapterKind;
use genai::chat::ReasoningEffort;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumMessage, EnumString, IntoStaticStr};

use super::{ApiKey, Retries};

/// What an endpoint understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Display, EnumIter, EnumMessage, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Dialect {
    /// Chat completions as OpenAI has them and most servers of open models.
    #[default]
    OpenAi,
    /// Messages as Anthropic has them.
    Anthropic,
    /// Contents as Google's Gemini has them.
    Gemini,
}

impl From<Dialect> for AdapterKind {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::OpenAi => Self::OpenAI,
            Dialect::Anthropic => Self::Anthropic,
            Dialect::Gemini => Self::Gemini,
        }
    }
}

/// How much a model thinks before it answers, for those with such a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(EnumIter, EnumMessage, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Effort {
    /// As little as can be.
    Minimal,
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

impl From<Effort> for ReasoningEffort {
    fn from(effort: Effort) -> Self {
        match effort {
            Effort::Minimal => Self::Minimal,
            Effort::Low => Self::Low,
            Effort::Medium => Self::Medium,
            Effort::High => Self::High,
        }
    }
}

/// Which model is asked, and how.
#[derive(Debug, Clone)]
pub struct ModelSettings {
    /// Base address of the endpoint, such as `http://localhost:8000/v1`.
    pub endpoint: String,
    pub dialect: Dialect,
    /// Name of the model, as the endpoint knows it.
    pub model: String,
    /// Its key, where it wants one.
    pub key: Option<ApiKey>,
    /// How freely it answers; the model's default when absent.
    pub temperature: Option<f64>,
    /// Share of the likeliest words that it chooses from, above 0 to 1; the model's default when absent.
    pub top_p: Option<f64>,
    /// How much it thinks first; the model's default when absent.
    pub effort: Option<Effort>,
    /// The longest answer in tokens; the model's own limit when absent.
    pub max_tokens: Option<u32>,
    /// How long one request may take.
    pub timeout: Duration,
    /// What is done about failures that may pass.
    pub retries: Retries,
}

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The system prompt.
    System,
    /// The asker.
    User,
    /// The model.
    Assistant,
}

/// A part of a talk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    pub role: Role,
    pub text: String,
    /// A PNG shown with it. Records of talks leave it out: it is kept as a file of its own.
    #[serde(skip)]
    pub picture: Option<Arc<Vec<u8>>>,
}

impl Message {
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into(), picture: None }
    }

    /// The same message with a PNG.
    pub fn showing(mut self, png: Arc<Vec<u8>>) -> Self {
        self.picture = Some(png);
        self
    }
}

/// What a question and its answer cost, as far as the endpoint reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the question, the talk before it included.
    pub input_tokens: u64,
    pub output_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub text: String,
    /// Whether it was cut off at the longest length.
    pub is_cut: bool,
    /// The model, as the endpoint names it.
    pub model: String,
    pub usage: Usage,
    /// How many requests it took.
    pub tries: u32,
}
