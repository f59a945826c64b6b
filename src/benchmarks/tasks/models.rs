//! Language models as actors: all that decides what their agents do, and the agents for each attempt.

use std::fmt::{Debug, Formatter};
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::agent::awm::{AwmAgent, AwmPrompts, Learning};
use crate::agent::llm::{AnswerStore, LlmAgent, Model, Prompts, Remembering, Style};
use crate::agent::memory::MemoryUse;
use crate::model::Mode;
use crate::taskset::TaskEntry;

/// Which model is asked.
#[derive(Clone)]
pub struct AskedModel {
    /// What answers; absent when the answers of an earlier run are all that there is.
    pub model: Option<Arc<dyn Model>>,
    /// What is asked for, for records: endpoint, model, and how it answers.
    pub options: Value,
    /// The run whose answers take the model's place.
    pub replays: Option<PathBuf>,
}

impl Debug for AskedModel {
    fn fmt(&self, to: &mut Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("AskedModel").field("options", &self.options).finish_non_exhaustive()
    }
}

impl AskedModel {
    /// The model as an attempt of a run asks it that keeps its answers here.
    fn for_attempt(&self, task: &TaskEntry, attempt: u32, answers: &Arc<AnswerStore>) -> Arc<dyn Model> {
        Arc::new(Remembering::new(Arc::clone(answers), self.model.clone(), name(task, attempt)))
    }
}

/// What names an attempt among those of its run.
fn name(task: &TaskEntry, attempt: u32) -> String {
    format!("{}.{attempt}", task.task.id)
}

/// A language model that is asked for actions.
#[derive(Debug, Clone)]
pub struct ModelActor {
    pub asked: AskedModel,
    pub prompts: Prompts,
    pub style: Style,
}

impl ModelActor {
    pub(super) fn options(&self) -> Value {
        let AskedModel { options, replays, .. } = &self.asked;
        json!({"model": options, "style": self.style, "prompts": self.prompts.digest(), "replays": replays})
    }

    pub(super) fn agent(&self, mode: Mode, task: &TaskEntry, attempt: u32, answers: &Arc<AnswerStore>) -> LlmAgent {
        let model = self.asked.for_attempt(task, attempt, answers);
        LlmAgent::new(model, self.prompts.clone(), mode, self.style, name(task, attempt))
    }
}

/// A language model with workflow memory.
#[derive(Debug, Clone)]
pub struct AwmActor {
    pub asked: AskedModel,
    pub prompts: AwmPrompts,
    /// What the model sees; the rest of it is not heeded.
    pub style: Style,
    pub memory: MemoryUse,
    /// Decides the order of attempts, and what workflows are made from.
    pub seed: u64,
}

impl AwmActor {
    pub(super) fn options(&self) -> Value {
        let AskedModel { options, replays, .. } = &self.asked;
        json!({
            "kind": "awm",
            "model": options,
            "style": {"observing": self.style.observing},
            "prompts": self.prompts.digest(),
            "replays": replays,
            "memory": self.memory.record(),
            "seed": self.seed,
        })
    }

    pub(super) fn agent(&self, mode: Mode, task: &TaskEntry, attempt: u32, answers: &Arc<AnswerStore>) -> AwmAgent {
        let model = self.asked.for_attempt(task, attempt, answers);
        let learning = if self.memory.grows() {
            Learning::Seeded(format!("{} {}", self.seed, name(task, attempt)))
        } else {
            Learning::No
        };
        AwmAgent::new(model, self.prompts.clone(), mode, self.style, learning)
    }
}
