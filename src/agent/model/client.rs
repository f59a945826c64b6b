//! Asking a model: one question after the conversation so far, one answer with its cost.

use std::time::{Duration, Instant};

use backon::Retryable as _;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, JsonSpec, ReasoningEffort, ToolChoice};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget};
use reqwest::Url;
use reqwest::header::RETRY_AFTER;

use super::meter::meter;
use super::retry::asked_for;
use super::{
    Answer, ApiKey, Dialect, Effort, Message, ModelError, ModelSettings, Refusal, Request, unreadable_calls, wire,
};
use crate::agent::http_client;
use crate::model::{sha256_hex, with_causes};

/// How long connecting may take.
const CONNECT_LIMIT: Duration = Duration::from_secs(15);
/// Letters of a server's message that are shown.
const SHOWN: usize = 400;
/// What is sent where no key is needed: the dialects want one, and servers without keys ignore it.
const NO_KEY: &str = "none";
/// The longest cache key that OpenAI takes.
const CACHE_KEY: usize = 64;

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

    /// What it says of the endpoint; `None` where that answered, but not as wished.
    fn refusal(&self) -> Option<Refusal> {
        match &self.error {
            ModelError::Busy { status: 429, .. } => Some(Refusal::Limited { asked_for: self.asked_for }),
            ModelError::Busy { .. } | ModelError::TimedOut { .. } | ModelError::Unreachable { .. } => {
                Some(Refusal::Failed)
            }
            ModelError::Unauthorized { .. } => Some(Refusal::Unauthorized),
            _ => None,
        }
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
        self.send(&Request::from(messages)).await
    }

    /// Asks; the last message is the question. A model that is given tools is made to call one where the dialect can.
    ///
    /// # Errors
    /// When there is no answer after all tries.
    pub async fn send(&self, request: &Request) -> Result<Answer, ModelError> {
        self.tried(|tries, waited| self.once(request, tries, waited)).await
    }

    /// Asks for the vector of a text: the answer's text is a JSON list of numbers.
    ///
    /// # Errors
    /// When there is no answer after all tries.
    pub async fn embed(&self, text: &str) -> Result<Answer, ModelError> {
        self.tried(|tries, waited| self.embed_once(text, tries, waited)).await
    }

    /// Makes a request until it succeeds or fails for good. It is told which try it is, and how long those before it took.
    async fn tried<F>(&self, request: impl Fn(u32, Duration) -> F + Send + Sync) -> Result<Answer, ModelError>
    where
        F: Future<Output = Result<Answer, Failed>> + Send,
    {
        let (mut tries, retries, asked) = (0, self.settings.retries, Instant::now());
        let request = &request;
        let once = || {
            tries += 1;
            let now = tries;
            watched(move |waited| request(now, waited), asked)
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

    async fn once(&self, request: &Request, tries: u32, waited: Duration) -> Result<Answer, Failed> {
        if let Some(reason) = self.settings.budget.exhausted() {
            return Err(Failed::lasting(ModelError::BudgetExhausted(reason)));
        }
        let (chat, options) = (wire::chat_request(request, self.settings.dialect), self.options(request));
        let asked = self.client.exec_chat(self.target.clone(), chat, Some(&options));
        let answer = match tokio::time::timeout(self.settings.timeout, asked).await {
            Ok(Ok(reply)) => wire::answer(reply),
            Ok(Err(error)) => match self.unreadable(&error) {
                Some(answer) => answer,
                None => return Err(self.failed(error, tries)),
            },
            Err(_) => return Err(Failed::passing(self.timed_out(tries), None)),
        };
        let answer = Answer { tries, waited_s: waited.as_secs_f64(), ..answer };
        self.settings.budget.add(answer.usage);
        if answer.text.trim().is_empty() && answer.parts.is_empty() && !self.settings.takes_empty {
            return Err(Failed::passing(ModelError::Empty, None));
        }
        Ok(answer)
    }

    /// The options of a request.
    fn options(&self, request: &Request) -> ChatOptions {
        let mut options = self.options.clone();
        // The user's limit holds for all requests, a request's own below it.
        options.max_tokens = request.form.max_tokens.into_iter().chain(options.max_tokens).min();
        if let Some(schema) = &request.form.schema {
            options.response_format = Some(JsonSpec::new("answer", schema.as_ref().clone()).into());
        }
        if !request.tools.is_empty() {
            options.tool_choice = Some(if self.may_force() { ToolChoice::Required } else { ToolChoice::Auto });
            options.capture_raw_body = Some(true);
        }
        if let Some(cache) = &request.cache
            && matches!(self.settings.dialect, Dialect::OpenAi | Dialect::OpenAiResponses)
        {
            let is_short = cache.key.len() <= CACHE_KEY;
            let key = if is_short { cache.key.clone() } else { sha256_hex(cache.key.as_bytes()) };
            options.prompt_cache_key = Some(key);
        }
        options
    }

    /// Whether the model may be made to call a tool: Anthropic refuses that of models that think first.
    fn may_force(&self) -> bool {
        let ModelSettings { dialect, model, effort, thinking_tokens, extra_body, .. } = &self.settings;
        let by_name =
            ReasoningEffort::from_model_name(model).0.is_some_and(|effort| !matches!(effort, ReasoningEffort::Zero));
        let by_setting = thinking_tokens.is_some() || effort.is_some_and(|effort| effort != Effort::Zero);
        let thinking = extra_body.as_ref().and_then(|body| body["thinking"]["type"].as_str());
        *dialect != Dialect::Anthropic || !(by_name || by_setting || thinking.is_some_and(|kind| kind != "disabled"))
    }

    /// The answer in a reply that the library can't read, if only the arguments of its calls are broken.
    fn unreadable(&self, error: &genai::Error) -> Option<Answer> {
        let genai::Error::ChatResponseGeneration { response_body, .. } = error else { return None };
        unreadable_calls::answer(response_body, self.settings.dialect)
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
        let usage = wire::usage(&reply.usage);
        self.settings.budget.add(usage);
        let vector = reply.first_vector().filter(|numbers| !numbers.is_empty());
        let text = vector.and_then(|numbers| serde_json::to_string(numbers).ok());
        let text = text.ok_or_else(|| Failed::lasting(ModelError::Unreadable("there is no vector".to_owned())))?;
        let waited_s = waited.as_secs_f64();
        Ok(Answer {
            text,
            reasoning: None,
            parts: Vec::new(),
            is_cut: false,
            is_filtered: false,
            model,
            usage,
            tries,
            waited_s,
            picture_differs: false,
        })
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

/// The body of a reply that was no success.
fn body(error: &genai::Error) -> &str {
    use genai::webc::Error::ResponseFailedStatus;
    match error {
        genai::Error::WebModelCall { webc_error: ResponseFailedStatus { body, .. }, .. }
        | genai::Error::HttpError { body, .. } => body,
        _ => "",
    }
}

/// Makes a request when the meter of the attempt admits it, and tells the meter what came of it. It is told how long the tries
/// before it took.
async fn watched<F>(request: impl FnOnce(Duration) -> F + Send, asked: Instant) -> Result<Answer, Failed>
where
    F: Future<Output = Result<Answer, Failed>> + Send,
{
    let meter = meter();
    if let Some(meter) = &meter {
        meter.admit().await.map_err(|refused| Failed::lasting(refused.into()))?;
    }
    let result = request(asked.elapsed()).await;
    if let Some(meter) = &meter {
        match &result {
            Ok(answer) => meter.answered(answer.usage),
            Err(failed) => failed.refusal().into_iter().for_each(|refusal| meter.refused(refusal)),
        }
    }
    result
}

/// The address to which the dialect's paths are added.
pub(super) fn base_address(endpoint: &str) -> Result<Url, ModelError> {
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
