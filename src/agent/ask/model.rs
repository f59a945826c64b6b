//! A model behind an endpoint.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;

use super::{AskError, Asker, Question, Response};
use crate::agent::model::{Message, ModelClient, Request, Role};
use crate::model::Cost;

#[derive(Debug)]
pub struct ModelAsker {
    client: ModelClient,
}

impl ModelAsker {
    pub const fn new(client: ModelClient) -> Self {
        Self { client }
    }
}

#[async_trait]
impl Asker for ModelAsker {
    async fn ask(&self, question: &Question) -> Result<Response, AskError> {
        let began = Instant::now();
        let system = (!question.system.is_empty()).then(|| Message::new(Role::System, question.system.as_str()));
        let user = Message::new(Role::User, question.user.as_str());
        let user = question.pictures.iter().fold(user, |user, picture| user.showing(Arc::clone(picture)));
        let messages: Vec<Message> = system.into_iter().chain([user]).collect();
        let request = Request { messages, form: question.form.clone(), ..Request::default() };
        let asked = self.client.send(&request).await;
        let seconds = began.elapsed().as_secs_f64();
        match asked {
            Ok(answer) => {
                let cost = Cost { seconds, ..answer.usage.cost(answer.tries) };
                Ok(Response { text: answer.text, is_cut: answer.is_cut, is_filtered: answer.is_filtered, cost })
            }
            Err(source) => {
                let cost = Cost { seconds, calls: source.tries(), ..Cost::default() };
                Err(AskError::Model { source, cost })
            }
        }
    }
}
