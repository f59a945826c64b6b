//! A model endpoint that solves tasks: it answers with calls from a list, in the words of a model or by calling tools, in five dialects. Which
//! task is asked for it reads from the system message, as a model would.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::support::scripted_tools::called_in_dialect;

/// How the endpoint misbehaves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Moods {
    /// Each so many answers one is none that can be read; 0 for never.
    pub babbles: usize,
    /// Each so many requests one is refused for now; 0 for never.
    pub busy: usize,
}

/// Answers by task.
#[derive(Debug, Clone, Default)]
pub struct ScriptedSolver {
    /// Instructions with the calls that carry them out.
    tasks: Arc<Vec<(String, Vec<Value>)>>,
    /// How many calls of each have been given.
    given: Arc<Mutex<BTreeMap<usize, usize>>>,
    moods: Moods,
    asked: Arc<Mutex<Vec<(String, Value)>>>,
    /// Numbers of requests that are not answered until they are released; whoever waits for `stalled` is told of each.
    stalls: Arc<Mutex<BTreeSet<usize>>>,
    stalled: Arc<Notify>,
    released: Arc<Notify>,
}

impl ScriptedSolver {
    /// Serves these tasks; the address without a path.
    pub async fn serve(tasks: Vec<(String, Vec<Value>)>, moods: Moods) -> (Self, String) {
        let solver = Self { tasks: Arc::new(tasks), moods, ..Self::default() };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = axum::Router::new().fallback(reply).with_state(solver.clone());
        // Pictures are large.
        let app = app.layer(axum::extract::DefaultBodyLimit::disable());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        (solver, format!("http://{address}"))
    }

    /// Has requests of these numbers, from 1, wait until they are released.
    pub fn stall_at(&self, numbers: impl IntoIterator<Item = usize>) {
        *self.stalls.lock().unwrap() = numbers.into_iter().collect();
    }

    /// Waits until a request stalls.
    pub async fn stalled(&self) {
        self.stalled.notified().await;
    }

    /// Lets the requests that stall be answered.
    pub fn release(&self) {
        self.released.notify_waiters();
    }

    /// How many answers were given.
    pub fn answered(&self) -> usize {
        self.given.lock().unwrap().values().sum()
    }

    /// Paths and bodies of the requests so far.
    pub fn asked(&self) -> Vec<(String, Value)> {
        self.asked.lock().unwrap().clone()
    }

    /// The next answer for the task that a request is about: a call, and which of how many it is.
    fn next(&self, request: &str) -> Option<(Value, usize, usize)> {
        // Texts are in JSON there, with quotation marks and line ends escaped.
        let within = |instruction: &str| {
            let text = json!(instruction).to_string();
            request.contains(text.trim_matches('"'))
        };
        let task = self.tasks.iter().position(|(instruction, _)| within(instruction))?;
        let mut given = self.given.lock().unwrap();
        let count = given.entry(task).or_default();
        let calls = &self.tasks[task].1;
        let call = calls.get(*count).cloned().unwrap_or_else(|| json!({"api": "done", "args": {}}));
        *count += 1;
        Some((call, *count, calls.len()))
    }

    /// What an agent with workflow memory learns: each of its attempts was a success, and there is one routine in as many
    /// tasks as it is shown.
    fn learned(&self, request: &str) -> Option<String> {
        let learned = if request.contains("Judge whether the task was solved") {
            "Thoughts: All of it is there.\nStatus: success".to_owned()
        } else if request.contains("Write down the workflows") {
            let tasks = request.split("## Solved tasks").nth(1).unwrap().matches("### Task ").count();
            format!("#### Routine of {tasks} tasks\n\n1. Do what the task says.\n   {{\"api\": \"{{action}}\"}}")
        } else {
            return None;
        };
        *self.given.lock().unwrap().entry(usize::MAX).or_default() += 1;
        Some(learned)
    }

    /// The next answer to a request, in its dialect. A model that is given tools calls them; with its first call for a task it
    /// calls `done` as well, which must not be carried out.
    fn answer(&self, path: &str, body: &Value, request: &str) -> Option<Value> {
        if let Some(learned) = self.learned(request) {
            return Some(in_dialect(path, &learned));
        }
        let (call, count, all) = self.next(request)?;
        let step = format!("step {count} of {all}");
        if request.contains("<thinking>") {
            let parts = format!("<thinking>\nThis is {step}.\n</thinking>\n<memory>{step} is done.</memory>");
            return Some(in_dialect(path, &format!("{parts}\n```json\n{call}\n```")));
        }
        let words = format!("Analysis: {step}.");
        if body["tools"].is_null() {
            return Some(in_dialect(path, &format!("{words}\n```json\n{call}\n```")));
        }
        let mut calls = vec![call];
        calls.extend((count == 1).then(|| json!({"api": "done", "args": {}})));
        Some(called_in_dialect(path, &words, &calls, count))
    }
}

async fn reply(State(solver): State<ScriptedSolver>, uri: Uri, Json(body): Json<Value>) -> Response {
    let text = body.to_string();
    let number = {
        let mut asked = solver.asked.lock().unwrap();
        asked.push((uri.path().to_owned(), body.clone()));
        asked.len()
    };
    if solver.stalls.lock().unwrap().remove(&number) {
        let released = solver.released.notified();
        tokio::pin!(released);
        released.as_mut().enable();
        solver.stalled.notify_one();
        released.await;
    }
    let turn_of = |every: usize| every > 0 && number.is_multiple_of(every);
    if turn_of(solver.moods.busy) {
        return (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "0")], "busy").into_response();
    }
    let answer = if turn_of(solver.moods.babbles) {
        Some(in_dialect(uri.path(), "I would rather not."))
    } else {
        solver.answer(uri.path(), &body, &text)
    };
    match answer {
        Some(answer) => Json(answer).into_response(),
        None => (StatusCode::BAD_REQUEST, "this is no task of mine").into_response(),
    }
}

/// An answer in the dialect that a path belongs to.
pub fn in_dialect(path: &str, text: &str) -> Value {
    let (input, output) = (1000, 50);
    if path.ends_with("/chat/completions") {
        let message = json!({"role": "assistant", "content": text, "reasoning_content": "thinking"});
        let usage = json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
            "prompt_tokens_details": {"cached_tokens": 600}, "completion_tokens_details": {"reasoning_tokens": 20}});
        json!({"id": "1", "object": "chat.completion", "model": "scripted-1", "usage": usage,
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}]})
    } else if path.ends_with("/responses") {
        let content = json!([{"type": "output_text", "text": text, "annotations": []}]);
        json!({"id": "r", "object": "response", "created_at": 1, "status": "completed", "model": "scripted-1",
            "output": [{"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content}],
            "usage": {"input_tokens": input, "output_tokens": output, "total_tokens": input + output,
                "input_tokens_details": {"cached_tokens": 600}}})
    } else if path.ends_with("/messages") {
        json!({"id": "1", "type": "message", "role": "assistant", "model": "scripted-1", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": text}], "usage": {"input_tokens": input - 700,
                "cache_read_input_tokens": 600, "cache_creation_input_tokens": 100, "output_tokens": output}})
    } else if path.ends_with(":generateContent") {
        json!({"modelVersion": "scripted-1",
            "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": input, "candidatesTokenCount": output, "totalTokenCount": input + output,
                "cachedContentTokenCount": 600}})
    } else {
        json!({"model": "scripted-1", "created_at": "2026-01-01T00:00:00Z", "done": true, "done_reason": "stop",
            "message": {"role": "assistant", "content": text}, "prompt_eval_count": input,
            "prompt_eval_cached_count": 600, "eval_count": output})
    }
}
