//! Answers that are kept as they come, so that none is paid for twice: a run that goes on, or is played again, gets the
//! same answers to the same requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Model;
use crate::agent::model::{Answer, Message, ModelError};
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
    fn request(&self, messages: &[Message]) -> String {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        *asked += 1;
        let parts: Vec<_> = messages
            .iter()
            .map(|message| {
                let picture = message.picture.as_deref().map(|png| sha256_hex(png));
                json!([message.role, message.text, message.reasoning, picture])
            })
            .collect();
        format!("{} {asked} {}", self.attempt, sha256_hex(json!(parts).to_string().as_bytes()))
    }
}

#[async_trait]
impl Model for Remembering {
    async fn ask(&self, messages: &[Message]) -> Result<Answer, ModelError> {
        let request = self.request(messages);
        if let Some(answer) = self.store.get(&request) {
            return Ok(answer);
        }
        let Some(model) = &self.behind else { return Err(ModelError::NotRecorded { request }) };
        let answer = model.ask(messages).await?;
        self.store.add(request, answer.clone()).map_err(ModelError::NotKept)?;
        Ok(answer)
    }
}
