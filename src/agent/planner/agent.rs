//! The loop: plan, take up the next subtask, work on it until it is finished or fails, plan again.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::answer::Decided;
use super::desk::{Desk, Models};
use super::graph::Subtask;
use super::knowledge::{Kind, Knowledge};
use super::manager::{Manager, Situation, narrative_key, shown, unusable};
use super::prompts::{Part, Prompts};
use super::style::PlannerStyle;
use super::worker::{Came, Conventions, Worker};
use crate::agent::llm::turn_text::{elements, picture};
use crate::agent::memory::MemoryState;
use crate::agent::model::{Message, ModelRole, Role};
use crate::agent::{Agent, AgentError, Decision, Observing, Spent, Turn, View};
use crate::model::ActionCall;

/// A step in which so many requests were made takes up no further subtask: the decision is lost instead. A subtask needs
/// at most 14 (lookups with vectors 3, query, plan, two graphs, looking back, deciding, two places twice, and what was
/// learned), so that no step makes more than 30.
const REQUESTS: u32 = 16;
/// Bytes of what was done that are told to who sums it up: the last ones.
const STORY: usize = 24 << 10;
/// Bytes of all notes; the oldest go.
const NOTES: usize = 8 << 10;

/// Plans a task, works on it subtask by subtask, and learns from it.
pub struct PlannerAgent {
    desk: Desk,
    prompts: Prompts,
    style: PlannerStyle,
    /// Whether it learns from the attempt.
    learns: bool,
    memory: MemoryState,
    knowledge: Knowledge,
    manager: Manager,
    worker: Option<Worker>,
    /// Whether a plan is to be made before the next subtask.
    wants_plan: bool,
    notes: Vec<String>,
    /// What was done, subtask by subtask.
    story: Vec<String>,
    has_learned: bool,
    fault: Option<String>,
}

impl PlannerAgent {
    /// An agent for one attempt.
    pub fn new(models: Models, prompts: Prompts, style: PlannerStyle, learns: bool) -> Self {
        Self {
            desk: Desk::new(models),
            prompts,
            style,
            learns,
            memory: MemoryState::default(),
            knowledge: Knowledge::default(),
            manager: Manager::default(),
            worker: None,
            wants_plan: true,
            notes: Vec::new(),
            story: Vec::new(),
            has_learned: false,
            fault: None,
        }
    }

    /// The subtask that is worked on: the one begun, or the next; `None` when none is left.
    async fn take_up(&mut self, now: &Situation<'_>) -> Result<Option<Worker>, AgentError> {
        if let Some(worker) = self.worker.take() {
            return Ok(Some(worker));
        }
        if self.wants_plan {
            self.manager.plan(&mut self.desk, &self.prompts, &mut self.knowledge, now).await?;
            self.wants_plan = false;
        }
        let Some(subtask) = self.manager.queue.pop_front() else { return Ok(None) };
        let known = (&self.prompts, &mut self.knowledge);
        Worker::begin(subtask, &self.manager, &mut self.desk, known, now.instruction).await.map(Some)
    }

    /// Ends a subtask; the call that ends the attempt, if it was the last of the plan.
    async fn end(
        &mut self,
        worker: Worker,
        is_done: bool,
        instruction: &str,
    ) -> Result<Option<ActionCall>, AgentError> {
        let ended = if is_done { "finished" } else { "failed" };
        self.tell(&worker, ended);
        let Worker { subtask, key, .. } = &worker;
        if is_done {
            if self.learns {
                let text =
                    self.sum_up(Part::Episode, "episode", instruction, Some(subtask), &tail(worker.outlines())).await?;
                self.learned(Kind::Episodic, instruction, key.clone(), text);
            }
            self.manager.finished.push(subtask.clone());
        } else {
            let reason = worker.outlines().last().cloned().unwrap_or_default();
            self.manager.failed = Some((subtask.clone(), reason));
        }
        self.wants_plan = true;
        // As in the published agent, what the last subtask of a plan comes to is what the task comes to.
        let is_last = self.manager.queue.is_empty();
        Ok(is_last.then(|| ending(if is_done { "done" } else { "failed" }, &format!("the last subtask {ended}"))))
    }

    /// Adds a subtask to what was done.
    fn tell(&mut self, worker: &Worker, ended: &str) {
        let rounds = worker.outlines().join("\n");
        self.story.push(format!("Subtask \"{}\", which {ended}:\n{rounds}", worker.subtask.name));
    }

    async fn sum_up(
        &mut self,
        part: Part,
        purpose: &'static str,
        instruction: &str,
        subtask: Option<&Subtask>,
        rounds: &str,
    ) -> Result<String, AgentError> {
        let system = self.prompts.fill(part, json!({})).map_err(|error| unusable(&error))?;
        let story = json!({"instruction": instruction, "subtask": subtask.map(shown), "rounds": rounds});
        let story = self.prompts.fill(Part::Story, story).map_err(|error| unusable(&error))?;
        let sent = vec![Message::new(Role::System, system), Message::new(Role::User, story)];
        Ok(self.desk.ask(ModelRole::Main, purpose, sent).await?.text.trim().to_owned())
    }

    /// Keeps a lesson; an empty one is none.
    fn learned(&mut self, kind: Kind, instruction: &str, key: String, text: String) {
        if !text.is_empty() {
            self.knowledge.add(kind, instruction, key, text);
            self.has_learned = true;
        }
    }

    fn note(&mut self, notes: Vec<String>) {
        self.notes.extend(notes);
        while self.notes.iter().map(String::len).sum::<usize>() > NOTES {
            self.notes.remove(0);
        }
    }
}

#[async_trait]
impl Agent for PlannerAgent {
    fn look(&self) -> Option<Map<String, Value>> {
        let elements = if self.style.elements { "full" } else { "off" };
        let look = [("picture", "png"), ("elements", elements)];
        Some(look.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect())
    }

    fn observing(&self) -> Observing {
        self.style.observing
    }

    async fn decide(&mut self, view: View<'_>) -> Result<Decision, AgentError> {
        if let Some(fault) = &self.fault {
            return Err(AgentError::Failed(fault.clone()));
        }
        let seen = view.observation.unwrap_or(&Value::Null);
        let now = Situation { instruction: view.instruction, picture: picture(seen) };
        let listed = self.style.elements.then(|| elements(seen, self.style.observing));
        let conventions = Conventions { main: self.style.convention, ground: self.style.ground_convention };
        self.desk.begin(view.step);
        while self.desk.asked() < REQUESTS {
            let Some(mut worker) = self.take_up(&now).await? else {
                return Ok(ending("done", "nothing is left of the plan").into());
            };
            let shown = (&now, listed.as_deref(), self.notes.as_slice());
            let came = worker.round(&mut self.desk, &self.prompts, shown, conventions).await?;
            let is_done = match came {
                Came::To(Decided::Finished) => true,
                Came::To(Decided::Failed) => false,
                other => {
                    self.worker = Some(worker);
                    return Ok(match other {
                        Came::To(Decided::Act(call)) => call.into(),
                        // It takes a step, as there.
                        Came::To(Decided::Note(notes)) => {
                            self.note(notes);
                            Decision::Wasted
                        }
                        _ => Decision::Wasted,
                    });
                }
            };
            if let Some(call) = self.end(worker, is_done, view.instruction).await? {
                return Ok(call.into());
            }
        }
        Ok(Decision::Wasted)
    }

    fn spent(&self) -> Spent {
        self.desk.spent()
    }

    fn waits_for_provider(&self) -> bool {
        true
    }

    fn recall(&mut self, memory: MemoryState) {
        match Knowledge::read(&memory) {
            Ok(knowledge) => self.knowledge = knowledge,
            Err(fault) => self.fault = Some(fault),
        }
        self.memory = memory;
    }

    fn learns(&self) -> bool {
        self.learns
    }

    async fn learn(&mut self, view: View<'_>) -> Result<(), AgentError> {
        if let Some(worker) = self.worker.take() {
            self.tell(&worker, "was not ended");
        }
        if self.story.is_empty() {
            return Ok(());
        }
        self.desk.begin(view.step);
        let rounds = tail(&self.story);
        let text = self.sum_up(Part::Narrative, "narrative", view.instruction, None, &rounds).await?;
        let key = narrative_key(view.instruction, self.manager.query());
        self.learned(Kind::Narrative, view.instruction, key, text);
        Ok(())
    }

    fn take_memory(&mut self) -> Option<MemoryState> {
        self.has_learned.then(|| {
            let mut memory = self.memory.clone();
            self.knowledge.write(&mut memory);
            memory
        })
    }

    fn take_turns(&mut self) -> Vec<Turn> {
        self.desk.take_turns()
    }
}

/// The last of what was done.
fn tail(story: &[String]) -> String {
    let story = story.join("\n\n");
    let start = story.ceil_char_boundary(story.len().saturating_sub(STORY));
    if start == 0 { story } else { format!("…{}", &story[start..]) }
}

fn ending(api: &str, reason: &str) -> ActionCall {
    ActionCall::new(api, Map::from_iter([("reason".to_owned(), json!(reason))]))
}

#[cfg(test)]
#[path = "agent_tests.rs"]
mod tests;
