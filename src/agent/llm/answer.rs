//! Reading a call from a model's answer, by the published agent's rules: the first block fenced as `json`, else the first
//! fenced block, else the first braces that balance; each strictly, then with a missing `"y":` put in, then repaired by a
//! library. The first that is a call wins.

use std::sync::LazyLock;

use llm_json::{RepairOptions, repair_json};
use regex::Regex;
use serde_json::{Map, Value};

use crate::model::ActionCall;

/// Characters of an answer that are looked at; calls have a few hundred.
pub(super) const LONGEST: usize = 1 << 20;

/// Why an answer holds no call, in words that its author can use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("the answer is empty")]
    Empty,
    #[error("the answer has no JSON object")]
    NoObject,
    #[error("the JSON in the answer can't be read")]
    Broken,
    #[error("the JSON object has no `api` that is a text")]
    NoApi,
    #[error("`args` of the JSON object is not an object")]
    BadArgs,
    #[error("the answer calls no tool")]
    NoTool,
    #[error("there is no tool `{0}`")]
    UnknownTool(String),
    #[error("the arguments of the call of `{0}` are not a JSON object")]
    BadToolArgs(&'static str),
    #[error("the arguments of the call of `{0}` are too long")]
    LongToolArgs(&'static str),
}

/// The call in an answer.
///
/// # Errors
/// When there is none.
pub fn read_call(answer: &str) -> Result<ActionCall, Fault> {
    let answer = looked_at(answer);
    if answer.trim().is_empty() {
        return Err(Fault::Empty);
    }
    let mut fault = Fault::NoObject;
    for source in sources(answer) {
        match object(source) {
            Some(object) => match call_of(object) {
                Ok(call) => return Ok(call),
                Err(found) => fault = found,
            },
            None if fault == Fault::NoObject => fault = Fault::Broken,
            None => {}
        }
    }
    Err(fault)
}

/// The part of an answer that is looked at: its beginning, if it is huge.
pub(in crate::agent) fn looked_at(answer: &str) -> &str {
    let end = answer.char_indices().nth(LONGEST).map_or(answer.len(), |(end, _)| end);
    &answer[..end]
}

/// Where a call may be, the likeliest place first.
fn sources(answer: &str) -> impl Iterator<Item = &str> {
    static JSON: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)```json\s*(.*?)```").ok());
    static FENCED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)```[^\n`]*\n(.*?)```").ok());
    let fenced = [&JSON, &FENCED].into_iter().filter_map(|pattern| {
        let found = pattern.as_ref()?.captures(answer)?;
        found.get(1).map(|text| text.as_str().trim())
    });
    fenced.chain(balanced(answer))
}

/// From the first brace to the one that closes it. Braces in texts count too, as they do for the published agent.
fn balanced(answer: &str) -> Option<&str> {
    let start = answer.find('{')?;
    let mut depth = 0_usize;
    for (place, c) in answer[start..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&answer[start..=start + place]);
        }
    }
    None
}

/// The object that a text is, if it can be made one.
pub(super) fn object(text: &str) -> Option<Map<String, Value>> {
    static NO_Y: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"("x"\s*:\s*-?\d+(?:\.\d+)?\s*,\s*)(-?\d+(?:\.\d+)?)"#).ok());
    let strict = |text: &str| match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    };
    strict(text).or_else(|| strict(&NO_Y.as_ref()?.replace_all(text, r#"$1"y": $2"#))).or_else(|| {
        text.contains('{').then(|| repair_json(text, &RepairOptions::default()).ok())?.and_then(|text| strict(&text))
    })
}

/// The call that an object is.
pub(in crate::agent) fn call_of(mut object: Map<String, Value>) -> Result<ActionCall, Fault> {
    let Some(Value::String(api)) = object.remove("api") else { return Err(Fault::NoApi) };
    let api = api.trim();
    if api.is_empty() {
        return Err(Fault::NoApi);
    }
    let mut args = match object.remove("args") {
        Some(Value::Object(args)) => args,
        None | Some(Value::Null) => Map::new(),
        Some(_) => return Err(Fault::BadArgs),
    };
    // Some models give the reason of `done` beside the arguments, as the published agent lets them.
    if ["done", "failed"].contains(&api)
        && let Some(reason @ Value::String(_)) = object.remove("reason")
    {
        args.entry("reason").or_insert(reason);
    }
    Ok(ActionCall::new(api, args))
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
