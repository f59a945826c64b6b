//! Tool calls in the five dialects: how a scripted endpoint makes them, and whether requests give back what they must.

use std::collections::VecDeque;

use serde_json::{Value, json};

/// An answer that calls tools, in the dialect that a path belongs to. What the model thought is signed where the dialect has
/// signatures, by the number of the answer.
pub fn called_in_dialect(path: &str, words: &str, calls: &[Value], number: usize) -> Value {
    let mut answer = crate::support::scripted_solver::in_dialect(path, words);
    let calls = calls.iter().enumerate().map(|(place, call)| (format!("call_{number}_{place}"), call));
    if path.ends_with("/chat/completions") {
        let calls = calls.map(|(id, call)| {
            let function = json!({"name": call["api"], "arguments": call["args"].to_string()});
            json!({"id": id, "type": "function", "function": function})
        });
        answer["choices"][0]["message"]["tool_calls"] = calls.collect();
        answer["choices"][0]["finish_reason"] = json!("tool_calls");
    } else if path.ends_with("/responses") {
        let summary = json!([{"type": "summary_text", "text": "thinking"}]);
        let thought = json!({"type": "reasoning", "id": "t", "summary": summary, "encrypted_content": sealed(number)});
        let output = answer["output"].as_array_mut().unwrap();
        output.insert(0, thought);
        output.extend(calls.map(|(id, call)| {
            let arguments = call["args"].to_string();
            json!({"type": "function_call", "id": "f", "status": "completed", "call_id": id, "name": call["api"], "arguments": arguments})
        }));
    } else if path.ends_with("/messages") {
        let content = answer["content"].as_array_mut().unwrap();
        content.insert(0, json!({"type": "thinking", "thinking": "thinking", "signature": sealed(number)}));
        content.insert(1, json!({"type": "redacted_thinking", "data": sealed(number)}));
        content.extend(
            calls.map(|(id, call)| json!({"type": "tool_use", "id": id, "name": call["api"], "input": call["args"]})),
        );
        answer["stop_reason"] = json!("tool_use");
    } else if path.ends_with(":generateContent") {
        let parts = answer["candidates"][0]["content"]["parts"].as_array_mut().unwrap();
        let calls = calls.enumerate().map(|(place, (_, call))| {
            let mut part = json!({"functionCall": {"name": call["api"], "args": call["args"]}});
            if place == 0 {
                part["thoughtSignature"] = json!(sealed(number));
            }
            part
        });
        parts.extend(calls);
    } else {
        let calls = calls.map(|(_, call)| json!({"function": {"name": call["api"], "arguments": call["args"]}}));
        answer["message"]["tool_calls"] = calls.collect();
    }
    answer
}

fn sealed(number: usize) -> String {
    format!("sealed-{number}")
}

/// What a provider looks at in a conversation with calls.
#[derive(Debug)]
enum Seen {
    /// The id of a call, or its name where the dialect has no ids.
    Call(String),
    Result(String),
    /// The beginning of any other message.
    Other,
}

/// Panics where a provider would refuse a request of a model that is given tools: a call without its result right behind it,
/// a result without a call, thoughts that were changed or lost, no tools, or no word on having to call one.
pub fn check(path: &str, body: &Value) {
    let mut open: VecDeque<String> = VecDeque::new();
    for seen in conversation(path, body) {
        match seen {
            Seen::Call(id) => open.push_back(id),
            Seen::Result(id) => assert_eq!(open.pop_front(), Some(id), "{body:#}"),
            Seen::Other => assert!(open.is_empty(), "{open:?} without results: {body:#}"),
        }
    }
    assert!(open.is_empty(), "{open:?} without results: {body:#}");
    let (choice, forced) = match () {
        () if path.ends_with("/messages") => (&body["tool_choice"], json!({"type": "any"})),
        () if path.ends_with(":generateContent") => {
            (&body["toolConfig"]["functionCallingConfig"]["mode"], json!("ANY"))
        }
        () if path.ends_with("/api/chat") => (&body["tool_choice"], Value::Null),
        () => (&body["tool_choice"], json!("required")),
    };
    assert_eq!(*choice, forced);
    assert!(body["tools"].as_array().is_some_and(|tools| !tools.is_empty()));
    thoughts(path, body);
}

/// What was sealed must come back once for each answer.
fn thoughts(path: &str, body: &Value) {
    let text = body.to_string();
    let answers = conversation(path, body);
    // The first answer of a task has two calls.
    let calls = answers.iter().filter(|seen| matches!(seen, Seen::Call(_))).count();
    let answers = calls.saturating_sub(1);
    let sealed = |mark: &str| text.matches(mark).count();
    if path.ends_with("/messages") {
        let thinking = sealed("{\"type\":\"thinking\",\"thinking\":\"thinking\",\"signature\":\"sealed-");
        let redacted = sealed("{\"type\":\"redacted_thinking\",\"data\":\"sealed-");
        assert_eq!((thinking, redacted), (answers, answers), "{body:#}");
    } else if path.ends_with("/responses") {
        assert_eq!(sealed("\"encrypted_content\":\"sealed-"), answers, "{body:#}");
    } else if path.ends_with(":generateContent") {
        assert_eq!(sealed("\"thoughtSignature\":\"sealed-"), answers, "{body:#}");
    } else if path.ends_with("/chat/completions") {
        assert_eq!(sealed("\"reasoning_content\":\"thinking\""), answers, "{body:#}");
    }
}

fn conversation(path: &str, body: &Value) -> Vec<Seen> {
    let list = |name: &str| body[name].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    if path.ends_with("/messages") {
        list("messages").flat_map(|message| blocks(&message["content"])).collect()
    } else if path.ends_with("/responses") {
        let seen = list("input").map(|item| match item["type"].as_str() {
            Some("function_call") => Seen::Call(text(&item["call_id"])),
            Some("function_call_output") => Seen::Result(text(&item["call_id"])),
            _ => Seen::Other,
        });
        seen.collect()
    } else if path.ends_with(":generateContent") {
        let one = |part: &Value| {
            let name = |field: &str| part[field]["name"].as_str().map(str::to_owned);
            let call = name("functionCall").map(Seen::Call);
            call.or_else(|| name("functionResponse").map(Seen::Result)).unwrap_or(Seen::Other)
        };
        list("contents").flat_map(|content| content["parts"].as_array().unwrap().iter().map(one)).collect()
    } else {
        let has_ids = path.ends_with("/chat/completions");
        let id = |value: &Value| if has_ids { text(value) } else { String::new() };
        let one = |message: &Value| {
            if message["role"] == "tool" {
                return vec![Seen::Result(id(&message["tool_call_id"]))];
            }
            let calls = message["tool_calls"].as_array().into_iter().flatten().map(|call| Seen::Call(id(&call["id"])));
            std::iter::once(Seen::Other).chain(calls).collect()
        };
        list("messages").flat_map(one).collect()
    }
}

/// The blocks of a message as Anthropic has them.
fn blocks(content: &Value) -> Vec<Seen> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let Some(blocks) = content.as_array() else { return vec![Seen::Other] };
    let one = |block: &Value| match block["type"].as_str() {
        Some("tool_use") => Seen::Call(text(&block["id"])),
        Some("tool_result") => Seen::Result(text(&block["tool_use_id"])),
        _ => Seen::Other,
    };
    blocks.iter().map(one).collect()
}
