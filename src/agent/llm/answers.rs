//! Answers that are kept as they come, so that none is paid for twice: a run that goes on, or is played again, gets the
//! same answers to the same requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Model;
use crate::agent::model::{Answer, Message, ModelError, Request};
use crate::model::sha256_hex;

/// An answer with what it answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The attempt, which of its requests, and the digest of the request.
    pub request: String,
    pub answer: Answer,
}

/// Where an answer goes before anything is done with it.
type Keep = Box<dyn Fn(&Answered) -> Result<(), String> + Send + Sync>;

/// The answers of a run.
pub struct AnswerStore {
    known: Mutex<HashMap<String, Answer>>,
    keep: Keep,
}

impl AnswerStore {
    /// A store that knows these, and hands each new one to `keep`, which says what went wrong.
    pub fn new(
        known: impl IntoIterator<Item = Answered>,
        keep: impl Fn(&Answered) -> Result<(), String> + Send + Sync + 'static,
    ) -> Arc<Self> {
        let known = known.into_iter().map(|one| (one.request, one.answer)).collect();
        Arc::new(Self { known: Mutex::new(known), keep: Box::new(keep) })
    }

    fn get(&self, request: &str) -> Option<Answer> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(request).cloned()
    }

    fn add(&self, request: String, answer: Answer) -> Result<(), String> {
        let answered = Answered { request, answer };
        (self.keep)(&answered)?;
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(answered.request, answered.answer);
        Ok(())
    }
}

/// A model whose answers are kept; without one behind it, those that are kept are all that there are.
pub struct Remembering {
    store: Arc<AnswerStore>,
    behind: Option<Arc<dyn Model>>,
    /// The attempt that asks.
    attempt: String,
    asked: Mutex<u32>,
}

impl Remembering {
    /// For one attempt, by a name that no other has.
    pub const fn new(store: Arc<AnswerStore>, behind: Option<Arc<dyn Model>>, attempt: String) -> Self {
        Self { store, behind, attempt, asked: Mutex::new(0) }
    }

    /// What tells this request from all others of the run.
    fn name(&self, request: &Request) -> String {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        *asked += 1;
        format!("{} {asked} {}", self.attempt, digest(request))
    }
}

/// What is sent, in a digest. Only tools, calls and results add to it, so that runs without them keep their digests.
fn digest(request: &Request) -> String {
    let of = |message: &Message| {
        let picture = message.picture.as_deref().map(|png| sha256_hex(png));
        let mut parts = vec![json!(message.role), json!(message.text), json!(message.reasoning), json!(picture)];
        parts.extend((!message.parts.is_empty()).then(|| json!({"parts": message.parts})));
        parts.extend((!message.results.is_empty()).then(|| json!({"results": message.results})));
        json!(parts)
    };
    let messages: Vec<_> = request.messages.iter().map(of).collect();
    let all = if request.tools.is_empty() { json!(messages) } else { json!([messages, request.tools]) };
    sha256_hex(all.to_string().as_bytes())
}

#[async_trait]
impl Model for Remembering {
    async fn send(&self, asked: &Request) -> Result<Answer, ModelError> {
        let request = self.name(asked);
        if let Some(answer) = self.store.get(&request) {
            return Ok(answer);
        }
        let Some(model) = &self.behind else { return Err(ModelError::NotRecorded { request }) };
        let answer = model.send(asked).await?;
        self.store.add(request, answer.clone()).map_err(ModelError::NotKept)?;
        Ok(answer)
    }
}
