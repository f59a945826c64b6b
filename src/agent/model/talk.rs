//! Requests to models and their answers: settings, messages, token counts.

use std::sync::Arc;
use std::time::Duration;

use genai::adapter::AdapterKind;
use genai::chat::ReasoningEffort;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{Display, EnumIter, EnumMessage, EnumString, IntoStaticStr};

use super::{ApiKey, Budget, Part, Retries, ToolCall, ToolResult};
use crate::model::Cost;

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
    /// Responses, OpenAI's newer interface.
    #[strum(serialize = "openai-responses")]
    OpenAiResponses,
    /// Ollama's own interface.
    Ollama,
}

impl From<Dialect> for AdapterKind {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::OpenAi => Self::OpenAI,
            Dialect::Anthropic => Self::Anthropic,
            Dialect::Gemini => Self::Gemini,
            Dialect::OpenAiResponses => Self::OpenAIResp,
            Dialect::Ollama => Self::Ollama,
        }
    }
}

/// How much a model thinks before it answers, for those with such a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(EnumIter, EnumMessage, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Effort {
    /// Not at all.
    Zero,
    /// As little as can be.
    Minimal,
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
    /// As much as can be.
    Max,
}

impl From<Effort> for ReasoningEffort {
    fn from(effort: Effort) -> Self {
        match effort {
            Effort::Zero => Self::Zero,
            Effort::Minimal => Self::Minimal,
            Effort::Low => Self::Low,
            Effort::Medium => Self::Medium,
            Effort::High => Self::High,
            Effort::Max => Self::Max,
        }
    }
}

/// Which model is asked, and how.
#[derive(Debug, Clone, Default)]
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
    /// How many tokens it may think, for models with such a budget; takes the place of `effort`.
    pub thinking_tokens: Option<u32>,
    /// Fields that are added to the body of each request.
    pub extra_body: Option<Value>,
    /// Whether an empty answer is an answer; else it is asked for again.
    pub takes_empty: bool,
    /// The longest answer in tokens; the model's own limit when absent.
    pub max_tokens: Option<u32>,
    /// How long one request may take.
    pub timeout: Duration,
    /// What is done about failures that may pass.
    pub retries: Retries,
    /// What may be spent, by all clients together that share it.
    pub budget: Budget,
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
    /// What a model thought before it answered, for models that want it sent back.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reasoning: Option<String>,
    /// The parts of an answer with calls, which go back to the model instead of text and reasoning.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub parts: Vec<Part>,
    /// What came of the calls of the answer before.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub results: Vec<ToolResult>,
    /// PNGs shown with it, after the text. Records of talks leave them out: they are kept as files of their own.
    #[serde(skip)]
    pub pictures: Vec<Arc<Vec<u8>>>,
}

impl Message {
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into(), reasoning: None, parts: Vec::new(), results: Vec::new(), pictures: Vec::new() }
    }

    /// The same message with one more PNG.
    pub fn showing(mut self, png: Arc<Vec<u8>>) -> Self {
        self.pictures.push(png);
        self
    }
}

/// What a question and its answer cost, as far as the endpoint reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Tokens of the question, the talk before it included.
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Of the input: tokens that the provider had in its cache.
    pub cached_tokens: u64,
    /// Of the input: tokens that were written to the provider's cache.
    pub cache_written_tokens: u64,
    /// Of the output: tokens that the model thought.
    pub reasoning_tokens: u64,
}

impl Usage {
    /// The cost of so many requests that used this.
    pub const fn cost(&self, calls: u32) -> Cost {
        let Self { input_tokens, output_tokens, cached_tokens, cache_written_tokens, reasoning_tokens } = *self;
        Cost { seconds: 0.0, calls, input_tokens, output_tokens, cached_tokens, cache_written_tokens, reasoning_tokens }
    }
}

impl From<Cost> for Usage {
    fn from(cost: Cost) -> Self {
        let Cost { input_tokens, output_tokens, cached_tokens, cache_written_tokens, reasoning_tokens, .. } = cost;
        Self { input_tokens, output_tokens, cached_tokens, cache_written_tokens, reasoning_tokens }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.cached_tokens += other.cached_tokens;
        self.cache_written_tokens += other.cache_written_tokens;
        self.reasoning_tokens += other.reasoning_tokens;
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub text: String,
    /// What it thought before, as far as the endpoint tells.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reasoning: Option<String>,
    /// Its parts in order, if there is a call among them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub parts: Vec<Part>,
    /// Whether it was cut off at the longest length.
    pub is_cut: bool,
    /// Whether the provider's filter held it back.
    #[serde(default)]
    pub is_filtered: bool,
    /// The model, as the endpoint names it.
    pub model: String,
    pub usage: Usage,
    /// How many requests it took.
    pub tries: u32,
    /// Seconds of failed requests before it, and of the waits after them.
    #[serde(default)]
    pub waited_s: f64,
    /// Whether a run is played again, and this was the answer to the same words with other pictures.
    #[serde(skip_serializing_if = "is_false", default)]
    pub picture_differs: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
const fn is_false(value: &bool) -> bool {
    !*value
}

impl Answer {
    /// The calls of tools in it.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(Part::call)
    }
}
