//! Asking a model: one question after the conversation so far, one answer with its cost.

use std::time::{Duration, Instant};

use backon::Retryable as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use genai::adapter::AdapterKind;
use genai::chat::{ChatMessage, ChatOptions, ChatRequest, ChatResponse, ContentPart, ReasoningEffort, StopReason};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget};
use reqwest::Url;
use reqwest::header::RETRY_AFTER;

use super::retry::asked_for;
use super::{Answer, ApiKey, Message, ModelError, ModelSettings, Role, Usage};
use crate::agent::http_client;
use crate::model::with_causes;

/// How long connecting may take.
const CONNECT_LIMIT: Duration = Duration::from_secs(15);
/// Letters of a server's message that are shown.
const SHOWN: usize = 400;
/// What is sent where no key is needed: the dialects want one, and servers without keys ignore it.
const NO_KEY: &str = "none";

/// Asks one model at one endpoint.
#[derive(Debug)]
pub struct ModelClient {
    client: Client,
    target: ServiceTarget,
    options: ChatOptions,
    settings: ModelSettings,
}

struct Failed {
    error: ModelError,
    /// Whether it may succeed another time.
    may_pass: bool,
    /// How long the server asks to wait.
    asked_for: Option<Duration>,
}

impl Failed {
    /// A failure that another try may not meet.
    const fn passing(error: ModelError, asked_for: Option<Duration>) -> Self {
        Self { error, may_pass: true, asked_for }
    }

    /// A failure that another try would meet again.
    const fn lasting(error: ModelError) -> Self {
        Self { error, may_pass: false, asked_for: None }
    }
}

impl ModelClient {
    /// A client; nothing is sent yet.
    ///
    /// # Errors
    /// [`ModelError::BadEndpoint`] when the address is not a URL.
    pub fn new(settings: ModelSettings) -> Result<Self, ModelError> {
        let endpoint = base_address(&settings.endpoint)?;
        if endpoint.scheme() == "http" && !is_local(&endpoint) && settings.key.is_some() {
            tracing::warn!(host = endpoint.host_str(), "the key travels unencrypted");
        }
        let mut http = http_client()
            .timeout(settings.timeout)
            .connect_timeout(CONNECT_LIMIT)
            // The key is for this endpoint and no other.
            .redirect(reqwest::redirect::Policy::none());
        if is_local(&endpoint) {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| ModelError::NoClient(error.to_string()))?;
        let client = Client::builder().with_reqwest(http).build();
        let client = client.map_err(|error| ModelError::NoClient(error.to_string()))?;
        let key = settings.key.as_ref().map_or(NO_KEY, ApiKey::secret);
        let target = ServiceTarget {
            endpoint: Endpoint::from_owned(endpoint.to_string()),
            auth: AuthData::from_single(key),
            model: ModelIden::new(AdapterKind::from(settings.dialect), settings.model.as_str()),
        };
        let options = ChatOptions {
            temperature: settings.temperature,
            top_p: settings.top_p,
            reasoning_effort: settings
                .thinking_tokens
                .map(ReasoningEffort::Budget)
                .or_else(|| settings.effort.map(ReasoningEffort::from)),
            max_tokens: settings.max_tokens,
            capture_reasoning_content: Some(true),
            normalize_reasoning_content: Some(true),
            extra_body: settings.extra_body.clone(),
            ..ChatOptions::default()
        };
        Ok(Self { client, target, options, settings })
    }

    /// Asks; the last message is the question.
    ///
    /// # Errors
    /// When there is no answer after all tries.
    pub async fn ask(&self, messages: &[Message]) -> Result<Answer, ModelError> {
        self.tried(|tries, waited| self.once(messages, tries, waited)).await
    }

    /// Asks for the vector of a text: the answer's text is a JSON list of numbers.
    ///
    /// # Errors
    /// When there is no answer after all tries.
    pub async fn embed(&self, text: &str) -> Result<Answer, ModelError> {
        self.tried(|tries, waited| self.embed_once(text, tries, waited)).await
    }

    /// Makes a request until it succeeds or fails for good. It is told which try it is, and how long those before it took.
    async fn tried<F>(&self, request: impl Fn(u32, Duration) -> F + Send) -> Result<Answer, ModelError>
    where
        F: Future<Output = Result<Answer, Failed>> + Send,
    {
        let (mut tries, retries, asked) = (0, self.settings.retries, Instant::now());
        let once = || {
            tries += 1;
            request(tries, asked.elapsed())
        };
        once.retry(retries.waits())
            .when(|failed| failed.may_pass)
            .adjust(|failed, wait| retries.heeding(failed.asked_for, wait?))
            .notify(|Failed { error, .. }, wait| {
                tracing::info!(%error, wait_ms = wait.as_millis(), "the model is asked again");
            })
            .await
            .map_err(|failed| failed.error)
    }

    async fn once(&self, messages: &[Message], tries: u32, waited: Duration) -> Result<Answer, Failed> {
        if let Some(reason) = self.settings.budget.exhausted() {
            return Err(Failed::lasting(ModelError::BudgetExhausted(reason)));
        }
        let request = ChatRequest::new(messages.iter().map(chat_message).collect());
        let asked = self.client.exec_chat(self.target.clone(), request, Some(&self.options));
        let reply = match tokio::time::timeout(self.settings.timeout, asked).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(error)) => return Err(self.failed(error, tries)),
            Err(_) => return Err(Failed::passing(self.timed_out(tries), None)),
        };
        let answer = Answer { tries, waited_s: waited.as_secs_f64(), ..answer(reply) };
        self.settings.budget.add(answer.usage);
        if answer.text.trim().is_empty() && !self.settings.takes_empty {
            return Err(Failed::passing(ModelError::Empty, None));
        }
        Ok(answer)
    }

    async fn embed_once(&self, text: &str, tries: u32, waited: Duration) -> Result<Answer, Failed> {
        if let Some(reason) = self.settings.budget.exhausted() {
            return Err(Failed::lasting(ModelError::BudgetExhausted(reason)));
        }
        let asked = self.client.embed(self.target.clone(), text, None);
        let reply = match tokio::time::timeout(self.settings.timeout, asked).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(error)) => return Err(self.failed(error, tries)),
            Err(_) => return Err(Failed::passing(self.timed_out(tries), None)),
        };
        let model = reply.provider_model_iden.model_name.to_string();
        let usage = usage(&reply.usage);
        self.settings.budget.add(usage);
        let vector = reply.first_vector().filter(|numbers| !numbers.is_empty());
        let text = vector.and_then(|numbers| serde_json::to_string(numbers).ok());
        let text = text.ok_or_else(|| Failed::lasting(ModelError::Unreadable("there is no vector".to_owned())))?;
        let waited_s = waited.as_secs_f64();
        Ok(Answer { text, reasoning: None, is_cut: false, is_filtered: false, model, usage, tries, waited_s })
    }

    const fn timed_out(&self, tries: u32) -> ModelError {
        ModelError::TimedOut { seconds: self.settings.timeout.as_secs(), tries }
    }

    /// Sorts out what can be tried again: too many requests, server errors, and connection errors.
    fn failed(&self, error: genai::Error, tries: u32) -> Failed {
        use genai::webc::Error as Web;
        if let Some(status) = error.status() {
            let header = error.headers().and_then(|headers| headers.get(RETRY_AFTER)?.to_str().ok());
            return self.refused(status.as_u16(), body(&error), header.and_then(asked_for), tries);
        }
        let genai::Error::WebModelCall { webc_error, .. } = error else {
            return Failed::lasting(ModelError::Unreadable(self.shown(&error.to_string())));
        };
        match webc_error {
            Web::Reqwest(error) if error.is_timeout() => Failed::passing(self.timed_out(tries), None),
            Web::Reqwest(error) => {
                let reason = self.shown(&with_causes(&error));
                Failed::passing(ModelError::Unreachable { tries, reason }, None)
            }
            other => Failed::lasting(ModelError::Unreadable(self.shown(&other.to_string()))),
        }
    }

    fn refused(&self, status: u16, body: &str, asked_for: Option<Duration>, tries: u32) -> Failed {
        let message = self.shown(body);
        match status {
            429 | 500..=599 | 408 => Failed::passing(ModelError::Busy { status, tries, message }, asked_for),
            401 | 403 => Failed::lasting(ModelError::Unauthorized { status, message }),
            _ => Failed::lasting(ModelError::Refused { status, message }),
        }
    }

    /// A message of the server as people may see it: without the key, and not too long.
    fn shown(&self, text: &str) -> String {
        let text = self.settings.key.as_ref().map_or_else(|| text.to_owned(), |key| key.hide_in(text));
        let short: String = text.trim().chars().take(SHOWN).collect();
        if short.len() < text.trim().len() { short + " …" } else { short }
    }
}

fn chat_message(message: &Message) -> ChatMessage {
    let picture = message
        .picture
        .as_ref()
        .map(|png| ContentPart::from_binary_base64("image/png", STANDARD.encode(png.as_slice()), None));
    let parts: Vec<ContentPart> =
        std::iter::once(ContentPart::from_text(message.text.as_str())).chain(picture).collect();
    match message.role {
        Role::System => ChatMessage::system(parts),
        Role::User => ChatMessage::user(parts),
        Role::Assistant => ChatMessage::assistant(parts).with_reasoning_content(message.reasoning.clone()),
    }
}

fn answer(mut reply: ChatResponse) -> Answer {
    let is_cut = reply.stop_reason.as_ref().is_some_and(StopReason::is_max_tokens);
    let is_filtered = matches!(reply.stop_reason, Some(StopReason::ContentFilter(_)));
    let model = reply.provider_model_iden.model_name.to_string();
    let (usage, reasoning) = (usage(&reply.usage), reply.reasoning_content.take());
    Answer {
        text: reply.into_texts().join("\n"),
        reasoning,
        is_cut,
        is_filtered,
        model,
        usage,
        tries: 1,
        waited_s: 0.0,
    }
}

/// What was counted; what the endpoint does not tell is 0.
fn usage(given: &genai::chat::Usage) -> Usage {
    let tokens = |count: Option<i32>| count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default();
    let input = given.prompt_tokens_details.as_ref();
    let output = given.completion_tokens_details.as_ref();
    Usage {
        input_tokens: tokens(given.prompt_tokens),
        output_tokens: tokens(given.completion_tokens),
        cached_tokens: tokens(input.and_then(|details| details.cached_tokens)),
        cache_written_tokens: tokens(input.and_then(|details| details.cache_creation_tokens)),
        reasoning_tokens: tokens(output.and_then(|details| details.reasoning_tokens)),
    }
}

/// The body of a reply that was no success.
fn body(error: &genai::Error) -> &str {
    use genai::webc::Error::ResponseFailedStatus;
    match error {
        genai::Error::WebModelCall { webc_error: ResponseFailedStatus { body, .. }, .. }
        | genai::Error::HttpError { body, .. } => body,
        _ => "",
    }
}

/// The address to which the dialect's paths are added.
fn base_address(endpoint: &str) -> Result<Url, ModelError> {
    // The part before an @ may be a password.
    let shown = endpoint.rsplit_once('@').map_or(endpoint, |(_, host)| host);
    let bad = |reason: String| ModelError::BadEndpoint { endpoint: shown.to_owned(), reason };
    let trimmed = endpoint.trim().trim_end_matches('/').trim_end_matches("/chat/completions");
    let url = Url::parse(&format!("{trimmed}/")).map_err(|error| bad(error.to_string()))?;
    match url.scheme() {
        "http" | "https" if url.has_host() && url.username().is_empty() && url.password().is_none() => Ok(url),
        "http" | "https" => Err(bad("it needs a host, and holds no user name".to_owned())),
        other => Err(bad(format!("`{other}` is neither http nor https"))),
    }
}

/// Whether an endpoint is on this machine, so that no proxy leads to it.
fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Coded;

    #[test]
    fn addresses_are_brought_into_one_form() {
        for given in
            ["http://localhost:8000/v1", "http://localhost:8000/v1/", "http://localhost:8000/v1/chat/completions"]
        {
            let url = base_address(given).unwrap();
            assert_eq!((url.as_str(), is_local(&url)), ("http://localhost:8000/v1/", true));
        }
        assert!(!is_local(&base_address("https://models.example/v1").unwrap()));
        assert!(is_local(&base_address("http://[::1]:1/v1").unwrap()));
        for bad in ["", "models.example", "ftp://models.example", "http://me:secret@models.example/v1"] {
            let error = base_address(bad).unwrap_err();
            assert!(error.code() == "model_endpoint_invalid" && !error.to_string().contains("secret"), "{error}");
        }
    }
}
