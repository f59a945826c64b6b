//! A model behind an endpoint.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;

use super::{AskError, Asker, Question, Response};
use crate::agent::model::{Message, ModelClient, ModelError, Role};
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
        let user = Message::new(Role::User, question.user.as_str()).showing(Arc::clone(&question.picture));
        let messages: Vec<Message> = system.into_iter().chain([user]).collect();
        let asked = self.client.ask(&messages).await;
        let seconds = began.elapsed().as_secs_f64();
        match asked {
            Ok(answer) => {
                let cost = Cost {
                    seconds,
                    calls: answer.tries,
                    input_tokens: answer.usage.input_tokens,
                    output_tokens: answer.usage.output_tokens,
                };
                Ok(Response { text: answer.text, cost })
            }
            Err(source) => {
                let cost = Cost { seconds, calls: tries(&source), ..Cost::default() };
                Err(AskError::Model { source, cost })
            }
        }
    }
}

/// How many requests a failure took, as far as the error knows.
const fn tries(error: &ModelError) -> u32 {
    match error {
        ModelError::Busy { tries, .. } | ModelError::TimedOut { tries, .. } | ModelError::Unreachable { tries, .. } => {
            *tries
        }
        _ => 1,
    }
}
