//! Requests to models as a person reads them in snapshots: how each is asked, and who says what.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// A question that stands alone, with the settings that it is asked with.
pub fn question(body: &Value) -> String {
    let mut text = "==== request\n".to_owned();
    for setting in ["temperature", "top_p", "reasoning_effort"] {
        if let Some(value) = body.get(setting) {
            let _ = writeln!(text, "{setting}: {value}");
        }
    }
    for message in body["messages"].as_array().unwrap() {
        let _ = writeln!(text, "---- {}\n{}", message["role"].as_str().unwrap(), said(message));
    }
    text
}

/// A request of a conversation in text. The system message is the same in all, and shown once.
pub fn turn(number: usize, body: &Value) -> String {
    let mut text = format!("==== request {number}\n");
    for message in body["messages"].as_array().unwrap() {
        let role = message["role"].as_str().unwrap();
        if is_repeated(number, message) {
            let _ = writeln!(text, "---- {role}: as before");
        } else {
            let _ = writeln!(text, "---- {role}\n{}", said(message));
        }
    }
    text
}

/// A request of a conversation with tools: also what is called and what came of it, and up to where it is to be kept.
/// Tools and system message are the same in all, and shown once.
pub fn turn_with_tools(number: usize, body: &Value) -> String {
    let mut text = format!("==== request {number}\n");
    if number == 1 {
        for tool in body["tools"].as_array().unwrap() {
            let _ = writeln!(text, "---- tool {tool}");
        }
    }
    for name in ["tool_choice", "prompt_cache_key"] {
        if !body[name].is_null() {
            let _ = writeln!(text, "---- {name} {}", body[name]);
        }
    }
    let system = json!({"role": "system", "content": body["system"]});
    let system = (!body["system"].is_null()).then_some(&system);
    for message in system.into_iter().chain(body["messages"].as_array().unwrap()) {
        let _ = writeln!(text, "---- {}", message["role"].as_str().unwrap());
        let shown = if is_repeated(number, message) { "as before".to_owned() } else { said(message) };
        let _ = writeln!(text, "{shown}");
        for name in ["reasoning_content", "tool_call_id"] {
            if !message[name].is_null() {
                let _ = writeln!(text, "<{name} {}>", message[name]);
            }
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let _ = writeln!(text, "<call {call}>");
        }
    }
    text
}

/// Whether a message was shown with the first request.
fn is_repeated(number: usize, message: &Value) -> bool {
    number > 1 && message["role"] == "system"
}

/// What a message says, its parts one below the other.
fn said(message: &Value) -> String {
    let text = match &message["content"] {
        Value::Array(parts) => parts.iter().map(part).collect::<Vec<_>>().join("\n"),
        words => words.as_str().unwrap_or_default().to_owned(),
    };
    text.trim_end().to_owned()
}

/// A part of a message: its words, that it is a picture, or all of it; with where it is to be kept.
fn part(part: &Value) -> String {
    let mut whole = part.clone();
    let kept = whole.as_object_mut().unwrap().remove("cache_control");
    let mark = if kept.is_some() { "\n<kept up to here>" } else { "" };
    let is_picture = part["type"].as_str().is_some_and(|kind| kind.contains("image"));
    let text = part["text"].as_str().map(|text| text.trim_end().to_owned());
    let shown = text.unwrap_or_else(|| if is_picture { "<picture>".to_owned() } else { format!("<{whole}>") });
    format!("{shown}{mark}")
}

#[test]
fn a_request_is_shown_with_its_parts_and_what_was_shown_before_is_not_repeated() {
    let picture = json!({"type": "image_url", "image_url": {"url": "data:,"}});
    let words = json!({"type": "text", "text": "What is it?\n", "cache_control": {"type": "ephemeral"}});
    let messages = json!([{"role": "system", "content": "Be brief.\n"}, {"role": "user", "content": [words, picture]}]);
    let body = json!({"temperature": 0.5, "messages": messages});
    let asked = "---- user\nWhat is it?\n<kept up to here>\n<picture>\n";
    assert_eq!(question(&body), format!("==== request\ntemperature: 0.5\n---- system\nBe brief.\n{asked}"));
    assert_eq!(turn(1, &body), format!("==== request 1\n---- system\nBe brief.\n{asked}"));
    assert_eq!(turn(2, &body), format!("==== request 2\n---- system: as before\n{asked}"));
    assert_eq!(turn_with_tools(2, &body), format!("==== request 2\n---- system\nas before\n{asked}"));
}
