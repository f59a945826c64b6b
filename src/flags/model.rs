//! Which model is asked and how: arguments that all subcommands with a model share.

use std::fmt::Display;
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use clap::Args;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use super::named::named;
use scratchbed::agent::model::{ApiKey, Budget, Dialect, Effort, ModelClient, ModelError, ModelSettings, Retries};

/// How a model answers where the user says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Preset {
    pub temperature: Option<f64>,
    /// Share of the likeliest words.
    pub top_p: Option<f64>,
    /// The longest answer in tokens.
    pub max_tokens: Option<u32>,
    /// How much it thinks first.
    pub effort: Option<Effort>,
    /// How often and after how long a request is made again.
    pub retries: Option<Retries>,
    /// How long one request may take.
    pub timeout: Option<Duration>,
    /// Fields that are added to each request.
    pub extra_body: Option<&'static str>,
    /// Whether an empty answer is an answer.
    pub takes_empty: bool,
}

/// What the user says of the way of answering beside a preset, as flags with their values.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// Those that say otherwise than the preset.
    pub against: Vec<String>,
    /// Those of which the preset says nothing.
    pub unnamed: Vec<String>,
}

/// Fields of a request that presets set.
const OF_PRESETS: [&str; 5] = ["temperature", "top_p", "max_tokens", "max_completion_tokens", "n"];

/// A flag with a value that is not the preset's.
fn other<T: PartialEq + Display>(flag: &str, given: Option<T>, preset: Option<T>) -> Option<String> {
    let (given, preset) = given.zip(preset)?;
    (given != preset).then(|| format!("{flag} {given}"))
}

/// Which model.
#[derive(Debug, Clone, Args)]
pub struct ModelName {
    /// Base address of an endpoint, such as http://localhost:8000/v1.
    #[arg(long, value_name = "URL")]
    pub endpoint: String,
    /// The model's name at the endpoint.
    #[arg(long, value_name = "NAME")]
    pub model: String,
}

impl ModelName {
    /// Whether the reference asks it to think briefly instead of telling it how freely to answer: its name has `gpt-5`
    /// in it, as `openai/gpt-5-mini` has.
    pub fn is_gpt5(&self) -> bool {
        self.model.to_lowercase().contains("gpt-5")
    }
}

/// How it is asked.
#[derive(Debug, Clone, Args)]
pub struct ModelArgs {
    /// What the endpoint speaks.
    #[arg(long, value_parser = named::<Dialect>(), default_value_t)]
    dialect: Dialect,
    /// The environment variable that holds the endpoint's key; without it none is sent.
    #[arg(long, value_name = "VARIABLE")]
    api_key_env: Option<String>,
    /// How freely the model answers, 0 to 2.
    #[arg(long, value_name = "T", value_parser = temperature)]
    temperature: Option<f64>,
    /// Share of the likeliest words that the model chooses from, above 0 to 1.
    #[arg(long, value_name = "P", value_parser = share)]
    top_p: Option<f64>,
    /// How much the model thinks before it answers, for models that take such a setting.
    #[arg(long, value_parser = named::<Effort>())]
    effort: Option<Effort>,
    /// How many tokens the model may think before it answers, for models that take such a budget.
    #[arg(long, value_name = "N", conflicts_with = "effort")]
    thinking_tokens: Option<u32>,
    /// Fields that are added to the body of each request, as a JSON object.
    #[arg(long, value_name = "JSON", value_parser = json_object)]
    extra_body: Option<Value>,
    /// The longest answer in tokens; the endpoint's limit when absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,
    /// Seconds that one request may take; 300 by default.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// Further tries when the endpoint is busy, broken or slow, 4 by default; `Retry-After` is heeded.
    #[arg(long, value_name = "N")]
    request_retries: Option<u32>,
}

/// A model of a role, and how it is asked: settings by the names of the flags.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RoleModel {
    pub model: String,
    pub endpoint: Option<String>,
    #[serde(default, deserialize_with = "dialect")]
    dialect: Option<Dialect>,
    api_key_env: Option<String>,
    #[serde(default, deserialize_with = "checked_temperature")]
    temperature: Option<f64>,
    #[serde(default, deserialize_with = "checked_share")]
    top_p: Option<f64>,
    effort: Option<Effort>,
    thinking_tokens: Option<u32>,
    extra_body: Option<Map<String, Value>>,
    max_tokens: Option<NonZeroU32>,
    timeout: Option<NonZeroU64>,
    request_retries: Option<u32>,
}

fn dialect<'de, D: Deserializer<'de>>(given: D) -> Result<Option<Dialect>, D::Error> {
    let name = String::deserialize(given)?;
    name.parse().map(Some).map_err(|_| D::Error::custom(format!("no dialect is called `{}`", name.escape_debug())))
}

fn checked_temperature<'de, D: Deserializer<'de>>(given: D) -> Result<Option<f64>, D::Error> {
    temperature(&f64::deserialize(given)?.to_string()).map(Some).map_err(D::Error::custom)
}

fn checked_share<'de, D: Deserializer<'de>>(given: D) -> Result<Option<f64>, D::Error> {
    share(&f64::deserialize(given)?.to_string()).map(Some).map_err(D::Error::custom)
}

impl RoleModel {
    /// How it is asked. Dialect and key are those of `main` where it is asked at the same endpoint.
    pub fn manner(&self, main: &ModelArgs) -> ModelArgs {
        let same = self.endpoint.is_none();
        ModelArgs {
            dialect: self.dialect.unwrap_or(if same { main.dialect } else { Dialect::default() }),
            api_key_env: self.api_key_env.clone().or_else(|| main.api_key_env.clone().filter(|_| same)),
            temperature: self.temperature,
            top_p: self.top_p,
            effort: self.effort,
            thinking_tokens: self.thinking_tokens,
            extra_body: self.extra_body.clone().map(Value::Object),
            max_tokens: self.max_tokens.map(NonZeroU32::get),
            timeout: self.timeout.map(NonZeroU64::get).or(main.timeout),
            request_retries: self.request_retries.or(main.request_retries),
        }
    }

    /// Whether its endpoint may give vectors: some dialects have none.
    pub fn has_vectors(&self, main: &ModelArgs) -> bool {
        !matches!(self.manner(main).dialect, Dialect::Anthropic | Dialect::OpenAiResponses)
    }
}

fn temperature(text: &str) -> Result<f64, String> {
    let given = text.parse().ok().filter(|given| (0.0..=2.0).contains(given));
    given.ok_or_else(|| "give a number from 0 to 2".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let given = text.parse().ok().filter(|given| *given > 0.0 && *given <= 1.0);
    given.ok_or_else(|| "give a number above 0, up to 1".to_owned())
}

fn json_object(text: &str) -> Result<Value, String> {
    match serde_json::from_str(text) {
        Ok(object @ Value::Object(_)) => Ok(object),
        Ok(_) => Err("give a JSON object".to_owned()),
        Err(error) => Err(format!("no JSON object: {error}")),
    }
}

/// Seconds that one request may take where nothing else is given.
const TIMEOUT: u64 = 300;

impl ModelArgs {
    fn extra_body(&self, preset: &Preset) -> Option<Value> {
        self.extra_body.clone().or_else(|| serde_json::from_str(preset.extra_body?).ok())
    }

    fn effort(&self, preset: &Preset) -> Option<Effort> {
        if self.thinking_tokens.is_some() { None } else { self.effort.or(preset.effort) }
    }

    /// A client that spends of this budget; where the user says nothing about the way of answering, `preset` holds.
    pub fn client(&self, name: &ModelName, preset: &Preset, budget: Budget) -> Result<ModelClient, ModelError> {
        let retries = preset.retries.unwrap_or_default();
        ModelClient::new(ModelSettings {
            endpoint: name.endpoint.clone(),
            dialect: self.dialect,
            model: name.model.clone(),
            key: self.api_key_env.as_deref().map(ApiKey::from_env).transpose()?,
            temperature: self.temperature.or(preset.temperature),
            top_p: self.top_p.or(preset.top_p),
            effort: self.effort(preset),
            thinking_tokens: self.thinking_tokens,
            extra_body: self.extra_body(preset),
            takes_empty: preset.takes_empty,
            max_tokens: self.max_tokens.or(preset.max_tokens),
            timeout: self.timeout.map(Duration::from_secs).or(preset.timeout).unwrap_or(Duration::from_secs(TIMEOUT)),
            retries: Retries { most: self.request_retries.unwrap_or(retries.most), ..retries },
            budget,
        })
    }

    /// What the user says beside a preset.
    pub fn beside(&self, preset: &Preset) -> Beside {
        let against = [
            other("--temperature", self.temperature, preset.temperature),
            other("--top-p", self.top_p, preset.top_p),
            other("--max-tokens", self.max_tokens, preset.max_tokens),
        ];
        let body = self.extra_body.iter().filter_map(Value::as_object).flat_map(Map::keys);
        let (set, more): (Vec<&String>, Vec<&String>) = body.partition(|key| OF_PRESETS.contains(&key.as_str()));
        let in_body = |key: &String| format!("--extra-body {key}");
        let thinking = self.thinking_tokens.map(|tokens| format!("--thinking-tokens {tokens}"));
        let effort = self.effort.map(|effort| format!("--effort {}", <&str>::from(effort)));
        Beside {
            against: against.into_iter().flatten().chain(set.into_iter().map(in_body)).collect(),
            unnamed: effort.into_iter().chain(thinking).chain(more.into_iter().map(in_body)).collect(),
        }
    }

    /// What records say of it. The key is no part of it.
    pub fn options(&self, name: &ModelName, preset: &Preset) -> Value {
        json!({
            "endpoint": name.endpoint,
            "model": name.model,
            "dialect": self.dialect.to_string(),
            "temperature": self.temperature.or(preset.temperature),
            "top_p": self.top_p.or(preset.top_p),
            "effort": self.effort(preset),
            "thinking_tokens": self.thinking_tokens,
            "extra_body": self.extra_body(preset),
            "max_tokens": self.max_tokens.or(preset.max_tokens),
        })
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
