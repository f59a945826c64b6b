//! Requests and answers in the terms of the `genai` crate.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use genai::chat::{
    CacheControl, ChatMessage, ChatRequest, ChatResponse, ContentPart, MessageContent, StopReason, ToolCall as GenCall,
    ToolResponse,
};
use serde_json::{Value, json};

use super::{Answer, Dialect, Message, Part, Request, Role, Tool, ToolCall, ToolResult, Usage};

/// A request as the library takes it.
pub(super) fn chat_request(request: &Request, dialect: Dialect) -> ChatRequest {
    // Only this dialect marks messages; others keep beginnings by themselves, or by a key.
    let ends = request.cache.as_ref().filter(|_| dialect == Dialect::Anthropic).map(|cache| cache.ends.as_slice());
    let is_end = |place: usize| ends.is_some_and(|ends| ends.contains(&place));
    let messages = request.messages.iter().enumerate();
    let chat = ChatRequest::new(
        messages.flat_map(|(place, message)| chat_messages(message, is_end(place), dialect)).collect(),
    );
    if request.tools.is_empty() { chat } else { chat.with_tools(request.tools.iter().map(tool)) }
}

fn tool(tool: &Tool) -> genai::chat::Tool {
    genai::chat::Tool::new(tool.name.as_str())
        .with_description(tool.description.as_str())
        .with_schema(tool.schema.clone())
}

/// A message; results of calls come before what is said with them.
fn chat_messages(message: &Message, is_end: bool, dialect: Dialect) -> Vec<ChatMessage> {
    let mut sent = results(&message.results, dialect);
    let content = content(message);
    if !content.is_empty() || sent.is_empty() {
        sent.push(match message.role {
            Role::System => ChatMessage::system(content),
            Role::User => ChatMessage::user(content),
            Role::Assistant => ChatMessage::assistant(content),
        });
    }
    if is_end && let Some(last) = sent.pop() {
        sent.push(last.with_options(CacheControl::Ephemeral));
    }
    sent
}

fn results(results: &[ToolResult], dialect: Dialect) -> Vec<ChatMessage> {
    // Ollama takes one result a message; Anthropic and Gemini want all that belong together in one.
    let most = if dialect == Dialect::Ollama { 1 } else { results.len().max(1) };
    let response =
        |one: &ToolResult| ToolResponse::new(one.id.as_str(), one.text.as_str()).with_fn_name(one.name.as_str());
    results.chunks(most).map(|some| some.iter().map(response).collect::<Vec<_>>().into()).collect()
}

fn content(message: &Message) -> MessageContent {
    if !message.parts.is_empty() {
        return MessageContent::from_parts(message.parts.iter().filter_map(sent_back).collect::<Vec<_>>());
    }
    let pictures = message
        .pictures
        .iter()
        .map(|png| ContentPart::from_binary_base64("image/png", STANDARD.encode(png.as_slice()), None));
    // Some endpoints refuse an empty text beside a picture.
    let has_more = !message.results.is_empty() || !message.pictures.is_empty();
    let is_said = !message.text.is_empty() || !has_more;
    let text = is_said.then(|| ContentPart::from_text(message.text.as_str()));
    let reasoning = message.reasoning.clone().map(ContentPart::ReasoningContent);
    MessageContent::from_parts(text.into_iter().chain(pictures).chain(reasoning).collect::<Vec<_>>())
}

/// A part of an answer as its model gets it back: unchanged, but for what no provider takes.
fn sent_back(part: &Part) -> Option<ContentPart> {
    match part {
        Part::Text(text) if text.trim().is_empty() => None,
        Part::Text(text) => Some(ContentPart::from_text(text.as_str())),
        Part::Thought(text) => Some(ContentPart::ReasoningContent(text.clone())),
        Part::Signature(text) => Some(ContentPart::ThoughtSignature(text.clone())),
        Part::Other(value) => Some(ContentPart::from_custom(value.clone(), None)),
        Part::Call(call) => Some(ContentPart::ToolCall(GenCall {
            call_id: call.id.clone(),
            fn_name: call.name.clone(),
            fn_arguments: if call.args.is_object() { call.args.clone() } else { json!({}) },
            thought_signatures: (!call.signatures.is_empty()).then(|| call.signatures.clone()),
        })),
    }
}

/// An answer of the library's.
pub(super) fn answer(reply: ChatResponse) -> Answer {
    let is_cut = reply.stop_reason.as_ref().is_some_and(StopReason::is_max_tokens);
    let is_filtered = matches!(reply.stop_reason, Some(StopReason::ContentFilter(_)));
    let model = reply.provider_model_iden.model_name.to_string();
    let (usage, reasoning, text) = (usage(&reply.usage), reply.reasoning_content.clone(), reply.texts().join("\n"));
    // Without calls nothing but the text counts.
    let parts = reply.into_assistant_message_for_tool_use().map(|message| message.content.into_parts());
    let parts = parts.unwrap_or_default().into_iter().filter_map(received).collect();
    Answer {
        text,
        reasoning,
        parts,
        is_cut,
        is_filtered,
        model,
        usage,
        tries: 1,
        waited_s: 0.0,
        picture_differs: false,
    }
}

fn received(part: ContentPart) -> Option<Part> {
    match part {
        ContentPart::Text(text) => Some(Part::Text(text)),
        ContentPart::ReasoningContent(text) => Some(Part::Thought(text)),
        ContentPart::ThoughtSignature(text) => Some(Part::Signature(text)),
        ContentPart::Custom(custom) => Some(Part::Other(custom.data)),
        ContentPart::ToolCall(call) => Some(Part::Call(ToolCall {
            id: call.call_id,
            name: call.fn_name,
            args: call.fn_arguments,
            signatures: call.thought_signatures.unwrap_or_default(),
        })),
        ContentPart::Binary(_) | ContentPart::ToolResponse(_) => None,
    }
}

/// What was counted; what the endpoint does not tell is 0.
pub(super) fn usage(given: &genai::chat::Usage) -> Usage {
    let tokens = |count: Option<i32>| count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default();
    let input = given.prompt_tokens_details.as_ref();
    let output = given.completion_tokens_details.as_ref();
    Usage {
        input_tokens: tokens(given.prompt_tokens),
        output_tokens: tokens(given.completion_tokens),
        cached_tokens: tokens(input.and_then(|details| details.cached_tokens)),
        cache_written_tokens: tokens(input.and_then(|details| details.cache_creation_tokens)),
        reasoning_tokens: tokens(output.and_then(|details| details.reasoning_tokens)),
    }
}

/// The arguments of a call that came as text: what the text is in JSON, else the text.
pub(super) fn arguments(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
