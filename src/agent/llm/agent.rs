//! The loop: what there is to see goes to the model, its answer becomes an action.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::history::Conversation;
use super::prompts::Prompts;
use super::style::{Answers, Style};
use super::tool_answer::{read_tool_call, results};
use super::turn_text::{line, look, question, result};
use super::{Fault, Model, read_call};
use crate::action::{ActionTool, tools_for_models};
use crate::agent::asking::{ACT, Asking};
use crate::agent::model::{Answer, Cache, Message, Part, Request, Role, Tool, ToolCall};
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
    /// Names the conversation to providers.
    name: String,
    /// What the model may call; empty where it answers in text.
    actions: Vec<ActionTool>,
    /// The same for its requests.
    tools: Arc<[Tool]>,
    talk: Option<Conversation>,
    /// The calls of its last answer, which are owed their results.
    open: Vec<ToolCall>,
    /// The action that was decided last, with its number.
    decided: Option<(u32, ActionCall)>,
}

impl LlmAgent {
    /// An agent for one attempt, by a name that no other of the run has.
    pub fn new(model: Arc<dyn Model>, prompts: Prompts, mode: Mode, style: Style, name: String) -> Self {
        let actions = match style.answers {
            Answers::Text => Vec::new(),
            Answers::Tools => tools_for_models(mode, style.elements),
        };
        let tools = actions.iter().map(tool).collect();
        Self {
            asking: Asking::new(model),
            prompts,
            mode,
            style,
            name,
            actions,
            tools,
            talk: None,
            open: Vec::new(),
            decided: None,
        }
    }

    /// The next request.
    fn request(&mut self, instruction: &str) -> Result<Request, AgentError> {
        let (style, tools, key) = (self.style, Arc::clone(&self.tools), self.name.clone());
        let talk = self.talk(instruction)?;
        let messages = talk.sent();
        let cache = style.cache.then(|| Cache { key, ends: talk.ends(&messages) });
        Ok(Request { messages, tools, cache, ..Request::default() })
    }

    /// The call in an answer.
    fn read(&self, answer: &Answer) -> Result<ActionCall, Fault> {
        let call = match self.style.answers {
            Answers::Text => read_call(&answer.text),
            Answers::Tools => read_tool_call(answer, &self.actions),
        };
        call.map(|call| to_page(call, self.mode, self.style.convention))
    }

    /// What a model is told of an answer that can't be read.
    fn corrective(&mut self, fault: &Fault) -> Result<Message, AgentError> {
        let prompt = match self.style.answers {
            Answers::Text => prompt!("agent/unreadable.md"),
            Answers::Tools => prompt!("agent/unreadable-tools.md"),
        };
        let prompt = prompt.fill(json!({"fault": fault.to_string()})).map_err(|error| unusable(&error))?;
        let results = results(&std::mem::take(&mut self.open), &format!("not_done: {fault}"));
        Ok(Message { results, ..Message::new(Role::User, prompt) })
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
    async fn ask(&mut self, step: u32, request: Request) -> Result<(Answer, Result<ActionCall, Fault>), AgentError> {
        let answer = self.asking.ask(step, ACT, request).await?;
        let read = self.read(&answer);
        self.open = answer.calls().cloned().collect();
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
        let (mut asked, last) = (question(view, self.mode, &self.style), self.decided.take());
        let came = result(view.last.filter(|_| last.is_some()), &self.style);
        asked.results = results(&std::mem::take(&mut self.open), &came);
        let (style, talk) = (self.style, self.talk(view.instruction)?);
        if let Some((step, call)) = last {
            talk.end_turn(line(step, &call, view.last));
        }
        talk.ask(asked);
        let mut faults = 0;
        loop {
            let request = self.request(view.instruction)?;
            let (answer, read) = self.ask(view.step, request).await?;
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
            let corrective = self.corrective(&fault)?;
            self.talk(view.instruction)?.add(corrective);
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

/// An action as its model is told of it.
fn tool(action: &ActionTool) -> Tool {
    Tool { name: action.name.to_owned(), description: action.doc.clone(), schema: Value::Object(action.input.clone()) }
}

/// An answer as the model gets it back.
fn said(answer: &Answer) -> Message {
    // Providers refuse messages without words or calls.
    let is_empty = answer.text.trim().is_empty() && answer.parts.is_empty();
    let text = if is_empty { "(no answer)" } else { shortened(&answer.text) };
    let parts = answer.parts.iter().map(|part| match part {
        Part::Text(text) => Part::Text(shortened(text).to_owned()),
        Part::Call(call) if call.args.to_string().len() > ANSWER_BYTES => {
            Part::Call(ToolCall { args: json!({}), ..call.clone() })
        }
        part => part.clone(),
    });
    let (reasoning, parts) = (answer.reasoning.clone(), parts.collect());
    Message { reasoning, parts, ..Message::new(Role::Assistant, text) }
}

fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(ANSWER_BYTES)]
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
