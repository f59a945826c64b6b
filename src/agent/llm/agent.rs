//! The loop: what there is to see goes to the model, its answer becomes an action.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::history::Conversation;
use super::prompts::Prompts;
use super::style::Style;
use super::turn_text::{line, look, question};
use super::{Fault, Model, read_call};
use crate::agent::asking::{ACT, Asking};
use crate::agent::model::{Answer, Message, Role};
use crate::agent::{Agent, AgentError, Decision, Observing, Spent, TemplateError, Turn, View};
use crate::model::{ActionCall, Mode, Point};
use crate::perceive::Convention;
use crate::prompt;

/// Pairs of arguments that are a point.
const POINTS: [(&str, &str); 3] = [("x", "y"), ("start_x", "start_y"), ("end_x", "end_y")];
/// Bytes of an answer that are sent back to its model; a few hundred would do.
const ANSWER_BYTES: usize = 64 << 10;

/// Asks a model for each action.
pub struct LlmAgent {
    asking: Asking,
    prompts: Prompts,
    mode: Mode,
    style: Style,
    talk: Option<Conversation>,
    /// The action that was decided last, with its number.
    decided: Option<(u32, ActionCall)>,
}

impl LlmAgent {
    /// An agent for one attempt.
    pub fn new(model: Arc<dyn Model>, prompts: Prompts, mode: Mode, style: Style) -> Self {
        Self { asking: Asking::new(model), prompts, mode, style, talk: None, decided: None }
    }

    /// The conversation, begun if it is not.
    fn talk(&mut self, instruction: &str) -> Result<&mut Conversation, AgentError> {
        let talk = if let Some(talk) = self.talk.take() {
            talk
        } else {
            let system = self.prompts.system(instruction, self.mode, &self.style);
            let system = system.map_err(|error| unusable(&error))?;
            Conversation::begin(self.style, Message::new(Role::System, system))
        };
        Ok(self.talk.insert(talk))
    }

    /// Asks once, and reads the answer. What came of it is recorded in any case.
    async fn ask(&mut self, step: u32, sent: Vec<Message>) -> Result<(Answer, Result<ActionCall, Fault>), AgentError> {
        let answer = self.asking.ask(step, ACT, sent).await?;
        let read = read_call(&answer.text).map(|call| to_page(call, self.mode, self.style.convention));
        self.asking.note_read(read.clone().map_err(|fault| fault.to_string()));
        Ok((answer, read))
    }
}

#[async_trait]
impl Agent for LlmAgent {
    fn look(&self) -> Option<Map<String, Value>> {
        let full = self.talk.as_ref().is_none_or(Conversation::wants_all);
        Some(look(self.mode, &self.style, full))
    }

    fn observing(&self) -> Observing {
        self.style.observing
    }

    async fn decide(&mut self, view: View<'_>) -> Result<Decision, AgentError> {
        let (asked, last) = (question(view, self.mode, &self.style), self.decided.take());
        let (style, talk) = (self.style, self.talk(view.instruction)?);
        if let Some((step, call)) = last {
            talk.end_turn(line(step, &call, view.last));
        }
        talk.ask(asked);
        let mut faults = 0;
        loop {
            let sent = self.talk(view.instruction)?.sent();
            let (answer, read) = self.ask(view.step, sent).await?;
            let talk = self.talk(view.instruction)?;
            talk.add(said(&answer));
            let fault = match read {
                Ok(call) => {
                    talk.make_room();
                    self.decided = Some((view.step, call.clone()));
                    return Ok(Decision::Act(call));
                }
                Err(fault) => fault,
            };
            if style.unreadable == 0 {
                talk.end_turn(format!("{}. no action", view.step));
                talk.make_room();
                return Ok(Decision::Wasted);
            }
            faults += 1;
            if faults >= style.unreadable {
                return Err(unreadable(&answer, &fault, faults));
            }
            let prompt = prompt!("agent/unreadable.md")
                .fill(json!({"fault": fault.to_string()}))
                .map_err(|error| unusable(&error))?;
            talk.add(Message::new(Role::User, prompt));
        }
    }

    fn spent(&self) -> Spent {
        self.asking.spent()
    }

    fn waits_for_provider(&self) -> bool {
        true
    }

    fn take_turns(&mut self) -> Vec<Turn> {
        self.asking.take_turns()
    }
}

fn unusable(error: &TemplateError) -> AgentError {
    AgentError::Failed(error.to_string())
}

/// An answer as the model gets it back.
fn said(answer: &Answer) -> Message {
    let mut end = answer.text.len().min(ANSWER_BYTES);
    while !answer.text.is_char_boundary(end) {
        end -= 1;
    }
    // Providers refuse messages without words.
    let text = if answer.text.trim().is_empty() { "(no answer)" } else { &answer.text[..end] };
    Message { reasoning: answer.reasoning.clone(), ..Message::new(Role::Assistant, text) }
}

/// Coordinates in pixels of the page, cut to whole numbers, wherever both numbers of a point are there.
pub(in crate::agent) fn to_page(mut call: ActionCall, mode: Mode, convention: Convention) -> ActionCall {
    if mode == Mode::Composite {
        return call;
    }
    for (x, y) in POINTS {
        let given = |name: &str| call.args.get(name).and_then(Value::as_f64);
        let (Some(left), Some(top)) = (given(x), given(y)) else { continue };
        let point = convention.to_page(Point::new(left, top));
        call.args.insert(x.to_owned(), whole(point.x));
        call.args.insert(y.to_owned(), whole(point.y));
    }
    call
}

#[expect(clippy::cast_possible_truncation, reason = "it saturates, and such a point is refused")]
fn whole(value: f64) -> Value {
    Value::from(value as i64)
}

/// Why no answer can be read, time and again.
fn unreadable(answer: &Answer, fault: &Fault, faults: u32) -> AgentError {
    let reason = format!("{faults} answers in a row can't be read; of the last: {fault}");
    match answer {
        Answer { is_filtered: true, .. } => AgentError::Refused(reason),
        Answer { is_cut: true, .. } => AgentError::Cut(reason),
        _ => AgentError::Malformed(reason),
    }
}

#[cfg(test)]
#[path = "agent_tests.rs"]
mod tests;
