//! Reading an answer of three parts, strictly: `<thinking>`, `<memory>`, and an action as one JSON object that is alone in a
//! block fenced as `json`.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::agent::llm::{Fault, call_of, looked_at};
use crate::model::ActionCall;

/// An answer's parts. What is missing of the first two is empty.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reply {
    pub(super) thought: String,
    pub(super) memory: String,
    /// The action, or why there is none.
    pub(super) call: Result<ActionCall, Fault>,
}

/// The parts of an answer.
pub(super) fn read_reply(answer: &str) -> Reply {
    static THOUGHT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)<thinking>(.*?)</thinking>").ok());
    static MEMORY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)<memory>(.*?)</memory>").ok());
    let answer = looked_at(answer);
    let part = |pattern: &Option<Regex>| first(pattern.as_ref(), answer).unwrap_or_default().trim().to_owned();
    Reply { thought: part(&THOUGHT), memory: part(&MEMORY), call: call(answer) }
}

fn call(answer: &str) -> Result<ActionCall, Fault> {
    static ACTION: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)```json\s*\n(\{.*?\})\s*\n```").ok());
    if answer.trim().is_empty() {
        return Err(Fault::Empty);
    }
    let text = first(ACTION.as_ref(), answer).ok_or(Fault::NoObject)?;
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => call_of(object),
        _ => Err(Fault::Broken),
    }
}

/// The first group of the first match.
fn first<'a>(pattern: Option<&Regex>, text: &'a str) -> Option<&'a str> {
    Some(pattern?.captures(text)?.get(1)?.as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const CLICK: &str = r#"{"api": "click", "args": {"index": 3}}"#;

    fn said(action: &str) -> Reply {
        read_reply(&format!("<thinking>\nIt is\nelement 3.\n</thinking>\n<memory> none yet </memory>\n{action}"))
    }

    #[test]
    fn all_three_parts_are_read() {
        let reply = said(&format!("```json\n{CLICK}\n```"));
        assert_eq!((reply.thought.as_str(), reply.memory.as_str()), ("It is\nelement 3.", "none yet"));
        let args = json!({"index": 3}).as_object().unwrap().clone();
        assert_eq!(reply.call, Ok(ActionCall::new("click", args)));
        let spread = said("```json \n\n{\n  \"api\": \"done\",\n  \"args\": {}\n}\n\n```\nThat was it.");
        assert_eq!(spread.call.unwrap().api, "done");
        assert_eq!(
            said(&format!("```json\n{CLICK}\n```\n```json\n{{\"api\": \"done\"}}\n```")).call.unwrap().api,
            "click"
        );
        assert_eq!(
            said("```json\n{\"api\": \"done\", \"reason\": \"ready\"}\n```").call.unwrap().args["reason"],
            "ready"
        );
    }

    #[test]
    fn an_action_counts_without_the_other_parts() {
        let reply = read_reply(&format!("<thinking>never closed\n```json\n{CLICK}\n```"));
        assert_eq!((reply.thought.as_str(), reply.memory.as_str(), reply.call.is_ok()), ("", "", true));
    }

    #[test]
    fn nothing_is_repaired() {
        let answers = [
            ("", Fault::NoObject),
            ("I would rather not.", Fault::NoObject),
            (CLICK, Fault::NoObject),
            ("```\n{\"api\": \"done\"}\n```", Fault::NoObject),
            ("```JSON\n{\"api\": \"done\"}\n```", Fault::NoObject),
            ("```json {\"api\": \"done\"}\n```", Fault::NoObject),
            ("```json\n{\"api\": \"done\"}```", Fault::NoObject),
            ("```json\n{\"api\": \"done\"}", Fault::NoObject),
            ("```json\n[{\"api\": \"done\"}]\n```", Fault::NoObject),
            ("```json\n\"done\"\n```", Fault::NoObject),
            ("```json\n// first\n{\"api\": \"done\"}\n```", Fault::NoObject),
            ("```json\n{'api': 'done'}\n```", Fault::Broken),
            ("```json\n{\"api\": \"done\",}\n```", Fault::Broken),
            ("```json\n{\"api\": \"click\", \"args\": {\"x\": 12, 34}}\n```", Fault::Broken),
            ("```json\n{\"api\": \"click\", \"args\": {\"x\": NaN}}\n```", Fault::Broken),
            ("```json\n{\"api\": \"done\"}\n{\"api\": \"done\"}\n```", Fault::Broken),
            ("```json\n{\"args\": {}}\n```", Fault::NoApi),
            ("```json\n{\"api\": 3}\n```", Fault::NoApi),
            ("```json\n{\"api\": \" \"}\n```", Fault::NoApi),
            ("```json\n{\"api\": \"click\", \"args\": [3]}\n```", Fault::BadArgs),
        ];
        for (answer, fault) in answers {
            assert_eq!(said(answer).call, Err(fault), "{answer}");
        }
        assert_eq!(read_reply(" \n").call, Err(Fault::Empty));
    }

    #[test]
    fn of_a_huge_answer_the_beginning_is_looked_at() {
        let huge = format!("<thinking>{}</thinking>\n```json\n{CLICK}\n```", "ü".repeat(2 << 20));
        let reply = read_reply(&huge);
        assert_eq!((reply.thought.as_str(), reply.call), ("", Err(Fault::NoObject)));
    }
}
