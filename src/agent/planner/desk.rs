//! The models of a planner, by their roles, and what is asked of them.

use std::sync::Arc;

use crate::agent::asking::Asking;
use crate::agent::llm::Model;
use crate::agent::model::{Answer, Message, ModelRole, Request, Role};
use crate::agent::{AgentError, Spent, Turn};
use crate::model::ActionCall;

/// Who is asked in each role.
#[derive(Clone)]
pub struct Models {
    /// Plans, acts and sums up.
    pub main: Arc<dyn Model>,
    /// Looks at what was done.
    pub reflect: Arc<dyn Model>,
    /// Finds places in pictures.
    pub ground: Arc<dyn Model>,
    /// Gives vectors, with the name that tells its vectors from others'; texts are compared by their words where absent.
    pub embed: Option<(String, Arc<dyn Model>)>,
}

/// Asks them, and counts the requests of a step.
pub(super) struct Desk {
    models: Models,
    asking: Asking,
    step: u32,
    /// Requests of the step so far.
    asked: u32,
}

impl Desk {
    pub(super) fn new(models: Models) -> Self {
        let asking = Asking::new(Arc::clone(&models.main));
        Self { models, asking, step: 0, asked: 0 }
    }

    /// Begins the step of this number.
    pub(super) const fn begin(&mut self, step: u32) {
        self.step = step;
        self.asked = 0;
    }

    /// Requests since the step began.
    pub(super) const fn asked(&self) -> u32 {
        self.asked
    }

    /// Asks a role, for a purpose that records name.
    pub(super) async fn ask(
        &mut self,
        role: ModelRole,
        purpose: &'static str,
        sent: Vec<Message>,
    ) -> Result<Answer, AgentError> {
        self.asked += 1;
        let model = match role {
            ModelRole::Main => Arc::clone(&self.models.main),
            ModelRole::Reflect => Arc::clone(&self.models.reflect),
            ModelRole::Ground => Arc::clone(&self.models.ground),
            ModelRole::Embed => match &self.models.embed {
                Some((_, model)) => Arc::clone(model),
                None => return Err(AgentError::Failed("no model gives vectors".to_owned())),
            },
        };
        self.asking.ask_as(Some((role, model)), self.step, purpose, Request::from(sent.as_slice())).await
    }

    /// The name of the model that gives vectors.
    pub(super) fn embedder(&self) -> Option<&str> {
        self.models.embed.as_ref().map(|(name, _)| name.as_str())
    }

    /// The vector of a text.
    pub(super) async fn vector(&mut self, text: &str) -> Result<Vec<f32>, AgentError> {
        let answer = self.ask(ModelRole::Embed, "embed", vec![Message::new(Role::User, text)]).await?;
        let numbers: Result<Vec<f32>, _> = serde_json::from_str(&answer.text);
        let numbers = numbers.map_err(|_| "is no list of numbers".to_owned());
        let numbers = numbers.and_then(|all| if all.is_empty() { Err("is empty".to_owned()) } else { Ok(all) });
        numbers.map_err(|fault| {
            self.asking.note_read(Err(format!("the vector {fault}")));
            AgentError::Provider(format!("the endpoint of the role embed gives no vectors: one {fault}"))
        })
    }

    /// Records what was read from the last answer.
    pub(super) fn note_read(&mut self, read: Result<ActionCall, String>) {
        self.asking.note_read(read);
    }

    pub(super) fn spent(&self) -> Spent {
        self.asking.spent()
    }

    pub(super) fn take_turns(&mut self) -> Vec<Turn> {
        self.asking.take_turns()
    }
}
