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
    /// The digest of the request without its pictures; absent in runs of earlier versions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub words: Option<String>,
    pub answer: Answer,
}

/// Where an answer goes before anything is done with it.
type Keep = Box<dyn Fn(&Answered) -> Result<(), String> + Send + Sync>;

/// The answers of a run.
pub struct AnswerStore {
    known: Mutex<HashMap<String, Answer>>,
    /// Answers that were kept with the words of their requests, by the attempt, which of its requests, and those words.
    by_words: HashMap<String, Answer>,
    keep: Keep,
}

impl AnswerStore {
    /// A store that knows these, and hands each new one to `keep`, which says what went wrong.
    pub fn new(
        known: impl IntoIterator<Item = Answered>,
        keep: impl Fn(&Answered) -> Result<(), String> + Send + Sync + 'static,
    ) -> Arc<Self> {
        let (mut answers, mut by_words) = (HashMap::new(), HashMap::new());
        for Answered { request, words, answer } in known {
            if let (Some(words), Some((place, _))) = (words, request.rsplit_once(' ')) {
                by_words.insert(format!("{place} {words}"), answer.clone());
            }
            answers.insert(request, answer);
        }
        Arc::new(Self { known: Mutex::new(answers), by_words, keep: Box::new(keep) })
    }

    fn get(&self, request: &str) -> Option<Answer> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(request).cloned()
    }

    /// The answer to the same request of the same attempt in the same words, with whatever pictures.
    fn get_by_words(&self, name: &Name) -> Option<Answer> {
        let answer = self.by_words.get(&format!("{} {}", name.place, name.words)).cloned()?;
        Some(Answer { picture_differs: true, ..answer })
    }

    fn add(&self, Name { place, whole, words }: Name, answer: Answer) -> Result<(), String> {
        let answered = Answered { request: format!("{place} {whole}"), words: Some(words), answer };
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
    fn name(&self, request: &Request) -> Name {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        *asked += 1;
        let place = format!("{} {asked}", self.attempt);
        Name { place, whole: digest(request, Digested::Whole), words: digest(request, Digested::Words) }
    }
}

/// What tells a request from all others of its run.
struct Name {
    /// The attempt, and which of its requests.
    place: String,
    /// The digest of the request.
    whole: String,
    /// The same without pictures.
    words: String,
}

/// What of a request is digested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Digested {
    Whole,
    /// All but what pictures show: that there is one counts.
    Words,
}

/// What is sent, in a digest. Only tools, calls and results add to it, so that runs without them keep their digests.
fn digest(request: &Request, part: Digested) -> String {
    let of = |message: &Message| {
        let seen = |png: &Arc<Vec<u8>>| match part {
            Digested::Whole => sha256_hex(png.as_slice()),
            Digested::Words => String::new(),
        };
        let mut pictures = message.pictures.iter().map(seen);
        let mut parts =
            vec![json!(message.role), json!(message.text), json!(message.reasoning), json!(pictures.next())];
        let more: Vec<String> = pictures.collect();
        parts.extend((!more.is_empty()).then(|| json!({"pictures": more})));
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
        let name = self.name(asked);
        let request = format!("{} {}", name.place, name.whole);
        if let Some(answer) = self.store.get(&request) {
            return Ok(answer);
        }
        let Some(model) = &self.behind else {
            // What moves by itself is never twice at the same place, and the model's answer was to what it saw then.
            return self.store.get_by_words(&name).ok_or(ModelError::NotRecorded { request });
        };
        let answer = model.send(asked).await?;
        self.store.add(name, answer.clone()).map_err(ModelError::NotKept)?;
        Ok(answer)
    }
}
