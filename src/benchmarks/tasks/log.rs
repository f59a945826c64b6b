//! The record of an attempt while it goes on: its calls, and what its agent's model was asked and answered.
//!
//! ```text
//! calls.jsonl       one call a line, with its reply
//! turns.jsonl       one request to the model a line; only of agents that ask one
//! messages.jsonl    the messages of those requests, each once, by its digest
//! <sha256>.png      pictures in them, each once; the run keeps the bytes in `shared`
//! ```

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Value, json};

use super::play::Noted;
use crate::agent::Turn;
use crate::agent::model::{Message, Part, Role, ToolResult};
use crate::model::sha256_hex;
use crate::store::{AttemptDir, Lines, StoreError};

/// Writes the files. The first failure stays, and ends the writing.
pub(super) struct AttemptLog<'a> {
    dir: &'a AttemptDir,
    /// Whether pictures that the agent was shown are kept.
    has_pictures: bool,
    calls: Lines,
    turns: Option<TurnLog>,
    not_learned: Option<String>,
    fault: Option<StoreError>,
}

struct TurnLog {
    turns: Lines,
    messages: Lines,
    /// Messages that are written.
    known: BTreeSet<String>,
    count: u32,
}

/// A message as it is kept.
#[derive(Serialize)]
struct Kept<'a> {
    id: &'a str,
    role: Role,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<&'a str>,
    /// The parts of an answer with calls of tools.
    #[serde(skip_serializing_if = "<[Part]>::is_empty")]
    parts: &'a [Part],
    /// What came of the calls of the answer before.
    #[serde(skip_serializing_if = "<[ToolResult]>::is_empty")]
    results: &'a [ToolResult],
    /// The file of the picture that it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
}

impl<'a> AttemptLog<'a> {
    pub(super) fn begin(dir: &'a AttemptDir, has_pictures: bool) -> Result<Self, StoreError> {
        Ok(Self { dir, has_pictures, calls: dir.lines("calls.jsonl")?, turns: None, not_learned: None, fault: None })
    }

    pub(super) fn note(&mut self, noted: Noted) {
        if self.fault.is_none() {
            let kept = match noted {
                Noted::Call(mut call) => {
                    if !self.has_pictures {
                        leave_out_pictures(&mut call.reply.data);
                    }
                    self.calls.append(&call)
                }
                Noted::Turn(turn) => self.turn(&turn),
                Noted::NotLearned(reason) => {
                    self.not_learned = Some(reason);
                    Ok(())
                }
            };
            self.fault = kept.err();
        }
    }

    /// Why the agent could not learn from the attempt.
    pub(super) fn not_learned(&self) -> Option<String> {
        self.not_learned.clone()
    }

    fn turn(&mut self, turn: &Turn) -> Result<(), StoreError> {
        let log = match self.turns.take() {
            Some(log) => log,
            None => TurnLog {
                turns: self.dir.lines("turns.jsonl")?,
                messages: self.dir.lines("messages.jsonl")?,
                known: BTreeSet::new(),
                count: 0,
            },
        };
        let log = self.turns.insert(log);
        log.count += 1;
        let kept = |message| log.message(self.dir, message, self.has_pictures);
        let ids = turn.sent.iter().map(kept).collect::<Result<Vec<_>, _>>()?;
        log.turns.append(&line(turn, log.count, &ids))
    }

    /// Brings everything to the disk.
    pub(super) fn end(self) -> Result<(), StoreError> {
        self.fault.map_or(Ok(()), Err)?;
        self.calls.end()?;
        if let Some(log) = self.turns {
            log.messages.end()?;
            log.turns.end()?;
        }
        Ok(())
    }
}

impl TurnLog {
    /// Keeps a message once; its digest. The file of its picture is named even if it is not kept.
    fn message(&mut self, dir: &AttemptDir, message: &Message, has_pictures: bool) -> Result<String, StoreError> {
        // Agents of tasks show one picture a message: the screen.
        let shown = message.pictures.first().map(|png| png.as_slice());
        let picture = shown.map(|png| (png, format!("{}.png", sha256_hex(png))));
        let reasoning = message.reasoning.as_deref();
        let file = picture.as_ref().map(|(_, name)| name);
        let (parts, results) = (message.parts.as_slice(), message.results.as_slice());
        let whole = json!([message.role, message.text, reasoning, file, parts, results]);
        let id = sha256_hex(whole.to_string().as_bytes());
        if !self.known.insert(id.clone()) {
            return Ok(id);
        }
        if let Some((png, name)) = &picture
            && has_pictures
            && !dir.path().join(name).exists()
        {
            dir.keep_once(name, png)?;
        }
        let picture = picture.map(|(_, name)| name);
        let (role, text) = (message.role, message.text.as_str());
        self.messages.append(&Kept { id: &id, role, text, reasoning, parts, results, picture })?;
        Ok(id)
    }
}

/// Takes the pictures out of what a reply returned: that of the page, and that of the stage.
fn leave_out_pictures(data: &mut Value) {
    let Some(data) = data.as_object_mut() else { return };
    data.shift_remove("screenshot");
    if let Some(stage) = data.get_mut("stage").and_then(Value::as_object_mut) {
        stage.shift_remove("screenshot");
    }
}

/// A line of `turns.jsonl`.
fn line(turn: &Turn, number: u32, sent: &[String]) -> Value {
    let (call, fault) = match &turn.read {
        Some(Ok(call)) => (Some(call), None),
        Some(Err(fault)) => (None, Some(fault)),
        None => (None, None),
    };
    json!({
        "turn": number,
        "step": turn.step,
        "role": turn.role,
        "purpose": turn.purpose,
        "seconds": turn.seconds,
        "sent": sent,
        "answer": turn.answer.as_ref().ok(),
        "error": turn.answer.as_ref().err(),
        "call": call,
        "fault": fault,
    })
}
