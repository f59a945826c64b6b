//! A model that gives texts their vectors, asked as other models are: the answer to a text is a JSON list of numbers, so
//! that it is kept, counted and played again like any other.

use async_trait::async_trait;

use super::{Answer, ModelClient, ModelError, Request};
use crate::agent::llm::Model;

/// Answers with the vector of the last message.
#[derive(Debug)]
pub struct VectorModel(ModelClient);

impl VectorModel {
    pub const fn new(client: ModelClient) -> Self {
        Self(client)
    }
}

#[async_trait]
impl Model for VectorModel {
    async fn send(&self, request: &Request) -> Result<Answer, ModelError> {
        self.0.embed(request.messages.last().map_or("", |message| message.text.as_str())).await
    }
}
