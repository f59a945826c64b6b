//! The planner as an actor: its models by their roles, and the agents for each task.

use std::collections::BTreeMap;
use std::fmt::{Debug, Formatter};
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::items::MakeAgent;
use crate::agent::llm::{AnswerStore, Model, Remembering};
use crate::agent::model::ModelRole;
use crate::agent::planner::{Models, PlannerAgent, PlannerStyle, Prompts};
use crate::taskset::TaskEntry;

/// A planner as an actor.
#[derive(Clone)]
pub struct PlannerActor {
    /// What answers in each role; none when the answers of an earlier run are all that there is.
    pub models: BTreeMap<ModelRole, Arc<dyn Model>>,
    /// The name of the model that gives vectors; texts are compared by their words where absent.
    pub embedder: Option<String>,
    pub prompts: Prompts,
    pub style: PlannerStyle,
    /// Whether attempts learn.
    pub learns: bool,
    /// What they know of each other, for records.
    pub memory: Value,
    /// What is asked for in each role, for records: endpoint, model, and how it answers.
    pub roles: Value,
    /// The run whose answers take the models' place.
    pub replays: Option<PathBuf>,
}

impl Debug for PlannerActor {
    fn fmt(&self, to: &mut Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("PlannerActor").field("style", &self.style).field("roles", &self.roles).finish_non_exhaustive()
    }
}

impl PlannerActor {
    /// Everything that decides what it does, for records.
    pub(super) fn options(&self) -> Value {
        let Self { roles, style, prompts, memory, replays, .. } = self;
        json!({"roles": roles, "style": style, "prompts": prompts.digest(), "memory": memory, "replays": replays})
    }

    /// Makes the agents for attempts at a task, whose run keeps its answers here.
    pub(super) fn agents(&self, task: &TaskEntry, answers: &Arc<AnswerStore>) -> MakeAgent {
        let (actor, id, answers) = (self.clone(), task.task.id.clone(), Arc::clone(answers));
        Box::new(move |attempt| {
            let in_role = |role: ModelRole| -> Arc<dyn Model> {
                let name = request_name(&format!("{id}.{attempt}"), role);
                Arc::new(Remembering::new(Arc::clone(&answers), actor.models.get(&role).cloned(), name))
            };
            let models = Models {
                main: in_role(ModelRole::Main),
                reflect: in_role(ModelRole::Reflect),
                ground: in_role(ModelRole::Ground),
                embed: actor.embedder.clone().map(|name| (name, in_role(ModelRole::Embed))),
            };
            Box::new(PlannerAgent::new(models, actor.prompts.clone(), actor.style, actor.learns))
        })
    }
}

/// What the answers of a role are kept under in an attempt.
fn request_name(attempt: &str, role: ModelRole) -> String {
    format!("{attempt}/{role}")
}

/// The role that a kept answer was given in; that of the only model where there is one.
pub fn role_of_request(request: &str) -> ModelRole {
    let attempt = request.split(' ').next().unwrap_or_default();
    attempt.rsplit_once('/').and_then(|(_, role)| role.parse().ok()).unwrap_or(ModelRole::Main)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_answers_name_their_role() {
        let request = format!("{} 3 abc", request_name("ferry.1", ModelRole::Ground));
        assert_eq!(role_of_request(&request), ModelRole::Ground);
        assert_eq!(role_of_request("ferry.1 3 abc"), ModelRole::Main, "agents with one model name none");
    }
}
