//! Probing a model before money is spent on it: does it see pictures, in which units are its coordinates, can its calls be read, does
//! it call tools, and what does a call cost?
//!
//! `picture` draws ten boxes, `reading` measures how far answers are from them, `needs` says what is missing; here the model is
//! asked, once for each question.

mod needs;
mod picture;
mod reading;

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use serde_json::{Value, json};

pub use needs::{Needs, unit};
pub use picture::{BOXES, picture};
pub use reading::{Coordinates, Off, coordinates};

use crate::agent::llm::read_call;
use crate::agent::model::{Answer, Message, ModelClient, ModelError, Request, Role, Tool, Usage};
use crate::model::{ActionCall, Coded as _, with_causes};

const ASK_BOXES: &str = include_str!("../../assets/prompts/probe/boxes.md");
const ASK_JSON: &str = include_str!("../../assets/prompts/probe/json.md");
const ASK_TOOLS: &str = include_str!("../../assets/prompts/probe/tools.md");
/// The text that a call must bring whole: quotes in quotes are where models err.
const QUOTED: &str = "a \"quoted\" name";

/// Whether a model can do something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "can", rename_all = "snake_case")]
pub enum Finding {
    Yes,
    /// It answered, and not so.
    No {
        why: String,
    },
    /// The endpoint gave no answer; the code is that of the error.
    Refused {
        code: String,
        why: String,
    },
}

impl Finding {
    /// Whether it can.
    pub const fn is_yes(&self) -> bool {
        matches!(self, Self::Yes)
    }

    /// In a few words.
    pub fn text(&self) -> String {
        match self {
            Self::Yes => "yes".to_owned(),
            Self::No { why } => format!("no: {why}"),
            Self::Refused { code, .. } => format!("no answer ({code})"),
        }
    }

    fn refused(error: &ModelError) -> Self {
        Self::Refused { code: error.code().to_owned(), why: with_causes(error) }
    }
}

/// What a model was found to do.
#[derive(Debug, Clone, Serialize)]
pub struct Probed {
    /// Whether it finds things in a picture.
    pub vision: Finding,
    /// How far it is off, where it named enough boxes.
    pub coordinates: Option<Coordinates>,
    /// Whether its calls in text can be read.
    pub json: Finding,
    /// Whether it calls tools that it is given.
    pub tools: Finding,
    /// Answers that it gave.
    pub calls: u32,
    /// What they used together.
    pub usage: Usage,
    /// Seconds of all requests.
    pub seconds: f64,
}

/// Asks a model three questions: for boxes in a picture, for a call as text, and for a call of a tool.
pub async fn probe(client: &ModelClient) -> Probed {
    let mut asking = Asking { client, calls: 0, usage: Usage::default(), began: Instant::now() };
    let (vision, coordinates) = asking.boxes().await;
    let json = asking.json().await;
    let tools = asking.tools().await;
    let seconds = asking.began.elapsed().as_secs_f64();
    Probed { vision, coordinates, json, tools, calls: asking.calls, usage: asking.usage, seconds }
}

struct Asking<'a> {
    client: &'a ModelClient,
    calls: u32,
    usage: Usage,
    began: Instant,
}

impl Asking<'_> {
    async fn ask(&mut self, message: Message, tools: Arc<[Tool]>) -> Result<Answer, Finding> {
        let request = Request { messages: vec![message], tools, ..Request::default() };
        let answer = self.client.send(&request).await.map_err(|error| Finding::refused(&error))?;
        self.calls += 1;
        self.usage += answer.usage;
        Ok(answer)
    }

    async fn boxes(&mut self) -> (Finding, Option<Coordinates>) {
        let png = match picture() {
            Ok(png) => Arc::new(png),
            Err(error) => return (Finding::No { why: with_causes(&error) }, None),
        };
        let answer = match self.ask(Message::new(Role::User, ASK_BOXES).showing(png), Arc::default()).await {
            Ok(answer) => answer,
            Err(refused) => return (refused, None),
        };
        let Some(found) = coordinates(&answer.text) else {
            return (Finding::No { why: "it named too few boxes".to_owned() }, None);
        };
        let best = found.best();
        let vision = if best.is_seen() {
            Finding::Yes
        } else {
            Finding::No { why: format!("its points are {:.0} px off", best.median_px) }
        };
        (vision, Some(found))
    }

    async fn json(&mut self) -> Finding {
        match self.ask(Message::new(Role::User, ASK_JSON), Arc::default()).await {
            Ok(answer) => json_finding(&answer.text),
            Err(refused) => refused,
        }
    }

    async fn tools(&mut self) -> Finding {
        let tool = Tool {
            name: "press_key".to_owned(),
            description: "Presses a key and lets it go.".to_owned(),
            schema: json!({
                "type": "object", "properties": {"key": {"type": "string", "description": "The key's name."}},
                "required": ["key"], "additionalProperties": false,
            }),
        };
        let answer = match self.ask(Message::new(Role::User, ASK_TOOLS), [tool].into()).await {
            Ok(answer) => answer,
            Err(refused) => return refused,
        };
        match answer.calls().next() {
            None => Finding::No { why: "it called none".to_owned() },
            Some(call) if call.name != "press_key" => Finding::No { why: "it called another one".to_owned() },
            Some(call) if !call.args["key"].is_string() => Finding::No { why: "its arguments are wrong".to_owned() },
            Some(_) => Finding::Yes,
        }
    }
}

fn json_finding(text: &str) -> Finding {
    let is_right = |call: &ActionCall| {
        let args = Value::Object(call.args.clone());
        call.api == "add_block" && args["creation"]["variable_name"] == QUOTED
    };
    match read_call(text) {
        Ok(call) if is_right(&call) => Finding::Yes,
        Ok(_) => Finding::No { why: "it is another call than it was asked for".to_owned() },
        Err(fault) => Finding::No { why: fault.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_must_come_whole() {
        let call = r#"I add it. ```json
{"api": "add_block", "args": {"block_type": "motion_movesteps", "creation": {"variable_name": "a \"quoted\" name"}}}
```"#;
        assert_eq!(json_finding(call), Finding::Yes);
        assert!(matches!(json_finding("I will do it."), Finding::No { .. }));
        assert!(matches!(json_finding(&call.replace("add_block", "connect")), Finding::No { .. }));
        assert!(matches!(json_finding(&call.replace(r#"\"quoted\""#, "quoted")), Finding::No { .. }));
    }
}
