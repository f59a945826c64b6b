//! A scripted model endpoint that speaks chat completions, and the client of models against it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use scratchbed::agent::model::{
    ApiKey, Dialect, Message, ModelClient, ModelError, ModelSettings, Retries, Role, Usage,
};
use scratchbed::model::Coded;
use serde_json::{Value, json};

/// What the endpoint does with one request.
#[derive(Debug, Clone)]
pub enum Act {
    /// Answers with this text.
    Say(String),
    /// Calls this tool with these arguments.
    Call(&'static str, Value),
    /// Refuses with this status and, if any, a `Retry-After` in seconds.
    Refuse(u16, Option<&'static str>),
    /// Answers too late.
    Stall,
    /// Answers with what is no chat completion.
    Babble,
}

/// An endpoint on a free port; acts in turn, and keeps what it was asked.
#[derive(Debug, Clone, Default)]
pub struct Endpoint {
    acts: Arc<Mutex<VecDeque<Act>>>,
    asked: Arc<Mutex<Vec<Value>>>,
    /// What is answered, however often, to requests with these words.
    by_words: Arc<Vec<(String, String)>>,
}

impl Endpoint {
    /// Serves these acts and returns the base address.
    pub async fn serve(acts: impl IntoIterator<Item = Act>) -> (Self, String) {
        Self { acts: Arc::new(Mutex::new(acts.into_iter().collect())), ..Self::default() }.served().await
    }

    /// Answers each request by the first of these words that it has, and returns the base address.
    pub async fn serve_by(by_words: impl IntoIterator<Item = (String, String)>) -> (Self, String) {
        Self { by_words: Arc::new(by_words.into_iter().collect()), ..Self::default() }.served().await
    }

    async fn served(self) -> (Self, String) {
        let endpoint = self;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = axum::Router::new().route("/v1/chat/completions", post(reply)).with_state(endpoint.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        (endpoint, format!("http://{address}/v1"))
    }

    /// The bodies of the requests so far, with the key that came with each as `key`.
    pub fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

async fn reply(State(endpoint): State<Endpoint>, headers: HeaderMap, Json(mut body): Json<Value>) -> Response {
    let key = headers.get("authorization").map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default();
    let text = body.to_string();
    let known = endpoint.by_words.iter().find(|(words, _)| text.contains(words)).map(|(_, answer)| answer.clone());
    body["key"] = json!(key);
    endpoint.asked.lock().unwrap().push(body);
    let act = known.map(Act::Say).or_else(|| endpoint.acts.lock().unwrap().pop_front());
    match act {
        Some(Act::Say(text)) => Json(completion(&text)).into_response(),
        Some(Act::Call(tool, args)) => {
            let mut completion = completion("");
            let function = json!({"name": tool, "arguments": args.to_string()});
            completion["choices"][0]["message"]["tool_calls"] =
                json!([{"id": "c1", "type": "function", "function": function}]);
            completion["choices"][0]["finish_reason"] = json!("tool_calls");
            Json(completion).into_response()
        }
        Some(Act::Refuse(status, after)) => {
            let mut response = (StatusCode::from_u16(status).unwrap(), format!("no, not with {key}")).into_response();
            if let Some(after) = after {
                response.headers_mut().insert("retry-after", after.parse().unwrap());
            }
            response
        }
        Some(Act::Stall) => {
            tokio::time::sleep(Duration::from_secs(20)).await;
            StatusCode::OK.into_response()
        }
        Some(Act::Babble) => "hello".into_response(),
        None => (StatusCode::BAD_REQUEST, "the script is over").into_response(),
    }
}

fn completion(text: &str) -> Value {
    json!({
        "id": "1", "object": "chat.completion", "model": "scripted-1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    })
}

fn client(endpoint: &str, key: Option<&str>) -> ModelClient {
    ModelClient::new(ModelSettings {
        endpoint: endpoint.to_owned(),
        dialect: Dialect::OpenAi,
        model: "scripted".to_owned(),
        key: key.map(ApiKey::new),
        temperature: Some(0.5),
        top_p: None,
        effort: None,
        max_tokens: None,
        timeout: Duration::from_millis(1500),
        retries: Retries {
            most: 2,
            first_wait: Duration::from_millis(20),
            longest_wait: Duration::from_secs(3),
            ..Retries::default()
        },
        ..ModelSettings::default()
    })
    .unwrap()
}

fn talk() -> Vec<Message> {
    vec![Message::new(Role::System, "Be brief."), Message::new(Role::User, "Hello?")]
}

#[tokio::test]
async fn a_model_answers_and_tells_what_it_cost() {
    let (endpoint, address) = Endpoint::serve([Act::Say("Hello!".to_owned())]).await;
    let answer = client(&address, Some("s3cret")).ask(&talk()).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.model.as_str(), answer.tries), ("Hello!", "scripted-1", 1));
    assert_eq!(answer.usage, Usage { input_tokens: 11, output_tokens: 7, ..Usage::default() });
    let asked = &endpoint.asked()[0];
    assert_eq!(
        (&asked["key"], &asked["model"], &asked["temperature"]),
        (&json!("Bearer s3cret"), &json!("scripted"), &json!(0.5))
    );
    assert_eq!(asked["messages"][0], json!({"role": "system", "content": "Be brief."}));
}

#[tokio::test]
async fn failures_that_may_pass_are_tried_again_and_the_server_is_heeded() {
    let acts = [Act::Refuse(429, Some("1")), Act::Refuse(503, None), Act::Say("At last.".to_owned())];
    let (endpoint, address) = Endpoint::serve(acts).await;
    let start = std::time::Instant::now();
    let answer = client(&address, None).ask(&talk()).await.unwrap();
    assert_eq!((answer.tries, endpoint.asked().len()), (3, 3));
    assert!(start.elapsed() >= Duration::from_secs(1), "Retry-After was not heeded: {:?}", start.elapsed());
}

#[tokio::test]
async fn failures_that_last_are_told_without_the_key() {
    for (acts, code, requests) in [
        (vec![Act::Refuse(500, None); 3], "model_busy", 3),
        (vec![Act::Refuse(429, Some("3600")); 3], "model_busy", 1),
        (vec![Act::Refuse(401, None)], "model_key_refused", 1),
        (vec![Act::Refuse(404, None)], "model_request_refused", 1),
        (vec![Act::Babble], "model_reply_unreadable", 1),
        (vec![Act::Say(String::new()); 3], "model_answer_empty", 3),
    ] {
        let (endpoint, address) = Endpoint::serve(acts.clone()).await;
        let error = client(&address, Some("s3cret")).ask(&talk()).await.unwrap_err();
        assert_eq!((error.code(), endpoint.asked().len()), (code, requests), "{acts:?}: {error}");
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
    }
}

#[tokio::test]
async fn a_redirect_takes_the_key_nowhere() {
    let (elsewhere, target) = Endpoint::serve([]).await;
    for status in [302, 307, 308] {
        let location = format!("{target}/chat/completions");
        let sent_on = move || {
            let headers = [(LOCATION, location.clone())];
            async move { (StatusCode::from_u16(status).unwrap(), headers) }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = axum::Router::new().route("/v1/chat/completions", post(sent_on));
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        let error = client(&format!("http://{address}/v1"), Some("s3cret")).ask(&talk()).await.unwrap_err();
        assert!(elsewhere.asked().is_empty(), "{status}: {error}");
    }
}

#[tokio::test]
async fn a_slow_model_and_an_absent_one_are_told_apart() {
    let (endpoint, address) = Endpoint::serve([Act::Stall, Act::Say("Now.".to_owned())]).await;
    assert_eq!(client(&address, None).ask(&talk()).await.unwrap().tries, 2);
    assert_eq!(endpoint.asked().len(), 2);
    let (_, address) = Endpoint::serve(vec![Act::Stall; 3]).await;
    let error = client(&address, None).ask(&talk()).await.unwrap_err();
    assert_eq!(error, ModelError::TimedOut { seconds: 1, tries: 3 });
    let error = client("http://127.0.0.1:1/v1", None).ask(&talk()).await.unwrap_err();
    assert_eq!(error.code(), "model_unreachable", "{error}");
}
