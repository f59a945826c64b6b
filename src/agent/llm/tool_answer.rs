//! Reading a call from the tool calls of a model's answer, and what its model is told of calls that are not carried out. The
//! first call is the one that counts: the agent sees what came of it before it decides again.

use serde_json::{Map, Value};

use super::answer::{Fault, LONGEST, object};
use crate::action::ActionTool;
use crate::agent::model::{Answer, ToolCall, ToolResult};
use crate::model::ActionCall;

/// What calls after the first are answered with.
const NOT_DONE: &str = "not_done: only the first call of an answer is carried out";
/// Characters of an unknown name that are repeated.
const NAME: usize = 60;

/// The call in an answer.
///
/// # Errors
/// When there is none, or the first can't be read.
pub(super) fn read_tool_call(answer: &Answer, tools: &[ActionTool]) -> Result<ActionCall, Fault> {
    let call = answer.calls().next().ok_or(Fault::NoTool)?;
    let name = call.name.trim();
    let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
        // The name is shown to people too, and models may put anything there.
        return Err(Fault::UnknownTool(name.chars().take(NAME).flat_map(char::escape_debug).collect()));
    };
    Ok(ActionCall::new(tool.name, arguments(call, tool.name)?))
}

/// The arguments of a call. Text is read as leniently as in answers without tools; nothing is an empty object.
fn arguments(call: &ToolCall, tool: &'static str) -> Result<Map<String, Value>, Fault> {
    match &call.args {
        Value::Object(args) => Ok(args.clone()),
        Value::Null => Ok(Map::new()),
        Value::String(text) if text.len() > LONGEST => Err(Fault::LongToolArgs(tool)),
        Value::String(text) if text.trim().is_empty() => Ok(Map::new()),
        Value::String(text) => object(text).ok_or(Fault::BadToolArgs(tool)),
        _ => Err(Fault::BadToolArgs(tool)),
    }
}

/// What the calls of an answer are answered with, when this came of the first.
pub(super) fn results(calls: &[ToolCall], first: &str) -> Vec<ToolResult> {
    let text = |place: usize| if place == 0 { first } else { NOT_DONE };
    calls.iter().enumerate().map(|(place, call)| ToolResult::of(call, text(place))).collect()
}

#[cfg(test)]
#[path = "tool_answer_tests.rs"]
mod tests;
