//! What a tool call answers: pictures as image content, lists as text for models, the rest as structured content.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::{Value, json};

use super::error::ToolError;
use crate::model::ActionReply;

/// Fields of an action's data that are content of their own and not repeated in the structured part.
pub(super) const APART: [&str; 3] = ["screenshot", "table", "text"];

/// The answer to an action that was carried out.
pub fn carried_out(reply: ActionReply) -> CallToolResult {
    let ActionReply { mut data, executed_action, timing, steps_left, .. } = reply;
    let [screenshot, table, text] = APART.map(|name| {
        let apart = data.as_object_mut().and_then(|data| data.shift_remove(name));
        apart.and_then(|value| value.as_str().map(str::to_owned)).filter(|text| !text.is_empty())
    });
    let media_type = data["picture"]["media_type"].as_str().unwrap_or("image/png").to_owned();
    let left = steps_left.map(|left| ("steps_left", json!(left)));
    let words = match (table.or(text), data["pseudocode"].as_str()) {
        (Some(list), _) => format!("{}\n{list}", with(heading(&data), left)),
        (None, Some(program)) => format!("{}\n{program}", with(edited(&data), left)),
        (None, None) => with(json!({"executed": executed_action.args, "data": data}), left).to_string(),
    };
    let mut content = vec![ContentBlock::text(words)];
    let executed = json!({"executed": executed_action.args, "data": data, "timing": timing});
    let structured = with(executed, steps_left.map(|left| ("steps_left", json!(left))));
    content.extend(screenshot.map(|picture| ContentBlock::image(picture, media_type)));
    let mut result = CallToolResult::success(content);
    result.structured_content = Some(structured);
    result
}

/// What the rows below it leave out: the observation's other fields, without lists.
fn heading(data: &Value) -> Value {
    let fields = data.as_object().into_iter().flatten();
    let short: serde_json::Map<String, Value> = fields
        .filter(|(name, value)| {
            ["picture", "sizes"].contains(&name.as_str()) || !(value.is_array() || value.is_object())
        })
        .filter(|(name, _)| *name != "pseudocode")
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    Value::Object(short)
}

/// What an edit brought about, above the program as it is now: no tool takes ids of the virtual machine.
fn edited(data: &Value) -> Value {
    let fields = data.as_object().into_iter().flatten();
    fields
        .filter(|(name, _)| *name != "pseudocode" && !name.ends_with("Id"))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// An object with one field more, if there is one.
fn with(mut object: Value, field: Option<(&str, Value)>) -> Value {
    if let Some((name, value)) = field {
        object[name] = value;
    }
    object
}

/// The answer of a tool that is not an action.
pub fn answered(answer: &impl Serialize) -> CallToolResult {
    with_text(serde_json::to_value(answer).unwrap_or_default().to_string(), answer)
}

/// The same with a text of its own.
pub fn with_text(text: String, answer: &impl Serialize) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(serde_json::to_value(answer).unwrap_or_default());
    result
}

/// The answer to a call that failed: `{"code", "message", "hint"}` as text. It is not structured content, because that
/// would have to match the schema of a success.
pub fn failed(error: &ToolError) -> CallToolResult {
    let mut body = serde_json::to_value(error.body()).unwrap_or_default();
    // Only errors that are not the agent's own mistake are marked.
    if body["infrastructure"] == false
        && let Some(fields) = body.as_object_mut()
    {
        fields.shift_remove("infrastructure");
    }
    CallToolResult::error(vec![ContentBlock::text(body.to_string())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ActionCall, SettleReason, Timing};

    fn reply(data: Value) -> ActionReply {
        let call = ActionCall::new("observe", serde_json::Map::new());
        ActionReply {
            success: true,
            requested_action: call.clone(),
            executed_action: call,
            data,
            error: None,
            timing: Timing { wait_ms: 0.0, action_ms: 1.0, settle_ms: 0.0, settle: SettleReason::Skipped },
            steps_left: None,
        }
    }

    #[test]
    fn a_picture_is_sent_once_and_as_an_image() {
        let data = json!({
            "id": "o1", "screenshot": "AAAA", "picture": {"media_type": "image/webp"}, "table": "rows", "elements": [1]
        });
        let result = carried_out(reply(data));
        let image = result.content[1].as_image().unwrap();
        assert_eq!((image.data.as_str(), image.mime_type.as_str()), ("AAAA", "image/webp"));
        let text = &result.content[0].as_text().unwrap().text;
        assert_eq!(text, "{\"id\":\"o1\",\"picture\":{\"media_type\":\"image/webp\"}}\nrows");
        let structured = result.structured_content.unwrap().to_string();
        assert!(!structured.contains("AAAA") && !structured.contains("rows"), "{structured}");
    }

    #[test]
    fn an_error_has_its_code_and_hint_and_nothing_structured() {
        let result = failed(&ToolError::SessionRequired);
        assert_eq!((result.is_error, result.structured_content), (Some(true), None));
        let body: Value = serde_json::from_str(&result.content[0].as_text().unwrap().text).unwrap();
        assert_eq!(body["code"], "session_required");
        assert!(body["hint"].as_str().unwrap().contains("start_task"));
    }
}
