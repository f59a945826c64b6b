//! What a model is sent each turn: what there is to see, and what came of its last action.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::style::{Answers, Style};
use crate::agent::model::{Message, Role};
use crate::agent::{Observing, View};
use crate::model::{ActionCall, ActionReply, Mode};

/// What stands for a screenshot whose turn has no words: a message needs some.
const SCREENSHOT: &str = "The screenshot.";

/// The options of an observation; `full` when the whole list of elements is wanted.
pub(in crate::agent) fn look(mode: Mode, style: &Style, full: bool) -> Map<String, Value> {
    let elements = match (style.elements, style.changes_only && !full) {
        (false, _) => "off",
        (true, false) => "full",
        (true, true) => "changed",
    };
    let options = match mode {
        Mode::Composite => json!({}),
        Mode::Primitive => json!({"picture": if style.pictures > 0 { "png" } else { "off" }, "elements": elements}),
    };
    let Value::Object(options) = options else { return Map::new() };
    options
}

/// The message of a turn.
pub(in crate::agent) fn question(view: View<'_>, mode: Mode, style: &Style) -> Message {
    let seen = view.observation.unwrap_or(&Value::Null);
    let mut parts = Vec::new();
    if style.feedback {
        // With tools it is the result of the call.
        parts.extend(view.last.filter(|_| style.answers == Answers::Text).map(feedback));
        parts.push(format!("Action {} of at most {}.", view.step, view.steps));
    }
    match mode {
        Mode::Composite => parts.extend(seen["text"].as_str().map(str::to_owned)),
        Mode::Primitive if style.elements => parts.push(elements(seen, style.observing)),
        Mode::Primitive => {}
    }
    if parts.is_empty() {
        parts.push(SCREENSHOT.to_owned());
    }
    let message = Message::new(Role::User, parts.join("\n\n"));
    match picture(seen).filter(|_| mode == Mode::Primitive && style.pictures > 0) {
        Some(png) => message.showing(png),
        None => message,
    }
}

/// The list of elements of an observation, with its heading.
pub(in crate::agent) fn elements(seen: &Value, observing: Observing) -> String {
    let table = seen["table"].as_str().unwrap_or_default();
    if observing == Observing::Published {
        return format!("## Current UI element information:\n{table}");
    }
    match seen.get("changes") {
        Some(_) if table.trim().is_empty() => "## Elements\nNothing has changed.".to_owned(),
        Some(_) => format!("## Elements that have changed\n{table}"),
        None => format!("## Elements\n{table}"),
    }
}

/// The screenshot of an observation, as PNG.
pub(in crate::agent) fn picture(seen: &Value) -> Option<Arc<Vec<u8>>> {
    let text = seen["screenshot"].as_str().filter(|text| !text.is_empty())?;
    STANDARD.decode(text).ok().map(Arc::new)
}

/// What came of an action.
fn feedback(reply: &ActionReply) -> String {
    match &reply.error {
        None => format!("Your last action, `{}`, was carried out.", reply.requested_action.api),
        Some(error) => {
            let hint = error.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
            format!(
                "Your last action, `{}`, failed: {}: {}{hint}",
                reply.requested_action.api, error.code, error.message
            )
        }
    }
}

/// What came of the call of a tool, as its model is told; without a reply no action was made of it.
pub(super) fn result(reply: Option<&ActionReply>, style: &Style) -> String {
    match reply {
        Some(ActionReply { error: Some(error), .. }) if style.feedback => {
            let hint = error.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
            format!("Failed: {}: {}{hint}", error.code, error.message)
        }
        Some(_) if style.feedback => "Carried out.".to_owned(),
        // Calls must be answered even where nothing is said of them.
        _ => "received".to_owned(),
    }
}

/// How a turn ended, in a line.
pub(super) fn line(step: u32, call: &ActionCall, reply: Option<&ActionReply>) -> String {
    let ended = match reply.map(|reply| &reply.error) {
        Some(Some(error)) => error.code.as_str(),
        _ => "ok",
    };
    format!("{step}. {} {}: {ended}", call.api, Value::Object(call.args.clone()))
}
