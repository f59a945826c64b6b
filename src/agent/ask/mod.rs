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

use super::model::AnswerForm;
use crate::model::Cost;

#[derive(Debug, Clone, Default)]
pub struct Question {
    /// What holds for all questions.
    pub system: String,
    /// The question itself; empty where the picture alone is sent.
    pub user: String,
    /// What is to be seen, as PNGs in the order in which the question speaks of them.
    pub pictures: Vec<Arc<Vec<u8>>>,
    /// What is asked of the answer's form; programs are not told.
    pub form: AnswerForm,
    /// What else a program may want to know, such as the item's name and its session.
    pub about: Map<String, Value>,
    /// Files that a program finds in its own folder. Models are not sent them.
    pub files: Vec<QuestionFile>,
}

/// A file that goes with a question to a program. A copy: where the original is, no program is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionFile {
    /// Its name in the program's folder.
    pub name: &'static str,
    pub content: Vec<u8>,
    /// The member of the question's object that has its path, if one does.
    pub member: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub text: String,
    /// Whether it was cut off at the longest length.
    pub is_cut: bool,
    /// Whether the provider's filter held it back.
    pub is_filtered: bool,
    pub cost: Cost,
}

impl Response {
    /// A whole answer.
    pub const fn whole(text: String, cost: Cost) -> Self {
        Self { text, is_cut: false, is_filtered: false, cost }
    }
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
