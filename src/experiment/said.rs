//! Answers to single questions: from a model or program that was asked, or given elsewhere.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::RunError;
use crate::agent::{AskError, Response};
use crate::model::Cost;

/// An answer, or why it is missing and what that cost.
pub type Said = Result<Response, (String, Cost)>;

/// Answers by item: a text, or why there is none.
pub type Given = BTreeMap<String, Result<String, String>>;

/// What a model or program said.
///
/// # Errors
/// When no question can be asked like this: then the run ends.
pub fn said(result: Result<Response, AskError>) -> Result<Said, RunError> {
    match result {
        Ok(said) => Ok(Ok(said)),
        Err(error) if error.is_final() => Err(error.into()),
        Err(error) => Ok(Err((error.to_string(), error.cost()))),
    }
}

/// What a built-in answerer says, which costs nothing.
///
/// # Errors
/// Never: an answer is there.
pub fn free(text: String) -> Said {
    Ok(Response::whole(text, Cost::default()))
}

/// What was said of an item elsewhere.
///
/// # Errors
/// Why there is no answer, which cost nothing.
pub fn said_elsewhere(answers: &Given, item: &str) -> Said {
    match answers.get(item) {
        Some(Ok(text)) => free(text.clone()),
        Some(Err(error)) => Err((error.clone(), Cost::default())),
        None => Err(("there is no answer".to_owned(), Cost::default())),
    }
}

/// What came back for one item, elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    pub id: String,
    /// The answer as it was given, if there was one.
    #[serde(default)]
    pub response: Option<String>,
    #[serde(default)]
    pub error: Option<String>,
}

/// A reply that belongs to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stray {
    /// There is no such item.
    Unknown(String),
    /// Another reply named it before.
    Twice(String),
}

/// Replies by their items, each an answer or why it is missing.
///
/// # Errors
/// When a reply names no item of these, or one that another reply named before.
pub fn given(is_known: impl Fn(&str) -> bool, replies: Vec<Reply>) -> Result<Given, Stray> {
    let mut by_id = Given::new();
    for Reply { id, response, error } in replies {
        if !is_known(&id) {
            return Err(Stray::Unknown(id));
        }
        if by_id.contains_key(&id) {
            return Err(Stray::Twice(id));
        }
        by_id.insert(id, response.ok_or_else(|| error.unwrap_or_else(|| "there is no answer".to_owned())));
    }
    Ok(by_id)
}
