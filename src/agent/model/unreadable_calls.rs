//! Answers whose calls the library can't read: arguments that are no JSON are the model's mistake, and the rest of such an
//! answer is read here, so that it is recorded and the model is told. Only the two dialects of OpenAI write arguments as text.

use genai::chat::StopReason;
use serde_json::Value;

use super::wire::arguments;
use super::{Answer, Dialect, Part, ToolCall, Usage};

/// The answer in the body of a reply; `None` when no call is in it, so that something else is wrong.
pub(super) fn answer(body: &Value, dialect: Dialect) -> Option<Answer> {
    let (parts, stop, usage) = match dialect {
        Dialect::OpenAi => chat_completion(body)?,
        Dialect::OpenAiResponses => response(body)?,
        Dialect::Anthropic | Dialect::Gemini | Dialect::Ollama => return None,
    };
    parts.iter().any(|part| part.call().is_some()).then(|| {
        let stop = StopReason::from(stop.to_owned());
        let texts =
            parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.as_str()) } else { None });
        let thoughts =
            parts.iter().filter_map(|part| if let Part::Thought(text) = part { Some(text.as_str()) } else { None });
        let thoughts = thoughts.collect::<Vec<_>>().join("\n");
        Answer {
            text: texts.collect::<Vec<_>>().join("\n"),
            reasoning: (!thoughts.is_empty()).then_some(thoughts),
            is_cut: stop.is_max_tokens(),
            is_filtered: matches!(stop, StopReason::ContentFilter(_)),
            model: body["model"].as_str().unwrap_or_default().to_owned(),
            usage,
            tries: 1,
            waited_s: 0.0,
            picture_differs: false,
            parts,
        }
    })
}

type Read<'a> = (Vec<Part>, &'a str, Usage);

fn chat_completion(body: &Value) -> Option<Read<'_>> {
    let choice = body["choices"].get(0)?;
    let message = &choice["message"];
    let thought = message["reasoning_content"].as_str().or_else(|| message["reasoning"].as_str());
    let mut parts: Vec<Part> = thought.map(|text| Part::Thought(text.to_owned())).into_iter().collect();
    parts.extend(message["content"].as_str().map(|text| Part::Text(text.to_owned())));
    let calls = message["tool_calls"].as_array().into_iter().flatten().enumerate();
    parts.extend(calls.map(|(place, call)| part(place, &call["id"], &call["function"])));
    let usage = &body["usage"];
    let (input, output) = (&usage["prompt_tokens_details"], &usage["completion_tokens_details"]);
    let usage = counts([&usage["prompt_tokens"], &usage["completion_tokens"]], input, output);
    Some((parts, choice["finish_reason"].as_str().unwrap_or_default(), usage))
}

fn response(body: &Value) -> Option<Read<'_>> {
    let mut parts = Vec::new();
    for (place, item) in body["output"].as_array()?.iter().enumerate() {
        match item["type"].as_str() {
            Some("message") => {
                let texts = item["content"].as_array().into_iter().flatten();
                parts.extend(texts.filter_map(|one| one["text"].as_str()).map(|text| Part::Text(text.to_owned())));
            }
            Some("function_call") => parts.push(part(place, &item["call_id"], item)),
            Some("reasoning") => {
                parts.extend(item["encrypted_content"].as_str().map(|text| Part::Signature(text.to_owned())));
            }
            _ => {}
        }
    }
    let usage = &body["usage"];
    let (input, output) = (&usage["input_tokens_details"], &usage["output_tokens_details"]);
    let usage = counts([&usage["input_tokens"], &usage["output_tokens"]], input, output);
    Some((parts, body["status"].as_str().unwrap_or_default(), usage))
}

/// A call; one without an id gets its place for one.
fn part(place: usize, id: &Value, call: &Value) -> Part {
    Part::Call(ToolCall {
        id: id.as_str().map_or_else(|| format!("call_{place}"), str::to_owned),
        name: call["name"].as_str().unwrap_or_default().to_owned(),
        args: call["arguments"].as_str().map_or_else(|| call["arguments"].clone(), arguments),
        signatures: Vec::new(),
    })
}

fn counts([input, output]: [&Value; 2], input_details: &Value, output_details: &Value) -> Usage {
    let count = |value: &Value| value.as_u64().unwrap_or_default();
    Usage {
        input_tokens: count(input),
        output_tokens: count(output),
        cached_tokens: count(&input_details["cached_tokens"]),
        cache_written_tokens: count(&input_details["cache_creation_tokens"]),
        reasoning_tokens: count(&output_details["reasoning_tokens"]),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_that_are_no_json_are_kept_as_text_with_all_else() {
        let call = |arguments: &str| json!({"id": "c", "type": "function", "function": {"name": "click", "arguments": arguments}});
        let message =
            json!({"content": "So.", "reasoning": "Hm.", "tool_calls": [call("{\"x\": 1,"), call("{\"x\": 2}")]});
        let usage = json!({"prompt_tokens": 9, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}});
        let body = json!({"model": "m", "usage": usage, "choices": [{"finish_reason": "length", "message": message}]});
        let answer = answer(&body, Dialect::OpenAi).unwrap();
        assert_eq!((answer.text.as_str(), answer.reasoning.as_deref(), answer.is_cut), ("So.", Some("Hm."), true));
        assert_eq!((answer.usage.input_tokens, answer.usage.cached_tokens), (9, 4));
        let args: Vec<&Value> = answer.calls().map(|call| &call.args).collect();
        assert_eq!(args, [&json!("{\"x\": 1,"), &json!({"x": 2})]);
    }

    #[test]
    fn responses_are_read_too_and_what_has_no_call_is_not() {
        let output = json!([
            {"type": "reasoning", "encrypted_content": "e"},
            {"type": "message", "content": [{"type": "output_text", "text": "So."}]},
            {"type": "function_call", "call_id": "c", "name": "click", "arguments": "x"},
        ]);
        let body = json!({"model": "m", "status": "completed", "output": output, "usage": {"input_tokens": 5}});
        let found = answer(&body, Dialect::OpenAiResponses).unwrap();
        assert_eq!(found.parts[0], Part::Signature("e".to_owned()));
        assert_eq!((found.calls().count(), found.usage.input_tokens), (1, 5));
        assert_eq!(answer(&json!({"output": []}), Dialect::OpenAiResponses), None);
        assert_eq!(answer(&json!("hello"), Dialect::OpenAi), None);
        assert_eq!(answer(&body, Dialect::Gemini), None);
    }
}
