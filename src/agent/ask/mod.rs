//! One question with a picture, one answer: what the benchmarks of single drags and of perception ask for.
//!
//! A model behind an endpoint, or a program of the user's, answers. Answers are texts, interpreted elsewhere.

mod error;
mod model;
mod process;
mod wording;

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};

pub use error::AskError;
pub use model::ModelAsker;
pub use process::ProcessAsker;
pub use wording::{QuestionPrompts, Templates, Wording, WordingError};

use crate::model::Cost;

#[derive(Debug, Clone)]
pub struct Question {
    /// What holds for all questions.
    pub system: String,
    /// The question itself; empty where the picture alone is sent.
    pub user: String,
    /// What is to be seen, as PNGs in the order in which the question speaks of them.
    pub pictures: Vec<Arc<Vec<u8>>>,
    /// What else a program may want to know, such as the item's name and its session.
    pub about: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub text: String,
    pub cost: Cost,
}

/// Answers questions. Several may be asked at a time.
#[async_trait]
pub trait Asker: Send + Sync {
    /// Asks one question.
    ///
    /// # Errors
    /// When there is no answer, after all tries.
    async fn ask(&self, question: &Question) -> Result<Response, AskError>;
}
