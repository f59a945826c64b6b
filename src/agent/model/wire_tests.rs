//! Requests as the library gets them.

use genai::chat::ChatRole;

use super::*;
use crate::agent::model::Cache;

fn call(id: &str) -> ToolCall {
    ToolCall { id: id.to_owned(), name: "click".to_owned(), args: json!({"x": 1}), signatures: Vec::new() }
}

fn talk() -> Vec<Message> {
    let parts = vec![
        Part::Signature("s".to_owned()),
        Part::Thought("t".to_owned()),
        Part::Other(json!({"type": "redacted_thinking", "data": "d"})),
        Part::Text(" ".to_owned()),
        Part::Call(call("a")),
        Part::Call(ToolCall { args: json!("{\"x\": 1,"), ..call("b") }),
    ];
    let results = ["a", "b"].map(|id| ToolResult::of(&call(id), "Carried out."));
    vec![
        Message::new(Role::System, "Be brief."),
        Message::new(Role::User, "Go."),
        Message { parts, ..Message::new(Role::Assistant, "ignored") },
        Message { results: results.to_vec(), ..Message::new(Role::User, "Now?") },
    ]
}

fn request(dialect: Dialect) -> ChatRequest {
    let cache = Some(Cache { key: "k".to_owned(), ends: vec![0, 3] });
    chat_request(&Request { messages: talk(), tools: Vec::new().into(), cache, ..Request::default() }, dialect)
}

#[test]
fn results_stand_before_words_and_only_one_dialect_wants_them_apart() {
    let roles =
        |dialect| request(dialect).messages.into_iter().map(|message| message.role.to_string()).collect::<Vec<_>>();
    assert_eq!(roles(Dialect::OpenAi), ["System", "User", "Assistant", "Tool", "User"]);
    assert_eq!(roles(Dialect::Ollama), ["System", "User", "Assistant", "Tool", "Tool", "User"]);
    let only = Message { results: vec![ToolResult::of(&call("a"), "x")], ..Message::new(Role::User, "") };
    let sent = chat_messages(&only, true, Dialect::Anthropic);
    assert!(sent.len() == 1 && sent[0].role == ChatRole::Tool && sent[0].options.is_some());
}

#[test]
fn answers_go_back_as_they_came_but_for_what_no_provider_takes() {
    let chat = request(Dialect::Anthropic);
    let parts = chat.messages[2].content.parts();
    assert!(matches!(&parts[0], ContentPart::ThoughtSignature(text) if text == "s"));
    assert!(matches!(&parts[1], ContentPart::ReasoningContent(text) if text == "t"));
    assert!(matches!(&parts[2], ContentPart::Custom(custom) if custom.data["data"] == "d"));
    let args: Vec<&Value> = chat.messages[2].content.tool_calls().iter().map(|call| &call.fn_arguments).collect();
    assert_eq!(args, [&json!({"x": 1}), &json!({})], "text in place of arguments is no object");
    assert_eq!(parts.len(), 5, "text without words is left out");
}

#[test]
fn messages_are_marked_where_the_dialect_has_marks() {
    let marked = |dialect| {
        let messages = request(dialect).messages.into_iter().enumerate();
        messages.filter(|(_, message)| message.options.is_some()).map(|(place, _)| place).collect::<Vec<_>>()
    };
    assert_eq!(marked(Dialect::Anthropic), [0, 4]);
    for dialect in [Dialect::OpenAi, Dialect::OpenAiResponses, Dialect::Gemini, Dialect::Ollama] {
        assert!(marked(dialect).is_empty(), "{dialect}");
    }
}

#[test]
fn text_and_thoughts_of_answers_without_calls_stay_text() {
    let message = Message { reasoning: Some("t".to_owned()), ..Message::new(Role::Assistant, "Done.") };
    let content = content(&message);
    assert_eq!((content.first_text(), content.first_reasoning_content()), (Some("Done."), Some("t")));
    assert_eq!(arguments("{\"x\": 1}"), json!({"x": 1}));
    assert_eq!(arguments("{\"x\":"), json!("{\"x\":"));
}
