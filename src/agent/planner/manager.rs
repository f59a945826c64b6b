//! The manager: what a plan needs to know, the plan, its graph, and the order of the subtasks.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::json;

use super::desk::Desk;
use super::graph::{GraphFault, Subtask, lines_of, read_first_graph, read_graph};
use super::knowledge::{Kind, Knowledge, Lesson, Vector};
use super::prompts::{Part, Prompts};
use crate::agent::model::{Message, ModelRole, Role};
use crate::agent::{AgentError, TemplateError};

/// Characters of a question that lessons are looked up by.
const QUERY: usize = 1_000;

/// What a plan is made from.
pub(super) struct Situation<'a> {
    pub(super) instruction: &'a str,
    /// The screenshot, as PNG.
    pub(super) picture: Option<Arc<Vec<u8>>>,
}

impl Situation<'_> {
    /// A message that shows the screenshot, if there is one.
    pub(super) fn message(&self, text: String) -> Message {
        let message = Message::new(Role::User, text);
        match &self.picture {
            Some(png) => message.showing(Arc::clone(png)),
            None => message,
        }
    }
}

/// Plans an attempt.
#[derive(Default)]
pub(super) struct Manager {
    /// What lessons are looked up by, once it was asked for.
    query: Option<String>,
    /// Subtasks that are left, the next one first.
    pub(super) queue: VecDeque<Subtask>,
    pub(super) finished: Vec<Subtask>,
    /// The subtask that failed last, with the worker's last words.
    pub(super) failed: Option<(Subtask, String)>,
    has_plan: bool,
}

impl Manager {
    /// The question that lessons are looked up by.
    pub(super) fn query(&self) -> &str {
        self.query.as_deref().unwrap_or_default()
    }

    /// Makes a plan for what is left of the task. At first it may not be empty.
    ///
    /// # Errors
    /// When a request has no answer, or the user's texts can't be used.
    pub(super) async fn plan(
        &mut self,
        desk: &mut Desk,
        prompts: &Prompts,
        knowledge: &mut Knowledge,
        now: &Situation<'_>,
    ) -> Result<(), AgentError> {
        let experience = if self.has_plan { None } else { self.experience(desk, prompts, knowledge, now).await? };
        let (failed, reason) = self.failed.take().unzip();
        let request = json!({
            "instruction": now.instruction,
            "failed": failed.as_ref().map(shown),
            "reason": reason,
            "finished": self.finished.iter().map(shown).collect::<Vec<_>>(),
            "left": self.queue.iter().map(shown).collect::<Vec<_>>(),
            "experience": experience.as_ref().map(|lesson| json!({"key": lesson.key, "text": lesson.text})),
        });
        let system = prompts.fill(Part::Plan, json!({})).map_err(|error| unusable(&error))?;
        let request = prompts.fill(Part::PlanRequest, request).map_err(|error| unusable(&error))?;
        let sent = vec![Message::new(Role::System, system), now.message(request)];
        let plan = desk.ask(ModelRole::Main, "plan", sent).await?.text;
        self.queue = self.ordered(desk, prompts, now.instruction, &plan).await?.into();
        self.has_plan = true;
        Ok(())
    }

    /// Asks for the question, and looks up the nearest lesson of another task.
    async fn experience(
        &mut self,
        desk: &mut Desk,
        prompts: &Prompts,
        knowledge: &mut Knowledge,
        now: &Situation<'_>,
    ) -> Result<Option<Lesson>, AgentError> {
        if self.query.is_none() {
            let request =
                prompts.fill(Part::Query, json!({"instruction": now.instruction})).map_err(|error| unusable(&error))?;
            let answer = desk.ask(ModelRole::Main, "query", vec![now.message(request)]).await?;
            self.query = Some(answer.text.trim().chars().take(QUERY).collect());
        }
        let key = narrative_key(now.instruction, self.query());
        nearest(desk, knowledge, Kind::Narrative, now.instruction, &key).await
    }

    /// The plan as subtasks in order. A graph that can't be read is answered once with what is wrong; after that the lines
    /// of the plan are taken in their order.
    async fn ordered(
        &self,
        desk: &mut Desk,
        prompts: &Prompts,
        instruction: &str,
        plan: &str,
    ) -> Result<Vec<Subtask>, AgentError> {
        let read = |answer: &str| if self.has_plan { read_graph(answer) } else { read_first_graph(answer) };
        let system = prompts.fill(Part::Graph, json!({})).map_err(|error| unusable(&error))?;
        let request = json!({"instruction": instruction, "plan": plan});
        let request = prompts.fill(Part::GraphRequest, request).map_err(|error| unusable(&error))?;
        let mut sent = vec![Message::new(Role::System, system), Message::new(Role::User, request)];
        let answer = desk.ask(ModelRole::Main, "graph", sent.clone()).await?.text;
        let fault = match read(&answer) {
            Ok(order) => return Ok(order),
            Err(fault) => noted(desk, &fault),
        };
        let again = prompts.fill(Part::GraphAgain, json!({"fault": fault})).map_err(|error| unusable(&error))?;
        let said = if answer.trim().is_empty() { "(no answer)" } else { answer.as_str() };
        sent.extend([Message::new(Role::Assistant, said), Message::new(Role::User, again)]);
        let answer = desk.ask(ModelRole::Main, "graph", sent).await?.text;
        Ok(read(&answer).unwrap_or_else(|fault| {
            noted(desk, &fault);
            in_line(plan, instruction)
        }))
    }
}

/// What is wrong with a graph, once it is recorded.
fn noted(desk: &mut Desk, fault: &GraphFault) -> String {
    let fault = fault.to_string();
    desk.note_read(Err(fault.clone()));
    fault
}

/// The lines of a plan, or the task as a whole where it has none.
fn in_line(plan: &str, instruction: &str) -> Vec<Subtask> {
    let lines = lines_of(plan);
    if lines.is_empty() { lines_of(&instruction.replace(['\r', '\n'], " ")) } else { lines }
}

/// A subtask in a template.
pub(super) fn shown(subtask: &Subtask) -> serde_json::Value {
    json!({"name": subtask.name, "info": subtask.info})
}

/// What a lesson of a task is found by.
pub(super) fn narrative_key(instruction: &str, query: &str) -> String {
    format!("Task: {instruction}\n{query}").trim().to_owned()
}

/// The lesson nearest to a key, of another task.
pub(super) async fn nearest(
    desk: &mut Desk,
    knowledge: &mut Knowledge,
    kind: Kind,
    task: &str,
    key: &str,
) -> Result<Option<Lesson>, AgentError> {
    if !knowledge.has_any(kind, task) {
        return Ok(None);
    }
    let Some(model) = desk.embedder().map(str::to_owned) else {
        return Ok(knowledge.nearest_by_words(kind, task, key).cloned());
    };
    // Each key is asked for once: its vector is part of what is learned.
    for lacking in knowledge.without_vector(kind, task, &model) {
        let numbers = desk.vector(&lacking).await?;
        knowledge.set_vector(kind, &lacking, &Vector { model: model.clone(), numbers });
    }
    let numbers = desk.vector(key).await?;
    Ok(knowledge.nearest_by_vector(kind, task, &Vector { model, numbers }).cloned())
}

/// The user's texts can't be used after all.
pub(super) fn unusable(error: &TemplateError) -> AgentError {
    AgentError::Failed(error.to_string())
}
