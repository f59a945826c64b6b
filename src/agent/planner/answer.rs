//! Reading the answer of a worker: its last part is the action, the parts before it say why.

use serde_json::Value;

use crate::agent::llm::{Fault, read_call};
use crate::model::ActionCall;

/// What the last part is headed with.
const ACTION: &str = "grounded action";
/// The action that keeps a note. It is none of the session's.
pub(super) const NOTE: &str = "save_to_knowledge";
/// Characters of an answer that are kept of its reasons.
const REASONS: usize = 2_000;
/// Characters of a note.
const NOTE_LENGTH: usize = 1_000;

/// What a worker decided.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decided {
    /// Something in the editor.
    Act(ActionCall),
    /// To keep notes.
    Note(Vec<String>),
    /// That the subtask is done.
    Finished,
    /// That the subtask can't be done.
    Failed,
}

/// The call in an answer: it stands below the last heading of its kind, or anywhere where there is none.
///
/// # Errors
/// When there is none.
pub(super) fn read(answer: &str) -> Result<ActionCall, Fault> {
    read_call(&answer[split(answer)..])
}

/// What a call means to a worker.
///
/// # Errors
/// When a note has no text.
pub(super) fn decided(call: ActionCall) -> Result<Decided, String> {
    Ok(match call.api.as_str() {
        "done" => Decided::Finished,
        "failed" => Decided::Failed,
        NOTE => Decided::Note(notes(&call).ok_or_else(|| format!("`{NOTE}` has no `text`"))?),
        _ => Decided::Act(call),
    })
}

fn notes(call: &ActionCall) -> Option<Vec<String>> {
    let texts: Vec<&str> = match call.args.get("text")? {
        Value::String(text) => vec![text],
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let notes = texts.into_iter().map(str::trim).filter(|text| !text.is_empty());
    let notes: Vec<String> = notes.map(|text| text.chars().take(NOTE_LENGTH).collect()).collect();
    (!notes.is_empty()).then_some(notes)
}

/// The parts of an answer before the action, and the action in a line: what those who did not see it are told of it.
pub(super) fn outline(answer: &str, call: Option<&ActionCall>) -> String {
    let reasons = answer[..split(answer)].trim().trim_end_matches(['(', '*', '#', ' ', '\n']);
    let reasons: String = reasons.chars().take(REASONS).collect();
    let action = match call {
        Some(call) => format!("Action: {} {}", call.api, Value::Object(call.args.clone())),
        None => "Action: none that could be read".to_owned(),
    };
    if reasons.is_empty() { action } else { format!("{reasons}\n{action}") }
}

/// Where the last part begins, heading included; 0 where there is no heading.
fn split(answer: &str) -> usize {
    // Lower-case letters of ASCII have the same length, so that places stay.
    answer.to_ascii_lowercase().rfind(ACTION).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const CLICK: &str = "(Previous action verification)\nNone.\n(Screenshot Analysis)\nA {tab}.\n(Next Action)\nClick it.\n\
        (Grounded Action)\n```json\n{\"api\": \"click\", \"args\": {\"description\": \"the tab\"}}\n```";

    fn call(api: &str, args: Value) -> ActionCall {
        let Value::Object(args) = args else { panic!() };
        ActionCall::new(api, args)
    }

    #[test]
    fn the_action_is_below_the_last_heading() {
        let click = call("click", json!({"description": "the tab"}));
        assert_eq!(read(CLICK), Ok(click.clone()), "braces in the reasons are no call");
        let twice = format!("Grounded Action: {{\"api\": \"type\", \"args\": {{}}}}\n{CLICK}");
        assert_eq!(read(&twice), Ok(click.clone()));
        assert_eq!(read("```json\n{\"api\": \"click\", \"args\": {\"description\": \"the tab\"}}\n```"), Ok(click));
    }

    #[test]
    fn what_holds_no_action_is_named() {
        for (answer, fault) in [
            ("", Fault::Empty),
            ("(Grounded Action)\nClick the tab.", Fault::NoObject),
            ("{\"api\": \"click\"}\n(Grounded Action)\nnone", Fault::NoObject),
            ("(Grounded Action)\n```python\nagent.click('the tab', 1)\n```", Fault::Broken),
            ("(Grounded Action)\n```json\n[1, 2]\n```", Fault::Broken),
            ("(Grounded Action) {\"action\": \"click\"}", Fault::NoApi),
            ("(Grounded Action) {\"api\": 7}", Fault::NoApi),
            ("(Grounded Action) {\"api\": \" \"}", Fault::NoApi),
            ("(Grounded Action) {\"api\": \"click\", \"args\": [\"the tab\"]}", Fault::BadArgs),
            ("(GROUNDED ACTION) {\"api\": \"click\", \"args\": \"the tab\"}", Fault::BadArgs),
        ] {
            assert_eq!(read(answer), Err(fault), "{answer}");
        }
    }

    #[test]
    fn calls_end_the_subtask_keep_notes_or_act() {
        assert_eq!(decided(call("done", json!({}))), Ok(Decided::Finished));
        assert_eq!(decided(call("failed", json!({"reason": "no"}))), Ok(Decided::Failed));
        let notes = decided(call(NOTE, json!({"text": [" 12 apples ", 5, ""]})));
        assert_eq!(notes, Ok(Decided::Note(vec!["12 apples".to_owned()])));
        assert_eq!(decided(call(NOTE, json!({"text": "a"}))), Ok(Decided::Note(vec!["a".to_owned()])));
        for empty in [json!({}), json!({"text": []}), json!({"text": " "}), json!({"text": 4})] {
            assert!(decided(call(NOTE, empty)).unwrap_err().contains("no `text`"));
        }
        let click = call("click", json!({"description": "x"}));
        assert_eq!(decided(click.clone()), Ok(Decided::Act(click)));
    }

    #[test]
    fn an_outline_has_reasons_and_the_action_in_a_line() {
        let text = outline(CLICK, read(CLICK).ok().as_ref());
        assert!(text.ends_with("Click it.\nAction: click {\"description\":\"the tab\"}"), "{text}");
        assert_eq!(outline("(Grounded Action) {}", None), "Action: none that could be read");
        assert!(outline(&"ä".repeat(9_000), None).chars().count() > 0);
        assert_eq!(outline("İ (Grounded Action)", None), "İ\nAction: none that could be read");
    }
}
